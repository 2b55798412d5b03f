// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/fem/elastic_model.hpp"
#include "methods/numerics/conjugate_gradient.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

enum class Warping {
  None,     ///< linear elasticity: constant matrix
  Element,  ///< [MG04]
  Vertex,   ///< Müller et al. 2002
};
enum class Preconditioner {
  None,    ///< as printed
  Jacobi,  ///< diagonal of the system matrix
  Mass,    ///< lumped masses: keeps the momentum exact (B-IVM-15)
};
enum class StartVector {
  Zero,
  Velocity,           ///< v_n
  VelocityPlusForce,  ///< v_n + Δt M⁻¹ f_ext
};

struct FemOptions {
  Warping warping = Warping::Element;
  RotationRule rotation;
  bool fresh_stress_rotation = false;  ///< else the stress uses the rotation of the step's beginning (B-IVM-3)
  bool direct = false;                 ///< factorise instead of iterating
  numerics::SolverSettings solver;
  Preconditioner preconditioner = Preconditioner::Mass;
  StartVector start = StartVector::VelocityPlusForce;
  double mass_damping = 0.0;       ///< α, 1/s
  double stiffness_damping = 0.0;  ///< β, s
  bool single_precision = false;
};

/// Parameters of linear_fem, warped_fem and vertex_warped_fem.
ParameterSpec fem_parameters(Warping warping);
FemOptions fem_options(Warping warping, const Parameters& parameters);

}  // namespace deformbench::fem
