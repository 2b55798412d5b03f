// SPDX-License-Identifier: BSD-3-Clause
// The parameters of cracks of the method `meshless`. [PKAGDG05] §3, §5
#pragma once

#include <cstdint>

#include "methods/meshless/cracks/crack_stress.hpp"
#include "methods/meshless/cracks/crack_system.hpp"
#include "methods/parameters.hpp"

namespace deformbench::meshless {

enum class CrackStress {
  None,       ///< no cracks
  Given,      ///< a given field, whatever the solid does
  Wandering,  ///< the same, random and smooth
  Nodes,      ///< the stress of the nodes, averaged
  Nearest,    ///< that of the nearest node that is seen: what averaging is compared with
};

/// A closed front to start with: a circle of nodes.
struct StartPenny {
  Vector3 centre, normal;
  double radius = 0.0;  ///< m
  int nodes = 3;
};
/// A straight front from one point of the surface to another, and what it has cut: the strip between it and the same
/// line moved by `behind`.
struct StartNotch {
  Vector3 from, to, behind;
};

/// Painted on the surface: samples along a line that crack at a threshold of their own. [PKAGDG05] §5
struct PaintedLine {
  Vector3 from, to;
  double threshold = 0.0;  ///< Pa
};

struct CrackSetup {
  CrackStress stress = CrackStress::None;
  GivenStress given;
  double wandering_tension = 1.0, wandering_length = 1.0;
  CrackOptions options;
  double threshold = std::numeric_limits<double>::infinity();  ///< Pa, that starts a crack
  double front_threshold = 0.0;                                ///< Pa, below which a front stands still
  std::vector<StartPenny> pennies;
  std::vector<StartNotch> notches;
  double start_jitter = 0.0;  ///< m
  int random_cracks = 0;
  int interior_samples = 0, surface_samples = 0;
  bool nodes_initiate = true;
  double raised_factor = 2.0, raised_radius = 0.0;  ///< 1, m
  int most_starts = 1;                              ///< new cracks in one step
  std::vector<PaintedLine> painted;
  Vector3 hard_low = Vector3::Zero(), hard_high = Vector3::Zero();  ///< m, a box that no crack enters
  std::uint64_t seed = 1;
};

void add_crack_parameters(ParameterSpec& spec);
/// Throws InputError where a list has another length than its rows ask for.
CrackSetup crack_setup(const Parameters& parameters);

}  // namespace deformbench::meshless
