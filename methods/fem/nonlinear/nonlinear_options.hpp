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
  Explicit,    ///< plain laws, explicit schemes
  Implicit,    ///< plain laws, Newton's method
  Invertible,  ///< invertible_* laws, both of these
};

enum class Elements {
  Linear,     ///< the mesh's own tetrahedra
  Quadratic,  ///< 10-node tetrahedra; the mesh is made by model::subdivide
  Hexahedra,  ///< 8 nodes, mean dilatation; the mesh is cut as by BlockSplit::KuhnSix
};

struct NonlinearOptions {
  std::string law;
  Elements elements = Elements::Linear;
  std::optional<ExplicitOptions> explicit_steps;  ///< else `newton`
  NewtonOptions newton;
  std::optional<FractureOptions> fracture;
  ContactRule contact_rule = ContactRule::Nearest;
  bool has_self_contact = false;  ///< requested; explicit steps refuse it
};

ParameterSpec nonlinear_parameters(NonlinearMethod method);
NonlinearOptions nonlinear_options(const Parameters& parameters);

}  // namespace deformbench::fem
