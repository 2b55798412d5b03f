// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/step_objective.hpp"

#include <algorithm>
#include <cmath>

#include "methods/pbd/solid/neo_hookean_solid.hpp"
#include "methods/pbd/sweeps/scalar_constraints.hpp"

namespace deformbench::pbd {
namespace {

template <std::size_t n>
double add_constraint(const std::array<int, n>& vertices, const Evaluated<int(n)>& at, double compliance,
                      Points& gradient) {
  for (std::size_t k = 0; k < n; ++k) gradient.row(vertices[k]) += at.value / compliance * at.gradients[k].transpose();
  return 0.5 * at.value * at.value / compliance;
}

}  // namespace

StepObjective step_objective(const Points& positions, const Points& predicted, const Points& free_masses,
                             double time_step, const MeshConstraints& mesh, const ConstraintSet& others,
                             const NeoHookeanSolid* solid, const PbdOptions& options) {
  const double square = time_step * time_step;
  const Points away = positions - predicted;
  Points gradient = free_masses.cwiseProduct(away) / square;
  double value = 0.5 * gradient.cwiseProduct(away).sum();
  const auto at = [&](int vertex) { return Vector3(positions.row(vertex)); };
  for (const StretchConstraint& c : mesh.stretch) {
    const std::array<int, 2> vertices{c.a, c.b};
    value += add_constraint(vertices, evaluate_stretch({at(c.a), at(c.b)}, c.rest_length), options.stretch_compliance,
                            gradient);
  }
  for (const BendConstraint& c : mesh.bend) {
    const auto& v = c.vertices;
    value +=
        add_constraint(v, evaluate_bend(options.bend_angle, {at(v[0]), at(v[1]), at(v[2]), at(v[3])}, c.rest_angle),
                       options.bend_compliance, gradient);
  }
  value += others.add_energy(positions, gradient);
  if (solid != nullptr) {
    value += solid->elastic_energy(positions);
    gradient -= solid->elastic_forces(positions);
  }
  for (Eigen::Index i = 0; i < free_masses.size(); ++i)
    if (!(free_masses.data()[i] > 0.0)) gradient.data()[i] = 0.0;
  return {value, gradient.norm()};
}

std::string objective_refusal(const Scene& scene, const MeshConstraints& mesh, const ConstraintSet& others,
                              const PbdOptions& options) {
  if (!options.is_compliant) return "a stiffness k has no energy, what it does depends on the step and the iterations";
  if (!scene.colliders.empty() || !scene.rigid_bodies.empty() || !scene.attachments.empty() || options.self_collision)
    return "contacts and attachments are no part of an objective, expected a scene without";
  if (!mesh.stretch.empty() && !(options.stretch_compliance > 0.0))
    return "stretch_compliance_m_per_n is 0, and a constraint without compliance has no energy, expected > 0";
  if (!mesh.bend.empty() && !(options.bend_compliance > 0.0))
    return "bend_compliance_rad2_per_j is 0, and a constraint without compliance has no energy, expected > 0";
  if (!others.all_compliant()) return "a constraint of the scene has compliance 0 and so no energy, expected > 0";
  return {};
}

StretchViolation stretch_violation(const Points& positions, const std::vector<StretchConstraint>& edges) {
  StretchViolation violation{};
  for (const StretchConstraint& edge : edges) {
    const double strain = (positions.row(edge.b) - positions.row(edge.a)).norm() / edge.rest_length - 1.0;
    violation.rms += strain * strain;
    violation.max = std::max(violation.max, std::abs(strain));
  }
  if (!edges.empty()) violation.rms = std::sqrt(violation.rms / double(edges.size()));
  return violation;
}

}  // namespace deformbench::pbd
