// SPDX-License-Identifier: BSD-3-Clause
// Shared by block scenes: parameters and the bare block with material and vertex sets.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench::scenes {

/// Scene-specific defaults.
struct BlockDefaults {
  double length = 1.0;  ///< m, along x
  double side = 0.1;    ///< m, along y and z
  int cells_across = 2;
  std::string split = "alternating_five";
  double jitter = 0.0;
  double young_modulus = 1e5;  ///< Pa
  double poisson_ratio = 0.33;
  double time_step = 0.01;  ///< s
};

/// length_m, side_m, cells_across, cells_along, split, jitter, subdivisions, seed, young_modulus_pa, poisson_ratio,
/// density_kg_m3, time_step_s, followed by `own`.
ParameterSpec block_parameters(const BlockDefaults& defaults, ParameterSpec own);

enum class BlockPlace {
  RootAtOrigin,    ///< x from 0 to length, centred in y and z
  CentredAtOrigin  ///< centred in x, y and z
};

/// The block with one material, vertex sets "root" (smallest x) and "tip" (largest x), nothing held, no loads.
Scene build_block(const std::string& name, const Parameters& parameters, BlockPlace place = BlockPlace::RootAtOrigin);

/// Fixes the vertices of a named set.
void hold(Scene& scene, const std::string& vertex_set);

/// Dead force (N) spread evenly over the tip face, growing over `ramp_s` seconds (0: at once), removed after `hold_s`
/// seconds (0: never).
void load_tip(Scene& scene, const Parameters& parameters, const Vector3& force, double ramp_s, double hold_s = 0.0);

/// Ramp from 0 to `seconds`; a step function at time 0 if `seconds` is 0.
model::Ramp ramp_over(double seconds);

/// Applied at once, removed after `seconds` (0: never). Steps use the load at their end; the step to t = `seconds`
/// still has it.
model::Ramp held_for(double seconds, double time_step);

}  // namespace deformbench::scenes
