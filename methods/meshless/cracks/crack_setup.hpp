// SPDX-License-Identifier: BSD-3-Clause
// Parameters of cracks of the method `meshless`. [PKAGDG05] §3, §5
#pragma once

#include <cstdint>

#include "methods/meshless/cracks/crack_stress.hpp"
#include "methods/meshless/cracks/crack_types.hpp"
#include "methods/parameters.hpp"

namespace deformbench::meshless {

enum class CrackStress {
  None,       ///< no cracks
  Given,      ///< a given field, independent of the solid
  Wandering,  ///< a given field, random and smooth
  Nodes,      ///< averaged stress of the nodes
  Nearest,    ///< stress of the nearest visible node, for comparison with averaging
};

/// A circular front; contracts if radius < 0.
struct StartPenny {
  Vector3 centre, normal;
  double radius = 0.0;  ///< m
  int nodes = 3;
};
/// An initial straight front between two surface points (m) and the area it has cut: the strip from it to its copy
/// moved by `behind`.
struct StartNotch {
  Vector3 from, to, behind;
};

/// Samples along a line on the surface with a threshold of their own. [PKAGDG05] §5
struct PaintedLine {
  Vector3 from, to;
  double threshold = 0.0;  ///< Pa
};

struct CrackSetup {
  CrackStress stress = CrackStress::None;
  GivenStress given;
  double wandering_tension = 1.0, wandering_length = 1.0;
  CrackOptions options;
  double threshold = std::numeric_limits<double>::infinity();  ///< Pa, for initiation
  double front_threshold = 0.0;                                ///< Pa, below which a front stands still
  std::vector<StartPenny> pennies;
  std::vector<StartNotch> notches;
  double start_jitter = 0.0;  ///< m
  int random_cracks = 0;
  int interior_samples = 0, surface_samples = 0;
  bool nodes_initiate = true;
  double raised_factor = 2.0, raised_radius = 0.0;  ///< 1, m
  int most_starts = 1;                              ///< maximum number of new cracks per step
  std::vector<PaintedLine> painted;
  Vector3 hard_low = Vector3::Zero(), hard_high = Vector3::Zero();  ///< m, a box that no crack enters
  std::uint64_t seed = 1;
};

void add_crack_parameters(ParameterSpec& spec);
/// Throws InputError if the length of a list is not a multiple of its row length.
CrackSetup crack_setup(const Parameters& parameters);

}  // namespace deformbench::meshless
