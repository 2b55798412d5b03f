// SPDX-License-Identifier: BSD-3-Clause
// The parameters of cloth by forces, as one struct. [B05]
#pragma once

#include "methods/cloth/collision/collisions.hpp"
#include "methods/parameters.hpp"

namespace deformbench::cloth {

struct ClothOptions {
  int substeps = 1;                   ///< of the scene's time step
  double mass_damping = 0.0;          ///< 1/s
  double stretch_stiffness = 1000.0;  ///< N/m, of an edge; a spring that a scene lists has 1/compliance
  cloth_collision::CollisionOptions collisions;
};

ParameterSpec cloth_parameters();
ClothOptions cloth_options(const Parameters& parameters);

}  // namespace deformbench::cloth
