// SPDX-License-Identifier: BSD-3-Clause
// How far one constraint moves its vertices. [MHHR07] eq. 5–8, §3.3; compliant: [MMC16] eq. 17, 18
#pragma once

#include <span>

#include "methods/pbd/constraint.hpp"
#include "methods/pbd/pbd_options.hpp"

namespace deformbench::pbd {

/// One constraint at one moment: value C, and one row per vertex of what follows.
struct Linearised {
  double value;
  std::span<const Vector3> directions;     ///< along which the vertices move: ∇_iC at p, or where the step started
  std::span<const Vector3> gradients;      ///< ∇_iC at p
  std::span<const double> inverse_masses;  ///< 1/kg
};

/// s such that Δp_i = s w_i direction_i, of either sign; as printed [MHHR07] eq. 7, 8. `stiffness` is that of the
/// iteration. 0 where nothing can move, or where an inequality holds.
double correction_scale(const Linearised& constraint, bool is_inequality, double stiffness, MassWeighting weighting);

/// Δλ such that Δp_i = Δλ w_i direction_i, and λ + Δλ ≥ 0 for an inequality: (−C − α̃λ)/(Σ w|∇C|² + α̃), α̃ =
/// `compliance`/Δt² (unit²/J/s²).
double multiplier_change(const Linearised& constraint, bool is_inequality, double scaled_compliance, double multiplier);

/// Projects `positions` (n×3) once on `constraint`, equations as above; `inverse_masses` has one entry per vertex of
/// the mesh. `multiplier`: null for position based dynamics, then `stiffness_or_compliance` is k′; else λ, and it is
/// α/Δt². Returns C before.
double project(const Constraint& constraint, const Eigen::VectorXd& inverse_masses, double stiffness_or_compliance,
               MassWeighting weighting, double* multiplier, Points& positions);

}  // namespace deformbench::pbd
