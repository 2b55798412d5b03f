// SPDX-License-Identifier: BSD-3-Clause
// Shared by the suites that run over every registered method: the next method gets them for free.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "methods/model/structured.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

inline std::vector<std::string> method_ids() {
  std::vector<std::string> ids;
  const Registry registry = builtin_registry();
  for (const auto& method : registry.all()) ids.push_back(method.id);
  return ids;
}

/// A free block of 2×2×2 cells of 0.1 m in alternating parity, in free space: its lumped masses differ by a
/// large factor, which is what breaks momentum in careless solvers.
inline Scene free_block() {
  Scene scene;
  scene.name = "free_block";
  scene.tet_mesh = model::make_block({2, 2, 2}, Vector3::Constant(-0.1), Vector3::Constant(0.2),
                                     model::BlockSplit::AlternatingFive);
  scene.materials = {model::Material{}};
  scene.time_step = 0.01;
  return scene;
}

/// The same block with its face x = −0.1 m held.
inline Scene clamped_block() {
  Scene scene = free_block();
  scene.name = "clamped_block";
  model::PrescribedMotion hold;
  for (Eigen::Index i = 0; i < scene.tet_mesh.vertex_count(); ++i)
    if (scene.tet_mesh.rest_positions(i, 0) < -0.099) hold.vertices.push_back(static_cast<int>(i));
  scene.prescribed = {hold};
  return scene;
}

inline Points random_field(Eigen::Index rows, double standard_deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0.0, standard_deviation);
  Points field(rows, 3);
  for (Eigen::Index i = 0; i < field.size(); ++i) field.data()[i] = normal(generator);
  return field;
}

struct Trajectory {
  std::unique_ptr<Simulation> simulation;
  std::vector<StepReport> reports;
  StateView state() const { return simulation->state(); }
  Points positions() const { return simulation->state().positions; }
};

inline Trajectory run(const std::string& method_id, const Scene& scene, int steps, const RunContext& context = {}) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(method_id);
  const Parameters parameters(method.parameters, {}, "method '" + method_id + "'");
  Trajectory result;
  result.simulation = method.create(scene, parameters, context);
  for (int k = 0; k < steps; ++k) {
    result.reports.push_back(result.simulation->step());
    if (result.reports.back().outcome == StepOutcome::Diverged) break;
  }
  return result;
}

inline Support support(const std::string& method_id, const Scene& scene) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(method_id);
  return method.supports(scene, Parameters(method.parameters, {}, method_id));
}

/// The declared violation of `invariant`, or null.
inline const KnownViolation* known_violation(const Registry& registry, const std::string& method_id,
                                             const std::string& invariant) {
  const auto& violations = registry.at(method_id).known_violations;
  const auto found = std::find_if(violations.begin(), violations.end(),
                                  [&](const KnownViolation& v) { return v.invariant == invariant; });
  return found == violations.end() ? nullptr : &*found;
}

/// An invariant holds to `tolerance`, or is a declared violation that is really there: of the declared size
/// within a factor of two.
inline void expect_invariant(const std::string& method_id, const std::string& invariant, double measured,
                             double tolerance) {
  const Registry registry = builtin_registry();
  if (const KnownViolation* violation = known_violation(registry, method_id, invariant)) {
    EXPECT_GT(measured, tolerance) << method_id << " declares a violation of " << invariant << " that is not there";
    EXPECT_GT(measured, 0.5 * violation->measured_size) << method_id << ": " << invariant;
    EXPECT_LT(measured, 2.0 * violation->measured_size) << method_id << ": " << invariant;
  } else {
    EXPECT_LE(measured, tolerance) << method_id << ": " << invariant;
  }
}

class EveryMethod : public testing::TestWithParam<std::string> {};

}  // namespace deformbench::tests
