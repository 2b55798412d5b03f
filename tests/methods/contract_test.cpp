// SPDX-License-Identifier: BSD-3-Clause
// What the harness relies on, for every registered method.
#include <cmath>

#include "methods/facets.hpp"
#include "methods/model/error.hpp"
#include "tests/methods/method_suite.hpp"

namespace deformbench::tests {

TEST(Contract, TheRegistryIsNotEmpty) {
  EXPECT_GE(builtin_registry().all().size(), 4u);
}

TEST_P(EveryMethod, SaysWhatItIsAndDocumentsEveryParameter) {
  const Configuration configured = configuration(GetParam());
  const MethodDescriptor& method = registry_of(configured).at(configured.method);
  EXPECT_FALSE(method.summary.empty());
  EXPECT_FALSE(method.paper.key.empty());
  for (const ParameterInfo& parameter : method.parameters) {
    EXPECT_FALSE(parameter.doc.empty()) << parameter.name;
    const bool is_number = std::holds_alternative<double>(parameter.default_value) ||
                           std::holds_alternative<long long>(parameter.default_value);
    EXPECT_EQ(is_number, !parameter.unit.empty()) << parameter.name;
    EXPECT_NO_THROW(Parameters(method.parameters, {{parameter.name, parameter.default_value}}, GetParam()))
        << "the default of " << parameter.name << " fails its own check";
  }
}

TEST_P(EveryMethod, RefusesASceneWithoutElementsWithAReason) {
  const Support answer = support(GetParam(), Scene{});
  EXPECT_FALSE(answer.supported);
  EXPECT_FALSE(answer.reason.empty());
}

TEST_P(EveryMethod, CreatedTwiceGivesTheSameBits) {
  Scene scene = clamped_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  const Points first = run(GetParam(), scene, 20).positions();
  const Points second = run(GetParam(), scene, 20).positions();
  EXPECT_TRUE((first.array() == second.array()).all());
}

TEST_P(EveryMethod, WatchedIterationsChangeNoBitAndHaveTheQuantitiesThatItOffers) {
  Scene scene = clamped_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  const Configuration configured = configuration(GetParam());
  const MethodDescriptor& method = registry_of(configured).at(configured.method);
  const Parameters parameters(method.parameters, configured.parameters, configured.method);
  const auto watched = method.create(scene, parameters, {}), alone = method.create(scene, parameters, {});
  auto* facet = dynamic_cast<IterationFacet*>(watched.get());
  if (facet == nullptr) GTEST_SKIP() << "answers no IterationFacet";
  EXPECT_EQ(facet->iterates().supported, facet->iterates().reason.empty());
  IterationLog log;
  for (int step = 0; step < 6; ++step) {
    facet->watch_iterations(step % 3 < 2 ? &log : nullptr);
    log.begin_step();
    watched->step();
    alone->step();
    EXPECT_TRUE((watched->state().positions.array() == alone->state().positions.array()).all()) << step;
    EXPECT_TRUE((watched->state().velocities.array() == alone->state().velocities.array()).all()) << step;
    EXPECT_EQ(log.rows().size() > 1, facet->iterates().supported && step % 3 < 2);
    double last = 0.0;
    for (const Iteration& row : log.rows()) {
      EXPECT_GE(row.seconds, last);
      last = row.seconds;
      for (std::size_t q = 0; q < kIterationQuantities; ++q) {
        const Support offered = facet->iterations_have(IterationQuantity(q));
        EXPECT_EQ(offered.supported, offered.reason.empty());
        const bool has_no_step =
            IterationQuantity(q) == IterationQuantity::NewtonDecrement && &row == &log.rows().back();
        if (offered.supported && !has_no_step) {
          EXPECT_TRUE(std::isfinite(row.values[q])) << q << " of iteration " << row.iteration;
        }
      }
    }
  }
}

TEST_P(EveryMethod, StateHasTheSceneShapeAndMass) {
  const Scene scene = free_body(GetParam());
  const Trajectory created = run(GetParam(), scene, 0);
  const StateView state = created.state();
  EXPECT_EQ(state.time, 0.0);
  ASSERT_EQ(state.positions.rows(), scene.vertex_count());
  ASSERT_EQ(state.velocities.rows(), scene.vertex_count());
  ASSERT_EQ(state.masses.size(), scene.vertex_count());
  EXPECT_TRUE((state.positions.array() == scene.rest_positions().array()).all());
  EXPECT_GT(state.masses.minCoeff(), 0.0);
  EXPECT_NEAR(state.masses.sum(), kBodyMass, 1e-12);
}

TEST_P(EveryMethod, StepAdvancesTimeByExactlyTheTimeStep) {
  const Scene scene = free_body(GetParam());
  const Trajectory advanced = run(GetParam(), scene, 3);
  EXPECT_NEAR(advanced.state().time, 3 * scene.time_step, 1e-15);
}

TEST_P(EveryMethod, ReportsItsWork) {
  Scene scene = clamped_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  for (const StepReport& report : run(GetParam(), scene, 2).reports) {
    EXPECT_EQ(report.outcome, StepOutcome::Advanced);
    EXPECT_GE(report.substeps, 1);
    EXPECT_TRUE(std::isfinite(report.residual));
    EXPECT_GE(report.residual, 0.0);
  }
}

TEST_P(EveryMethod, PrescribedVerticesAreWhereTheyArePrescribed) {
  Scene scene = clamped_body(GetParam());
  scene.prescribed[0].axis = Vector3::UnitX();
  scene.prescribed[0].angle = 0.3;
  scene.prescribed[0].translation = {0.01, 0.02, 0.0};
  scene.prescribed[0].ramp = {0.0, 0.05};
  const Trajectory moved = run(GetParam(), scene, 10);
  const StateView state = moved.state();
  const auto& motion = scene.prescribed[0];
  for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
    const int v = motion.vertices[k];
    const Vector3 target = motion.position_at(k, scene.rest_positions().row(v).transpose(), state.time);
    // Positions are x + Δt v with v = (target − x)/Δt: two roundings of numbers below 1 m.
    EXPECT_LT((state.positions.row(v).transpose() - target).norm(), 1e-14);
  }
}

TEST_P(EveryMethod, ATangledStartEndsFiniteOrDiverged) {
  Scene scene = free_body(GetParam());
  scene.initial_positions = scene.rest_positions() + random_field(scene.vertex_count(), 0.15, 7);
  for (const double time_step : {1e-3, 0.1, 10.0}) {
    scene.time_step = time_step;
    const Trajectory tangled = run(GetParam(), scene, 30);
    if (tangled.reports.back().outcome == StepOutcome::Advanced) {
      EXPECT_TRUE(tangled.positions().allFinite()) << "Δt = " << time_step;
    }
  }
}

TEST_P(EveryMethod, TwoThreadsDifferFromOneByRoundingOnly) {
  Scene scene = clamped_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  const Points one = run(GetParam(), scene, 50).positions();
  const Points two = run(GetParam(), scene, 50, RunContext{1, 2, false}).positions();
  // Sums in another order: a few ulp per step, 50 steps, on a body of 0.2 m; solved to 1e-10 by default.
  EXPECT_LT((one - two).cwiseAbs().maxCoeff(), 1e-9 * 0.2 * configuration(GetParam()).rounding);
}

TEST_P(EveryMethod, NumbersThatOverflowEndFiniteOrDiverged) {
  Scene scene = clamped_body(GetParam());
  const auto last = scene.vertex_count() - 1;
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  scene.initial_velocities(last, 0) = 1e308;
  scene.initial_velocities(last - 1, 0) = -1e308;
  const Trajectory overflown = run(GetParam(), scene, 5);
  if (overflown.reports.back().outcome == StepOutcome::Advanced) {
    EXPECT_TRUE(overflown.positions().allFinite());
    EXPECT_TRUE(Points(overflown.state().velocities).allFinite());
  }
}

TEST_P(EveryMethod, LoadsWhoseSumIsNotFiniteAreReportedAsDiverged) {
  Scene scene = clamped_body(GetParam());
  // Each is finite, as check_scene wants it, and so may be its Δt F/m; not a thousand of them.
  const model::PointLoad load{int(scene.vertex_count()) - 1, Vector3(1e308, 0, 0), {}};
  scene.point_loads.assign(1000, load);
  if (!support(GetParam(), scene).supported) GTEST_SKIP() << support(GetParam(), scene).reason;
  const Trajectory poisoned = run(GetParam(), scene, 5);
  EXPECT_EQ(poisoned.reports.back().outcome, StepOutcome::Diverged);
}

TEST_P(EveryMethod, ASceneThatCannotBeIsRefusedInOneLine) {
  const auto refused = [](auto change) {
    Scene scene = clamped_body(GetParam());
    change(scene);
    try {
      check_scene(scene);
    } catch (const InputError& error) {
      return std::string(error.what()).find('\n') == std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused([](Scene& s) { rest_of(s)(2, 1) = std::nan(""); }));
  EXPECT_TRUE(refused([](Scene& s) { s.time_step = 0.0; }));
  EXPECT_TRUE(refused([](Scene& s) { s.point_loads = {{0, Vector3(std::nan(""), 0, 0), {}}}; }));
  EXPECT_TRUE(refused([](Scene& s) { s.gravity.x() = std::nan(""); }));
  EXPECT_TRUE(refused([](Scene& s) { s.prescribed[0].vertices.push_back(1000); }));
  EXPECT_TRUE(refused([](Scene& s) { s.initial_positions = Points::Zero(3, 3); }));
  EXPECT_TRUE(refused([](Scene& s) {
    s.cloth.area_density = -1.0;
    for (auto& material : s.materials) material.density = 0.0;
  }));
}

TEST_P(EveryMethod, AVertexOnRollersMovesAlongWhatIsFreeOrIsRefused) {
  Scene scene = clamped_body(GetParam());
  scene.gravity = {0, 0, -9.81};
  scene.prescribed[0].components = {true, true, false};
  const Support answer = support(GetParam(), scene);
  if (!answer.supported) {
    EXPECT_NE(answer.reason.find("prescribed motion 0 leaves z free"), std::string::npos) << answer.reason;
    return;
  }
  const Points start = scene.start_positions(), end = run(GetParam(), scene, 5).positions();
  for (const int v : scene.prescribed[0].vertices) {
    EXPECT_EQ(end(v, 0), start(v, 0)) << v;
    EXPECT_EQ(end(v, 1), start(v, 1)) << v;
    EXPECT_LT(end(v, 2), start(v, 2) - 1e-6) << v;
  }
}

TEST_P(EveryMethod, WhatItDoesNotSupportHasAReason) {
  // Everything at once is more than any method knows.
  Scene scene = free_body(GetParam());
  scene.tet_mesh = free_block().tet_mesh;
  scene.materials = free_block().materials;
  scene.cloth = free_cloth().cloth;
  scene.heat_sources.resize(1);
  scene.cracks.resize(1);
  scene.rigid_bodies.resize(1);
  scene.constraints.resize(1);
  const Support answer = support(GetParam(), scene);
  EXPECT_FALSE(answer.supported);
  EXPECT_FALSE(answer.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(configuration_names()),
                         [](const auto& given) { return given.param; });

}  // namespace deformbench::tests
