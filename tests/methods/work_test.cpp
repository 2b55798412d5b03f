// SPDX-License-Identifier: BSD-3-Clause
// Counts of a step's work, against what the method and its options determine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "methods/facets.hpp"
#include "methods/model/structured.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/random.hpp"
#include "methods/registry.hpp"

namespace deformbench {
namespace {

using Settings = std::map<std::string, ParameterValue>;

ParameterValue word(const char* value) {
  return std::string(value);
}

/// A block that hangs from x = 0 and falls: 5 tetrahedra a cube.
Scene hanging_block() {
  Scene scene;
  scene.name = "block";
  scene.tet_mesh =
      model::make_block({3, 2, 2}, Vector3::Zero(), Vector3(0.3, 0.2, 0.2), model::BlockSplit::AlternatingFive);
  scene.materials = {model::Material{}};
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.gravity = {0, -9.81, 0};
  scene.time_step = 0.01;
  return scene;
}
constexpr std::int64_t kElements = 60, kVertices = 36, kHeld = 9;

std::unique_ptr<Simulation> make(const char* id, const Scene& scene, const Settings& settings) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(id);
  return method.create(scene, Parameters(method.parameters, settings, id), {});
}

/// The second step, in which nothing is formed for the first time.
StepReport second_step(const char* id, const Settings& settings) {
  const auto simulation = make(id, hanging_block(), settings);
  simulation->step();
  StepReport report = simulation->step();
  EXPECT_TRUE(report.work.has_value()) << id;
  return report;
}

std::vector<std::int64_t> counts(const Work& work) {
  std::vector<std::int64_t> all;
  for (const WorkItem& item : kWorkItems) all.push_back(work.*item.count);
  return all;
}

TEST(Work, OfExplicitStepsIsTheForcesOfTheirSubsteps) {
  const StepReport report = second_step("explicit_fem", {{"substeps", 7LL}});
  EXPECT_EQ(counts(*report.work), (std::vector<std::int64_t>{0, 7 * kElements, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Work, OfOneLinearSolveIsItsMatrixAndItsProducts) {
  const StepReport warped = second_step("warped_fem", {});
  EXPECT_GT(warped.iterations, 0);
  EXPECT_EQ(counts(*warped.work),
            (std::vector<std::int64_t>{0, kElements, kElements, 0, warped.iterations, 0, 0, 0, 0}));
  const StepReport linear = second_step("linear_fem", {{"solver", word("direct")}});
  EXPECT_EQ(counts(*linear.work), (std::vector<std::int64_t>{0, kElements, 0, 0, 0, 1, 0, 0, 0}))
      << "a constant matrix";
}

TEST(Work, OfNewtonsMethodFollowsItsIterations) {
  for (const bool is_direct : {false, true}) {
    const StepReport report = second_step("implicit_fem", {{"solver", word(is_direct ? "direct" : "cg")}});
    const Work& work = *report.work;
    EXPECT_EQ(work.hessians, report.assemblies * kElements);
    EXPECT_GE(work.trials, report.solves);
    // Two starts are compared, and the chosen one is evaluated again where the iteration begins.
    EXPECT_EQ(work.energies, (work.trials + 3) * kElements);
    EXPECT_GE(work.gradients, (report.solves + 1) * kElements);
    EXPECT_EQ(work.products, is_direct ? 0 : report.iterations);
    EXPECT_EQ(work.factorisations, is_direct ? report.solves : 0);
    EXPECT_EQ(work.back_substitutions, work.factorisations);
  }
}

/// The whole of a Newton step from a squeezed, shaken start.
Work filtered_work(const char* hessian, bool is_quadratic = false) {
  Scene scene = hanging_block();
  if (is_quadratic) scene.tet_mesh = model::subdivide(scene.tet_mesh);
  scene.prescribed.clear();
  const double third = 0.3;
  scene.initial_positions = scene.tet_mesh.rest_positions * Vector3(third, 1.0, 1.0).asDiagonal();
  numerics::RandomStream random(4);
  for (Eigen::Index k = 0; k < scene.initial_positions.size(); ++k)
    scene.initial_positions.data()[k] += random.uniform(-0.02, 0.02);
  Settings settings{{"hessian", word(hessian)}, {"solver", word("direct")}};
  if (is_quadratic) settings["elements"] = word("quadratic");
  return *make("implicit_fem", scene, settings)->step().work;
}

TEST(Work, OfFiltersCountsTheElementsThatTheyMayChange) {
  EXPECT_EQ(filtered_work("exact").projections, 0);
  for (const char* all : {"projected", "absolute"}) {
    const Work work = filtered_work(all);
    EXPECT_EQ(work.projections, work.hessians) << all;
  }
  for (const bool is_quadratic : {false, true})
    for (const char* some : {"project_on_demand", "progressive"}) {
      const Work work = filtered_work(some, is_quadratic);
      EXPECT_GT(work.projections, 0) << some;
      EXPECT_LT(work.projections, work.hessians) << some;
      EXPECT_EQ(work.projections % (is_quadratic ? 8 : 1), 0) << some;
    }
}

TEST(Work, OfBlockDescentIsTheFreeCornersOfItsSweeps) {
  const StepReport report = second_step("vbd", {{"iterations", 11LL}});
  const Scene scene = hanging_block();
  std::int64_t free = 0;
  for (Eigen::Index k = 0; k < scene.tet_mesh.tetrahedra.size(); ++k)
    free += !std::ranges::count(scene.prescribed[0].vertices, scene.tet_mesh.tetrahedra.data()[k]);
  EXPECT_EQ(counts(*report.work),
            (std::vector<std::int64_t>{0, 11 * free, 11 * free, 11 * (kVertices - kHeld), 0, 0, 0, 0, 0}));
  const auto searching = make("vbd", hanging_block(), {{"block_line_search", word("armijo")}});
  EXPECT_FALSE(searching->step().work.has_value());
}

TEST(Work, OfQuasiNewtonStepsHasOneFactorisedMatrixAndNoHessian) {
  const StepReport report = second_step("quasi_newton", {{"iterations", 6LL}});
  const Work& work = *report.work;
  EXPECT_EQ(work.hessians + work.factorisations + work.products + work.local_solves, 0);
  EXPECT_EQ(work.back_substitutions, 6);
  EXPECT_GE(work.trials, 6);
  EXPECT_EQ(work.energies, (work.trials + 1) * kElements);
  EXPECT_EQ(work.gradients, work.energies);
}

TEST(Work, OfCompliantTetrahedraIsTheSameInLanesAndOneByOne) {
  // Turned tetrahedra need more solves and shorter steps than one each.
  Scene scene = hanging_block();
  numerics::RandomStream random(4);
  scene.initial_positions = scene.tet_mesh.rest_positions;
  for (Eigen::Index k = 0; k < scene.initial_positions.size(); ++k)
    scene.initial_positions.data()[k] += random.uniform(-0.12, 0.12);
  for (const int v : scene.prescribed[0].vertices)
    scene.initial_positions.row(v) = scene.tet_mesh.rest_positions.row(v);
  for (const char* solve : {"newton", "coupled", "one_by_one"})
    for (const char* order : {"forward", "symmetric", "coloured"}) {
      Settings settings{{"solid_solve", word(solve)}, {"order", word(order)}, {"substeps", 1LL}, {"iterations", 3LL}};
      const Work lanes = *make("xpbd", scene, settings)->step().work;
      settings["execution"] = word("sequential");
      const Work single = *make("xpbd", scene, settings)->step().work;
      EXPECT_EQ(counts(lanes), counts(single)) << solve << ' ' << order;
      const std::int64_t visits = 3 * kElements * (std::string(order) == "symmetric" ? 2 : 1);
      EXPECT_EQ(lanes.gradients, visits);
      if (std::string(solve) != "newton") {
        EXPECT_EQ(lanes.local_solves, visits);
        continue;
      }
      EXPECT_GT(lanes.local_solves, visits) << "some are solved again";
      EXPECT_GT(lanes.trials, visits) << "some steps are shortened";
      EXPECT_EQ(lanes.energies, visits + lanes.trials);
    }
}

/// A square of four triangles about its middle: 8 edges, 4 of them inner.
Scene square_cloth() {
  Scene scene;
  scene.name = "cloth";
  scene.cloth.area_density = 0.1;
  scene.cloth.rest_positions.resize(5, 3);
  scene.cloth.rest_positions << 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0.5, 0, 0.5;
  scene.cloth.triangles.resize(4, 3);
  scene.cloth.triangles << 0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0;
  scene.gravity = {0, -9.81, 0};
  scene.time_step = 0.01;
  return scene;
}

TEST(Work, OfClothIsItsConstraintsInEverySweep) {
  const StepReport report = make("pbd", square_cloth(), {{"iterations", 5LL}, {"order", word("forward")}})->step();
  const std::int64_t edges = 8, bends = 4;
  EXPECT_EQ(counts(*report.work),
            (std::vector<std::int64_t>{0, 5 * (edges + bends), 0, 5 * (edges + bends), 0, 0, 0, 0, 0}));
}

TEST(Work, OfClothByForcesIsTheElementsOfItsSubsteps) {
  const std::int64_t elements = 8 + 4;
  Settings settings{{"substeps", 3LL}, {"bend_stiffness_j", 0.1}};
  EXPECT_EQ(counts(*make("force_cloth", square_cloth(), settings)->step().work),
            (std::vector<std::int64_t>{0, 3 * elements, 0, 0, 0, 0, 0, 0, 0}));
  settings["strain_limit"] = 0.1;
  EXPECT_FALSE(make("force_cloth", square_cloth(), settings)->step().work.has_value());
  Scene swinging = square_cloth();
  swinging.initial_velocities = Points::Random(5, 3);
  const auto implicit =
      make("force_cloth", swinging, {{"substeps", 3LL}, {"bend_stiffness_j", 0.1}, {"scheme", word("implicit")}});
  const StepReport report = implicit->step();
  EXPECT_GT(report.iterations, 0);
  EXPECT_EQ(counts(*report.work),
            (std::vector<std::int64_t>{0, 3 * elements, 3 * elements, 0, report.iterations, 0, 0, 0, 0}));
}

TEST(Work, OfBaselinesIsThatOfTheMethodsBesideThem) {
  for (const char* id : {"naive_eigen", "reuse_eigen"})
    EXPECT_EQ(counts(*second_step(id, {{"cg_iterations", 7LL}}).work),
              (std::vector<std::int64_t>{0, kElements, kElements, 0, 7, 0, 0, 0, 0}))
        << id;
  EXPECT_EQ(counts(*make("naive_pbd", square_cloth(), {{"iterations", 5LL}})->step().work),
            counts(*make("pbd", square_cloth(), {{"iterations", 5LL}, {"order", word("forward")}})->step().work));
}

TEST(Work, OfNodesIsTheForcesOfTheirSubsteps) {
  for (const char* id : {"meshless", "naive_meshless"}) {
    const auto simulation = make(id, hanging_block(), {{"substeps", 4LL}});
    const std::int64_t nodes = simulation->state().positions.rows();
    EXPECT_EQ(simulation->step().work->gradients, 5 * nodes) << id << ", with those at the start";
    EXPECT_EQ(counts(*simulation->step().work), (std::vector<std::int64_t>{0, 4 * nodes, 0, 0, 0, 0, 0, 0, 0})) << id;
  }
}

TEST(Work, OfTheLastWatchedIterationIsThatOfTheStep) {
  for (const char* id : {"implicit_fem", "vbd", "quasi_newton", "xpbd"}) {
    const auto simulation = make(id, hanging_block(), {});
    IterationLog log;
    auto& facet = dynamic_cast<IterationFacet&>(*simulation);
    facet.watch_iterations(&log);
    log.begin_step();
    const StepReport report = simulation->step();
    facet.watch_iterations(nullptr);
    ASSERT_TRUE(log.rows().back().work.has_value()) << id;
    EXPECT_EQ(counts(*log.rows().back().work), counts(*report.work)) << id;
    for (std::size_t k = 1; k < log.rows().size(); ++k)
      EXPECT_GE(log.rows()[k].work->gradients, log.rows()[k - 1].work->gradients) << id;
  }
}

}  // namespace
}  // namespace deformbench
