// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/projection.hpp"

#include <algorithm>
#include <vector>

namespace deformbench::pbd {
namespace {

/// Σ w ∇C·change; where gradients of the start have turned too far from those at p for a Newton step, Σ w|∇C|².
double denominator(const Linearised& c) {
  double product = 0.0, square = 0.0;
  for (std::size_t i = 0; i < c.gradients.size(); ++i) {
    product += c.inverse_masses[i] * c.gradients[i].dot(c.change[i]);
    square += c.inverse_masses[i] * c.gradients[i].squaredNorm();
  }
  return product > 0.1 * square ? product : square;
}

}  // namespace

double correction_scale(const Linearised& c, bool is_inequality, double stiffness, MassWeighting weighting) {
  if (is_inequality && c.value >= 0.0) return 0.0;
  if (weighting == MassWeighting::Corrected) {
    const double sum = denominator(c);
    return sum > 0.0 ? -stiffness * c.value / sum : 0.0;
  }
  double masses = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < c.gradients.size(); ++i) {
    masses += c.inverse_masses[i];
    squares += c.gradients[i].dot(c.change[i]);
  }
  if (!(masses > 0.0) || !(squares > 0.0)) return 0.0;
  return -stiffness * c.value * static_cast<double>(c.gradients.size()) / (masses * squares);
}

double multiplier_change(const Linearised& c, bool is_inequality, double scaled_compliance, double multiplier) {
  const double sum = denominator(c);
  if (!(sum > 0.0)) return 0.0;
  const double change = (-c.value - scaled_compliance * multiplier) / (sum + scaled_compliance);
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
    if (w[k] > 0.0) positions.row(vertices[k]) += scale * w[k] * gradients[k].transpose();
  return value;
}

}  // namespace deformbench::pbd
