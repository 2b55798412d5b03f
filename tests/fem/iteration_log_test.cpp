// SPDX-License-Identifier: BSD-3-Clause
// What a watched step says of its iterations, against the same numbers formed by hand; and that watching changes
// nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/fem_fixture.hpp"
#include "tests/numerics/textbook_iterate.hpp"

namespace deformbench::fem {
namespace {

constexpr auto kObjective = IterationQuantity::Objective;
constexpr auto kGradient = IterationQuantity::GradientNorm;
constexpr auto kLinear = IterationQuantity::LinearIterations;

/// A shaken block with a root that is held, or moves, and a load on its last vertex.
Scene watched_block(double young_modulus, double root_moves_by = 0.0) {
  numerics::RandomStream random(71);
  Scene scene = block_scene({4, 2, 2});
  scene.materials[0].young_modulus = young_modulus;
  scene.gravity = {0, -9.81, 0};
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.004, random);
  scene.initial_velocities = shaken(Points::Zero(scene.tet_mesh.vertex_count(), 3), 0.5, random);
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed[0].translation = {0, root_moves_by, 0};
  scene.prescribed[0].ramp = {0.0, 0.1};
  for (const int v : scene.prescribed[0].vertices) {
    scene.initial_positions.row(v) = scene.tet_mesh.rest_positions.row(v);
    scene.initial_velocities.row(v).setZero();
  }
  scene.point_loads = {{int(scene.tet_mesh.vertex_count()) - 1, Vector3(2, 1, -3), {0.0, 0.05}}};
  return scene;
}

struct WatchedStep {
  std::vector<Iteration> rows;
  StepReport report;
};

IterationFacet& iteration_facet(Simulation& simulation) {
  return dynamic_cast<IterationFacet&>(simulation);
}

WatchedStep watched_step(Simulation& simulation) {
  IterationLog log;
  iteration_facet(simulation).watch_iterations(&log);
  log.begin_step();
  const StepReport report = simulation.step();
  iteration_facet(simulation).watch_iterations(nullptr);
  return {log.rows(), report};
}

/// Free components, in the order of the mesh.
std::vector<Eigen::Index> free_components(const Scene& scene) {
  std::vector<bool> is_held(std::size_t(3 * scene.tet_mesh.vertex_count()), false);
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices)
      for (std::size_t c = 0; c < 3; ++c) is_held[std::size_t(3 * v) + c] = true;
  std::vector<Eigen::Index> free;
  for (std::size_t k = 0; k < is_held.size(); ++k)
    if (!is_held[k]) free.push_back(Eigen::Index(k));
  return free;
}

TEST(IterationLog, OfConjugateGradientsIsThatOfTheTextbook) {
  // q_k = ½ vᵀAv − bᵀv and |Av − b|/Δt of the k-th iterate of textbook CG with the matrix of the facet: a
  // preconditioner D is CG on D^{-1/2} A D^{-1/2}. The rounding of CG's coefficients grows with k.
  const Scene scene = watched_block(1e5);
  const double dt = scene.time_step;
  const auto free = free_components(scene);
  for (const char* id : {"linear_fem", "warped_fem"})
    for (const char* preconditioner : {"none", "mass", "jacobi"})
      for (const int threads : {1, 2}) {
        const auto simulation =
            make(id, scene, {{"cg_preconditioner", std::string(preconditioner)}, {"cg_start", std::string("velocity")}},
                 threads);
        const Eigen::MatrixXd a(facet_of<SystemOperatorFacet>(*simulation).system_matrix(scene.initial_positions));
        const Eigen::VectorXd masses = simulation->state().masses;
        const Points f = facet_of<ElasticityFacet>(*simulation).elastic_forces(scene.initial_positions) +
                         external_forces(scene, masses, dt);
        Eigen::VectorXd b(a.rows()), start(a.rows()), d = Eigen::VectorXd::Ones(a.rows());
        for (Eigen::Index k = 0; k < a.rows(); ++k) {
          const Eigen::Index n = free[std::size_t(k)];
          start[k] = flat(scene.initial_velocities)[n];
          b[k] = masses[n / 3] * start[k] + dt * flat(f)[n];
          if (std::string(preconditioner) == "mass") d[k] = masses[n / 3];
          if (std::string(preconditioner) == "jacobi") d[k] = a(k, k);
        }
        const Eigen::VectorXd root = d.cwiseSqrt(), inverse = root.cwiseInverse();
        const Eigen::MatrixXd scaled = inverse.asDiagonal() * a * inverse.asDiagonal();

        const auto [rows, report] = watched_step(*simulation);
        ASSERT_EQ(int(rows.size()), report.iterations + 1);
        EXPECT_GT(rows.size(), 30u);
        const Eigen::VectorXd solution = numerics::solve_symmetric(a, b);
        const double least = -0.5 * b.dot(solution), drop = rows[0][kObjective] - least;
        ASSERT_GT(drop, 0.0);
        double last = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < rows.size(); ++k) {
          EXPECT_EQ(rows[k].kind, IterationKind::ConjugateGradient);
          EXPECT_EQ(rows[k].iteration, int(k));
          EXPECT_EQ(rows[k][kLinear], double(k));
          // CG lowers q in every iteration, until it is at rounding of its least value.
          EXPECT_LT(rows[k][kObjective], last + 1e-14 * std::abs(least)) << k;
          EXPECT_GT(rows[k][kObjective], least - 1e-13 * std::abs(least)) << k;
          last = rows[k][kObjective];
          if (k > 20) continue;
          const Eigen::VectorXd v = inverse.cwiseProduct(
              numerics::textbook_iterate(scaled, inverse.cwiseProduct(b), root.cwiseProduct(start), int(k)));
          EXPECT_NEAR(rows[k][kObjective], 0.5 * v.dot(a * v) - b.dot(v), 1e-9 * drop) << id << preconditioner << k;
          const double gradient = (a * v - b).norm() / dt;
          EXPECT_NEAR(rows[k][kGradient], gradient, 1e-7 * gradient) << id << preconditioner << k;
        }
        EXPECT_NEAR(last, least, 1e-12 * drop);
        // What the step reports of its last iterate is what the log says of it.
        EXPECT_NEAR(dt * rows.back()[kGradient] / b.norm(), report.residual, 1e-3 * report.residual + 1e-14);
      }
}

TEST(IterationLog, OfSinglePrecisionIsThatOfTheNumbersTheSolverHas) {
  const auto simulation = make("warped_fem", watched_block(1e5), {{"precision", std::string("float")}});
  const auto [rows, report] = watched_step(*simulation);
  ASSERT_EQ(int(rows.size()), report.iterations + 1);
  for (std::size_t k = 1; k < rows.size(); ++k)
    EXPECT_LT(rows[k][kObjective], rows[k - 1][kObjective] + 1e-6 * (rows[0][kObjective] - rows.back()[kObjective]));
  EXPECT_LT(rows.back()[kGradient], 1e-4 * rows[0][kGradient]);
}

TEST(IterationLog, WatchingChangesNoBit) {
  struct Case {
    const char* id;
    Settings settings;
    int threads;
  };
  const auto text = [](const char* word) { return ParameterValue(std::string(word)); };
  std::vector<Case> cases;
  for (const int threads : {1, 2}) {
    cases.push_back({"linear_fem", {}, threads});
    cases.push_back({"warped_fem", as_the_paper, threads});
    cases.push_back({"warped_fem", {{"cg_preconditioner", text("jacobi")}}, threads});
    cases.push_back({"warped_fem", {{"precision", text("float")}}, threads});
    cases.push_back({"implicit_fem", {}, threads});
    cases.push_back({"implicit_fem", {{"self_contact", text("barrier")}}, threads});
    cases.push_back({"implicit_fem", {{"newton_iterations", 2LL}, {"hessian", text("exact")}}, threads});
    cases.push_back({"implicit_fem", {{"scheme", text("bdf2")}, {"law", text("corotational")}}, threads});
    cases.push_back({"implicit_fem", {{"scheme", text("implicit_midpoint")}, {"solver", text("direct")}}, threads});
    cases.push_back({"invertible_fem", {{"scheme", text("implicit_euler")}}, threads});
  }
  const Scene scene = watched_block(3e4, 0.02);
  for (const Case& c : cases) {
    const auto watched = make(c.id, scene, c.settings, c.threads), alone = make(c.id, scene, c.settings, c.threads);
    for (int k = 0; k < 4; ++k) {
      const StepReport expected = alone->step();
      EXPECT_GT(watched_step(*watched).rows.size(), 1u);
      EXPECT_EQ(watched->step().iterations, alone->step().iterations);  // every other step
      EXPECT_EQ(watched->state().positions, alone->state().positions) << c.id << ' ' << c.threads << ' ' << k;
      EXPECT_EQ(watched->state().velocities, alone->state().velocities) << c.id << ' ' << c.threads << ' ' << k;
      EXPECT_EQ(expected.outcome, StepOutcome::Advanced);
    }
  }
}

/// E(z) of implicit Euler from z = x⁺, by the facets, and its gradient by central differences.
double euler_objective(const Simulation& simulation, const Scene& scene, const Points& z) {
  const double dt = scene.time_step;
  const Eigen::VectorXd masses = simulation.state().masses;
  const Points away = z - scene.initial_positions - dt * scene.initial_velocities;
  const Points loads = external_forces(scene, masses, dt);
  return 0.5 / (dt * dt) * (masses.asDiagonal() * away).cwiseProduct(away).sum() +
         facet_of<ElasticityFacet>(simulation).elastic_energy(z) -
         loads.cwiseProduct(z - scene.initial_positions).sum();
}

TEST(IterationLog, TheDecrementOfNewtonIsTheSlopeAlongItsStep) {
  Scene scene = watched_block(1e5);
  scene.time_step = 0.02;
  const Points& x = scene.initial_positions;
  for (const char* hessian : {"exact", "projected", "absolute"}) {
    const auto simulation = make("implicit_fem", scene,
                                 {{"newton_iterations", 1LL},
                                  {"hessian", std::string(hessian)},
                                  {"law", std::string("stable_neo_hookean")},
                                  {"solver", std::string("direct")}});
    const auto rows = watched_step(*simulation).rows;
    ASSERT_EQ(rows.size(), 2u);
    const Points step = simulation->state().positions - x;
    const double h = 1e-4;
    const double slope =
        (euler_objective(*simulation, scene, x + h * step) - euler_objective(*simulation, scene, x - h * step)) /
        (2 * h);
    EXPECT_NEAR(rows[0][IterationQuantity::NewtonDecrement], -slope, 1e-6 * std::abs(slope)) << hessian;
    EXPECT_TRUE(std::isnan(rows[1][IterationQuantity::NewtonDecrement]));
  }
}

TEST(IterationLog, OfNewtonIsTheObjectiveWithItsGradientByDifferences) {
  // After n iterations of full length z is where the body is: each n shows one iterate.
  Scene scene = watched_block(1e5);
  scene.time_step = 0.02;
  const auto free = free_components(scene);
  std::vector<Iteration> longest;
  for (const char* law : {"stable_neo_hookean", "corotational"})
    for (const long long n : {1LL, 2LL, 4LL}) {
      const auto simulation =
          make("implicit_fem", scene,
               {{"newton_iterations", n}, {"law", std::string(law)}, {"solver", std::string("direct")}});
      const auto rows = watched_step(*simulation).rows;
      ASSERT_EQ(rows.size(), std::size_t(n) + 1);
      const Points z = simulation->state().positions;
      const double expected = euler_objective(*simulation, scene, z);
      EXPECT_NEAR(rows.back()[kObjective], expected, 1e-12 * std::abs(rows[0][kObjective])) << law << n;
      EXPECT_NEAR(rows[0][kObjective], euler_objective(*simulation, scene, scene.initial_positions),
                  1e-12 * std::abs(rows[0][kObjective]));
      if (n > 1) continue;  // then the gradient is at rounding of the differences
      double square = 0.0;
      for (const Eigen::Index k : free) {
        Points there = z;
        const double step = 1e-6;
        there.data()[k] += step;
        double slope = euler_objective(*simulation, scene, there);
        there.data()[k] -= 2 * step;
        slope = (slope - euler_objective(*simulation, scene, there)) / (2 * step);
        square += slope * slope;
      }
      EXPECT_NEAR(rows.back()[kGradient], std::sqrt(square), 1e-4 * std::sqrt(square)) << law;
    }
}

TEST(IterationLog, OfNewtonFallsInEveryIterationOfALineSearch) {
  // A long step, from which full steps overshoot.
  Scene scene = watched_block(1e4);
  scene.time_step = 0.2;
  for (const char* law : {"stable_neo_hookean", "corotational", "neo_hookean", "st_venant_kirchhoff"}) {
    const auto simulation = make("implicit_fem", scene, {{"law", std::string(law)}});
    const auto [rows, report] = watched_step(*simulation);
    ASSERT_GT(rows.size(), 3u);
    EXPECT_EQ(rows.back()[kLinear], double(report.iterations));
    EXPECT_EQ(rows[0][kLinear], 0.0);
    for (std::size_t k = 1; k < rows.size(); ++k) {
      EXPECT_EQ(rows[k].iteration, int(k));
      EXPECT_GT(rows[k][kLinear], rows[k - 1][kLinear]);
      EXPECT_GE(rows[k].seconds, rows[k - 1].seconds);
      EXPECT_LT(rows[k][kObjective], rows[k - 1][kObjective] + 1e-13 * std::abs(rows[0][kObjective])) << law << k;
    }
    EXPECT_LT(rows[1][kObjective], rows[0][kObjective]);
    EXPECT_LT(rows.back()[kGradient], 1e-8 * rows[0][kGradient]);
  }
}

/// Slope of log g_{k+1} over log g_k, by least squares, of the gradients between 1e-11 and 0.1 of the first.
double order_of(const std::vector<Iteration>& rows) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const double before = rows[k - 1][kGradient] / rows[0][kGradient], after = rows[k][kGradient] / rows[0][kGradient];
    if (before > 0.1 || after < 1e-11) continue;
    const double a = std::log(before), b = std::log(after);
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  EXPECT_GE(n, 3.0);
  return (n * xy - x * y) / (n * xx - x * x);
}

TEST(IterationLog, ShowsTheOrderOfNewtonsMethod) {
  // With the exact Hessian the gradient falls as its square; where the linear solves stop half-way, in proportion.
  Scene scene = watched_block(1e5);
  scene.time_step = 0.05;
  const auto with = [](Settings more) {
    more["hessian"] = std::string("exact");
    more["newton_tolerance"] = 1e-15;
    more["on_unconverged"] = std::string("continue");
    return more;
  };
  const auto exact = watched_step(*make("implicit_fem", scene, with({{"solver", std::string("direct")}}))).rows;
  const auto half_way = watched_step(*make("implicit_fem", scene, with({{"cg_iterations", 8LL}}))).rows;
  EXPECT_GT(order_of(exact), 1.8);
  EXPECT_LT(order_of(exact), 2.2);
  EXPECT_GT(order_of(half_way), 0.8);
  EXPECT_LT(order_of(half_way), 1.2);
  EXPECT_GT(half_way.size(), 2 * exact.size());
}

TEST(IterationLog, IsRefusedByMethodsThatDoNotIterateOrMinimiseNothing) {
  using testing::HasSubstr;
  const Scene scene = watched_block(1e5);
  const auto refusal = [&](const char* id, const Settings& settings, IterationQuantity quantity) {
    const auto simulation = make(id, scene, settings);
    return iteration_facet(*simulation).iterations_have(quantity).reason;
  };
  EXPECT_THAT(refusal("warped_fem", {{"solver", std::string("direct")}}, kObjective), HasSubstr("factorisation"));
  EXPECT_THAT(refusal("vertex_warped_fem", {}, kObjective), HasSubstr("not symmetric"));
  EXPECT_THAT(refusal("explicit_fem", {}, kLinear), HasSubstr("does not iterate"));
  EXPECT_THAT(refusal("implicit_fem", {}, IterationQuantity::StretchViolationRms), HasSubstr("no stretch constraints"));
  EXPECT_EQ(refusal("implicit_fem", {{"solver", std::string("direct")}}, kObjective), "");
  for (const auto& [id, settings, iterates] : {std::tuple<const char*, Settings, bool>{"linear_fem", {}, true},
                                               {"linear_fem", {{"solver", std::string("direct")}}, false},
                                               {"vertex_warped_fem", {}, false},
                                               {"explicit_fem", {}, false},
                                               {"implicit_fem", {{"solver", std::string("direct")}}, true}}) {
    const auto simulation = make(id, scene, settings);
    EXPECT_EQ(iteration_facet(*simulation).iterates().supported, iterates) << id;
    EXPECT_EQ(watched_step(*simulation).rows.empty(), !iterates) << id;
  }
}

}  // namespace
}  // namespace deformbench::fem
