// SPDX-License-Identifier: BSD-3-Clause
// Shared by the suites that run over every registered method: the next method gets them for free.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>

#include "methods/model/structured.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

/// A registered method with its defaults, or with parts switched on that change what it simulates.
struct Configuration {
  std::string name;    ///< as test names show it
  std::string method;  ///< id
  std::map<std::string, ParameterValue> parameters = {};
  bool returns_to_rest = true;                     ///< elastic: nothing stays of a deformation
  std::vector<KnownViolation> known_violations{};  ///< of this configuration, before those of the method
};

/// Every registered method with its defaults first, so that the next method gets the suite for free.
inline std::vector<Configuration> configurations() {
  std::vector<Configuration> all;
  const Registry registry = builtin_registry();
  for (const auto& method : registry.all()) all.push_back({method.id, method.id});
  for (const char* method : {"linear_fem", "warped_fem"}) {
    // It flows from the smallest strain: nothing here is merely elastic.
    Configuration creep{std::string(method) + "_creep", method,
                        {{"plasticity", std::string("creep")}, {"plastic_yield", 1e-4}, {"plastic_creep_per_s", 5.0}},
                        false};
    if (creep.method == "warped_fem")
      creep.known_violations = {{"angular_momentum",
                                 "plastic strain that is not coaxial with the stretch has a torque", "IVM-24", 7.2e-5}};
    all.push_back(std::move(creep));
    for (const char* rule : {"vertex_split", "separation_tensor"})
      all.push_back({std::string(method) + "_" + rule, method,
                     {{"fracture", std::string(rule)}, {"fracture_threshold_pa", 4e4}}});
  }
  return all;
}
inline Configuration configuration(const std::string& name) {
  for (Configuration& one : configurations())
    if (one.name == name) return one;
  throw std::invalid_argument(name);
}
inline std::vector<std::string> configuration_names() {
  std::vector<std::string> names;
  for (const Configuration& one : configurations()) names.push_back(one.name);
  return names;
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

inline Trajectory run(const std::string& name, const Scene& scene, int steps, const RunContext& context = {}) {
  const Registry registry = builtin_registry();
  const Configuration chosen = configuration(name);
  const MethodDescriptor& method = registry.at(chosen.method);
  const Parameters parameters(method.parameters, chosen.parameters, "method '" + name + "'");
  Trajectory result;
  result.simulation = method.create(scene, parameters, context);
  for (int k = 0; k < steps; ++k) {
    result.reports.push_back(result.simulation->step());
    if (result.reports.back().outcome == StepOutcome::Diverged) break;
  }
  return result;
}

inline Support support(const std::string& name, const Scene& scene) {
  const Registry registry = builtin_registry();
  const Configuration chosen = configuration(name);
  const MethodDescriptor& method = registry.at(chosen.method);
  return method.supports(scene, Parameters(method.parameters, chosen.parameters, name));
}

/// The declared violation of `invariant`, if there is one.
inline std::optional<KnownViolation> known_violation(const std::string& name, const std::string& invariant) {
  const Configuration chosen = configuration(name);
  std::vector<KnownViolation> declared = chosen.known_violations;
  const Registry registry = builtin_registry();
  for (const KnownViolation& violation : registry.at(chosen.method).known_violations) declared.push_back(violation);
  for (const KnownViolation& violation : declared)
    if (violation.invariant == invariant) return violation;
  return std::nullopt;
}

/// An invariant holds to `tolerance`, or is a declared violation that is really there: of the declared size
/// within a factor of two.
inline void expect_invariant(const std::string& name, const std::string& invariant, double measured, double tolerance) {
  if (const auto violation = known_violation(name, invariant)) {
    EXPECT_GT(measured, tolerance) << name << " declares a violation of " << invariant << " that is not there";
    EXPECT_GT(measured, 0.5 * violation->measured_size) << name << ": " << invariant;
    EXPECT_LT(measured, 2.0 * violation->measured_size) << name << ": " << invariant;
  } else {
    EXPECT_LE(measured, tolerance) << name << ": " << invariant;
  }
}

class EveryMethod : public testing::TestWithParam<std::string> {};

}  // namespace deformbench::tests
