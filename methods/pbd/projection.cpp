// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/projection.hpp"

#include <algorithm>
#include <vector>

#include "methods/pbd/sweeps/newton_step.hpp"

namespace deformbench::pbd {
namespace {

NewtonSums sums_of(const Linearised& c) {
  NewtonSums sums;
  for (std::size_t i = 0; i < c.directions.size(); ++i) {
    const double w = c.inverse_masses[i], product = c.directions[i].dot(c.gradients[i]);
    sums.newton += w * product;
    sums.weighted += w * c.directions[i].squaredNorm();
    sums.plain += product;
    sums.inverse_mass += w;
  }
  return sums;
}

}  // namespace

double correction_scale(const Linearised& c, bool is_inequality, double stiffness, MassWeighting weighting) {
  if (is_inequality && c.value >= 0.0) return 0.0;
  if (weighting == MassWeighting::Corrected) return corrected_scale(sums_of(c), c.value, stiffness);
  return printed_scale(sums_of(c), c.value, stiffness, double(c.directions.size()));
}

/// [MSL19] eq. 5
double multiplier_change(const Linearised& c, bool is_inequality, double scaled_compliance, double multiplier) {
  const NewtonSums sums = sums_of(c);
  if (!(newton_denominator(sums) > 0.0)) return 0.0;
  const double change = compliant_change(sums, c.value, scaled_compliance, multiplier);
  return is_inequality ? std::max(change, -multiplier) : change;
}

double project(const Constraint& constraint, const Eigen::VectorXd& inverse_masses, double stiffness_or_compliance,
               MassWeighting weighting, double* multiplier, Points& positions) {
  const std::span<const int> vertices = constraint.vertices();
  std::vector<Vector3> gradients(vertices.size());
  std::vector<double> w(vertices.size());
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = inverse_masses[vertices[k]];
  const double value = constraint.evaluate(positions, gradients);
  const Linearised linearised{value, gradients, gradients, w};
  double scale;
  if (multiplier) {
    scale = multiplier_change(linearised, constraint.is_inequality, stiffness_or_compliance, *multiplier);
    *multiplier += scale;
  } else {
    scale = correction_scale(linearised, constraint.is_inequality, stiffness_or_compliance, weighting);
  }
  for (std::size_t k = 0; k < w.size(); ++k)
    if (w[k] > 0.0) positions.row(vertices[k]) += scale * w[k] * gradients[k].transpose();  // [MSL19] eq. 4
  return value;
}

}  // namespace deformbench::pbd
