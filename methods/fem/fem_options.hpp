// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "methods/fem/elastic_model.hpp"
#include "methods/fem/fracture_rule.hpp"
#include "methods/fem/plasticity.hpp"
#include "methods/numerics/conjugate_gradient.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

enum class Warping {
  None,     ///< linear elasticity: constant matrix
  Element,  ///< [MG04]
  Vertex,   ///< one per vertex, [MDMJC02]
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

struct PlasticOptions {
  PlasticLaw law;
  PlasticParameters parameters;  ///< of every element that no heat source has reached
};
struct FractureOptions {
  bool by_separation_tensor = false;  ///< [OH99], else by the stress of elements, [MG04] §4
  double threshold = 6e4;             ///< Pa
  bool elastic_strain = true;         ///< stress of ε − ε_p; else of ε, as printed (B-IVM-2)
  FractureFrame frame = FractureFrame::World;
  HingeRule hinges = HingeRule::Separate;
  int splits_per_step = 10;
};

struct FemOptions {
  Warping warping = Warping::Element;
  RotationRule rotation;
  bool fresh_stress_rotation = false;  ///< else the stress uses the rotation of the step's beginning (B-IVM-3)
  bool direct = false;                 ///< factorise instead of iterating
  numerics::SolverSettings solver;
  bool may_miss_tolerance = false;  ///< go on when the solver stops before its tolerance
  Preconditioner preconditioner = Preconditioner::Mass;
  StartVector start = StartVector::VelocityPlusForce;
  double mass_damping = 0.0;       ///< α, 1/s
  double stiffness_damping = 0.0;  ///< β, s
  bool single_precision = false;
  std::optional<PlasticOptions> plastic;
  std::optional<FractureOptions> fracture;
};

/// Parameters of linear_fem, warped_fem and vertex_warped_fem.
ParameterSpec fem_parameters(Warping warping);
FemOptions fem_options(Warping warping, const Parameters& parameters);

}  // namespace deformbench::fem
