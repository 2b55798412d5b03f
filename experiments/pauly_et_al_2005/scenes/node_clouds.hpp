// SPDX-License-Identifier: BSD-3-Clause
// Shared by scenes of solids sampled by nodes. [PKAGDG05] §2, §4
#pragma once

#include <string>

#include "experiments/scenes/scene_parameters.hpp"
#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench::scenes {

/// Scene-specific defaults.
struct CloudDefaults {
  double length = 1.0;  ///< m, along x
  double side = 1.0;    ///< m, along y and z
  int nodes_across = 8;
  double jitter = 0.3;
  double time_step = 1e-3;  ///< s
};

/// length_m, side_m, nodes_across, jitter, seed, support_ratio, gravity_m_s2, young_modulus_pa, poisson_ratio,
/// density_kg_m3, time_step_s.
ParameterSpec cloud_parameters(const CloudDefaults& defaults);

/// Nodes at the centres of cubic cells of the block [0, length] × [±side/2]², each coordinate moved by up to `jitter`
/// spacings Δ, with supports of `support_ratio` Δ and equal masses that sum to ρ V; the block's surface as skin. Sets
/// "root" and "tip": the node layers at low and high x.
Scene build_node_block(const std::string& name, const Parameters& parameters);

/// The surface of a block, 12 triangles oriented outwards.
model::TriangleMesh box_surface(const Vector3& low, const Vector3& high);

}  // namespace deformbench::scenes
