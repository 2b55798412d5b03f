// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "methods/fem/elasticity/warped_elasticity.hpp"
#include "methods/fem/fracture/fracture.hpp"
#include "methods/fem/integrators/linearly_implicit_euler.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

enum class Warping {
  None,     ///< linear elasticity: constant matrix
  Element,  ///< [MG04]
  Vertex,   ///< R_i per vertex, [MDMJC02]
};
struct FemOptions {
  Warping warping = Warping::Element;
  RotationRule rotation;
  StressTest stress;
  std::optional<PlasticOptions> plastic;
  std::optional<FractureOptions> fracture;
  ImplicitEulerOptions integrator;
  ContactRule contact_rule = ContactRule::Nearest;
  bool single_precision = false;
};

/// Parameters of linear_fem, warped_fem and vertex_warped_fem.
ParameterSpec fem_parameters(Warping warping);
FemOptions fem_options(Warping warping, const Parameters& parameters);

}  // namespace deformbench::fem
