// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the method `force_cloth`. [B05]
#pragma once

#include "methods/cloth/elements/hinges.hpp"
#include "methods/cloth/motion_options.hpp"
#include "methods/collision/collisions.hpp"
#include "methods/parameters.hpp"

namespace deformbench::cloth {

struct ClothOptions {
  int substeps = 0;                   ///< per time step of the scene; 0: chosen by `safety`
  double safety = 0.5;                ///< substep divided by the longest stable step at rest
  double mass_damping = 0.0;          ///< 1/s
  double stretch_stiffness = 1000.0;  ///< N/m, per edge; springs listed in the scene have 1/compliance
  double membrane_stiffness = 0.0;    ///< N/m, Young's modulus times thickness of triangles
  double membrane_poisson_ratio = 0.3;
  double bend_stiffness = 0.0;   ///< J, B: W = ½ B θ² |e|²/(A1 + A2) for small angles
  double stretch_damping = 0.0;  ///< s, k_d of springs, triangles and tetrahedra
  double bend_damping = 0.0;     ///< s, k_d of hinges
  HingeOptions hinge;
  MotionOptions motion;
  collision::CollisionOptions collisions;
};

ParameterSpec cloth_parameters();
ClothOptions cloth_options(const Parameters& parameters);

}  // namespace deformbench::cloth
