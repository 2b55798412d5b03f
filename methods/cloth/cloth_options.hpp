// SPDX-License-Identifier: BSD-3-Clause
// The parameters of cloth by forces, as one struct. [B05]
#pragma once

#include "methods/cloth/elements/hinges.hpp"
#include "methods/cloth/motion_options.hpp"
#include "methods/collision/collisions.hpp"
#include "methods/parameters.hpp"

namespace deformbench::cloth {

struct ClothOptions {
  int substeps = 0;                   ///< of the scene's time step; 0: as many as `safety` asks for
  double safety = 0.5;                ///< substep over the longest stable one at rest
  double mass_damping = 0.0;          ///< 1/s
  double stretch_stiffness = 1000.0;  ///< N/m, of an edge; a spring that a scene lists has 1/compliance
  double membrane_stiffness = 0.0;    ///< N/m, Young's modulus times thickness of triangles
  double membrane_poisson_ratio = 0.3;
  double bend_stiffness = 0.0;   ///< J, B: W = ½ B θ² |e|²/(A1 + A2) of small angles
  double stretch_damping = 0.0;  ///< s, k_d of springs, triangles and tetrahedra
  double bend_damping = 0.0;     ///< s, k_d of hinges
  HingeOptions hinge;
  MotionOptions motion;
  collision::CollisionOptions collisions;
};

ParameterSpec cloth_parameters();
ClothOptions cloth_options(const Parameters& parameters);

}  // namespace deformbench::cloth
