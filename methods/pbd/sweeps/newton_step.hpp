// SPDX-License-Identifier: BSD-3-Clause
// Denominators and scales of the projection of one constraint, shared by sweeps over a mesh and over constraint
// objects. [MHHR07] eq. 5–8; compliant: [MMC16] eq. 17, 18
#pragma once

namespace deformbench::pbd {

/// Sums over the vertices of a constraint; directions are those of motion, gradients are ∇C at p.
struct NewtonSums {
  double newton = 0.0;        ///< Σ w direction·gradient
  double weighted = 0.0;      ///< Σ w |direction|²
  double plain = 0.0;         ///< Σ direction·gradient
  double inverse_mass = 0.0;  ///< Σ w
};

/// Σ w ∇C·direction; if gradients at the step's start differ too much from those at p for a Newton step,
/// Σ w|direction|², which limits the step.
inline double newton_denominator(const NewtonSums& sums) {
  return sums.newton > 0.1 * sums.weighted ? sums.newton : sums.weighted;
}

/// s in Δp_i = s w_i direction_i for a constraint of value C, times the fraction `stiffness`; 0 if nothing can move.
inline double corrected_scale(const NewtonSums& sums, double value, double stiffness) {
  const double sum = newton_denominator(sums);
  return sum > 0.0 ? -stiffness * value / sum : 0.0;
}

/// The same as printed, n w_i/Σw_j · C/Σ|∇C|² ([MHHR07] eq. 7, 8; B-PBD-1), for `cardinality` n.
inline double printed_scale(const NewtonSums& sums, double value, double stiffness, double cardinality) {
  if (!(sums.inverse_mass > 0.0) || !(sums.plain > 0.0)) return 0.0;
  return -stiffness * value * cardinality / (sums.inverse_mass * sums.plain);
}

/// Δλ of an equality: (−C − α̃λ)/(Σ w|∇C|² + α̃); 0 if nothing can move.
inline double compliant_change(const NewtonSums& sums, double value, double scaled_compliance, double multiplier) {
  const double sum = newton_denominator(sums);
  return sum > 0.0 ? (-value - scaled_compliance * multiplier) / (sum + scaled_compliance) : 0.0;
}

}  // namespace deformbench::pbd
