// SPDX-License-Identifier: BSD-3-Clause
// Projection step of one constraint. [MHHR07] eq. 5–8, §3.3; compliant: [MMC16] eq. 17, 18
#pragma once

#include <span>

#include "methods/pbd/constraint.hpp"
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

/// One constraint, evaluated: value C, and per vertex:
struct Linearised {
  double value;
  std::span<const Vector3> directions;     ///< directions of motion: ∇_iC at p or at the start of the step
  std::span<const Vector3> gradients;      ///< ∇_iC at p
  std::span<const double> inverse_masses;  ///< 1/kg
};

/// s with Δp_i = s w_i direction_i, of either sign; as printed [MHHR07] eq. 7, 8. `stiffness` is per iteration. 0 if
/// nothing can move or an inequality is satisfied.
double correction_scale(const Linearised& constraint, bool is_inequality, double stiffness, MassWeighting weighting);

/// Δλ with Δp_i = Δλ w_i direction_i, and λ + Δλ ≥ 0 for inequalities: (−C − α̃λ)/(Σ w|∇C|² + α̃), α̃ =
/// `scaled_compliance` (unit²/J/s²).
double multiplier_change(const Linearised& constraint, bool is_inequality, double scaled_compliance, double multiplier);

/// Projects `positions` (n×3) once on `constraint`; `inverse_masses` has one entry per mesh vertex. With a null
/// `multiplier` (PBD), `stiffness_or_compliance` is k′; otherwise it is α/Δt² and `multiplier` is λ. Returns C before
/// the projection.
double project(const Constraint& constraint, const Eigen::VectorXd& inverse_masses, double stiffness_or_compliance,
               MassWeighting weighting, double* multiplier, Points& positions);

}  // namespace deformbench::pbd
