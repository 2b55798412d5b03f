// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "methods/fem/fracture/fracture.hpp"
#include "methods/fem/nonlinear/explicit_integrator.hpp"
#include "methods/fem/nonlinear/newton.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

enum class NonlinearMethod {
  Explicit,    ///< any law, explicit schemes
  Implicit,    ///< any law, Newton's method
  Invertible,  ///< laws continued through inversion, either
};

enum class Elements {
  Linear,     ///< the mesh's own tetrahedra
  Quadratic,  ///< 10-node tetrahedra, of a mesh that model::subdivide has cut
  Hexahedra,  ///< of 8 nodes with mean dilatation, of a mesh that is cut as BlockSplit::KuhnSix
};

struct NonlinearOptions {
  std::string law;
  Elements elements = Elements::Linear;
  std::optional<ExplicitOptions> explicit_steps;  ///< else `newton`
  NewtonOptions newton;
  std::optional<FractureOptions> fracture;
  ContactRule contact_rule = ContactRule::Nearest;
  bool has_self_contact = false;  ///< asked for; explicit steps have none
};

ParameterSpec nonlinear_parameters(NonlinearMethod method);
NonlinearOptions nonlinear_options(const Parameters& parameters);

}  // namespace deformbench::fem
