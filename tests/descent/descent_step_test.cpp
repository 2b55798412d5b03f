// SPDX-License-Identifier: BSD-3-Clause
// Steps of vbd: its minimiser against Newton's, what every sweep lowers, starts, acceleration, damping, obstacles.
#include "methods/descent/block_descent.hpp"
#include "methods/model/error.hpp"
#include "tests/descent/descent_fixture.hpp"

namespace deformbench::descent {
namespace {

constexpr auto kObjective = IterationQuantity::Objective;
constexpr auto kGradient = IterationQuantity::GradientNorm;

/// A bar that hangs from its end at x = 0 and is stretched by a few per cent.
Scene hanging_bar() {
  Scene scene = held_block(2e4, {5, 1, 1});
  scene.gravity = {9.81, 0, 0};
  scene.time_step = 0.02;
  return scene;
}

Settings converged(const char* law, double tolerance = 1e-11) {
  return {{"law", word(law)}, {"tolerance", tolerance}, {"iterations", 100000LL}};
}

TEST(DescentStep, HasTheMinimiserOfNewtonsMethod) {
  for (const char* law : {"stable_neo_hookean", "stable_neo_hookean_core", "st_venant_kirchhoff"})
    for (const char* order : {"index", "random", "coloured"}) {
      const Scene scene = hanging_bar();
      Settings settings = converged(law);
      settings["order"] = word(order);
      const Points found = after("vbd", scene, 8, settings);
      const Points newton = after("implicit_fem", scene, 8,
                                  {{"law", word(law)}, {"solver", word("direct")}, {"newton_tolerance", 1e-13}});
      const double travel = largest(newton - scene.rest_positions());
      EXPECT_GT(travel, 0.01);
      EXPECT_LT(largest(found - newton), 1e-6 * travel) << law << order;
    }
}

TEST(DescentStep, EverySweepOfTheCoreLawOrOfALineSearchLowersTheObjective) {
  struct Case {
    const char *law, *search;
  };
  for (const auto& [law, search] : {Case{"stable_neo_hookean_core", "none"}, Case{"stable_neo_hookean", "armijo"},
                                    Case{"stable_neo_hookean_core", "armijo"}, Case{"st_venant_kirchhoff", "armijo"}})
    for (const double damping : {0.0, 0.01})
      for (const double size : {0.005, 0.1}) {                         // m, the second tangled
        if (damping > 0.0 && std::string(search) == "none") continue;  // its potential is of fourth order
        Scene scene = held_block();
        scene.time_step = 0.05;
        scene.initial_positions = shaken(scene.rest_positions(), size, 8);
        for (const int v : scene.prescribed[0].vertices) scene.initial_positions.row(v) = scene.rest_positions().row(v);
        const auto simulation = make("vbd", scene,
                                     {{"law", word(law)},
                                      {"block_line_search", word(search)},
                                      {"stiffness_damping_s", damping},
                                      {"iterations", 60LL}});
        const auto rows = watched_step(*simulation);
        ASSERT_EQ(rows.size(), 61u);
        for (std::size_t k = 1; k < rows.size(); ++k)
          EXPECT_LE(rows[k][kObjective], rows[k - 1][kObjective] + 1e-12 * std::abs(rows[0][kObjective]))
              << law << search << damping << size << ' ' << k;
        EXPECT_LT(rows[60][kGradient], 0.1 * rows[0][kGradient]);
      }
}

TEST(DescentStep, LogsTheObjectiveAndItsGradient) {
  // By the facets at the positions after the step, and by differences.
  Scene scene = held_block();
  scene.time_step = 0.02;
  scene.initial_velocities = shaken(Points::Zero(scene.vertex_count(), 3), 0.3, 4);
  for (const int v : scene.prescribed[0].vertices) scene.initial_velocities.row(v).setZero();
  const auto simulation = make("vbd", scene, {{"iterations", 3LL}});
  const auto rows = watched_step(*simulation);
  ASSERT_EQ(rows.size(), 4u);
  const Eigen::VectorXd masses = simulation->state().masses;
  const Points loads = external_forces(scene, masses, scene.time_step), start = scene.start_positions();
  const auto value = [&](const Points& x) {
    const Points away = x - start - scene.time_step * scene.initial_velocities;
    return 0.5 / (scene.time_step * scene.time_step) * (masses.asDiagonal() * away).cwiseProduct(away).sum() +
           facet_of<ElasticityFacet>(*simulation).elastic_energy(x) - loads.cwiseProduct(x - start).sum();
  };
  const Points x = simulation->state().positions;
  EXPECT_NEAR(rows[3][kObjective], value(x), 1e-12 * std::abs(rows[0][kObjective]));
  double square = 0.0;
  const auto held = prescribed_components(scene);
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    if (held[std::size_t(k / 3)][std::size_t(k % 3)]) continue;
    Points there = x;
    there.data()[k] += 1e-6;
    double slope = value(there);
    there.data()[k] -= 2e-6;
    slope = (slope - value(there)) / 2e-6;
    square += slope * slope;
  }
  EXPECT_NEAR(rows[3][kGradient], std::sqrt(square), 1e-5 * std::sqrt(square));
  EXPECT_FALSE(dynamic_cast<IterationFacet&>(
                   *make("vbd", scene, {{"stiffness_damping_s", 0.01}, {"damping_form", word("as_printed")}}))
                   .iterations_have(kObjective)
                   .supported);
}

TEST(DescentStep, AFreeFallIsExactFromTheFirstStep) {
  Scene scene = held_block(1e7);
  scene.prescribed.clear();
  for (const long long substeps : {1LL, 3LL}) {
    const auto simulation = make("vbd", scene, {{"substeps", substeps}, {"iterations", 5LL}});
    for (int k = 1; k <= 20; ++k) {
      simulation->step();
      const Points velocities = simulation->state().velocities;
      Points expected = Points::Zero(velocities.rows(), 3);
      expected.rowwise() += k * scene.time_step * scene.gravity.transpose();
      // Δt E h ε/m of the rounded rest shape, 3e-12 m/s a step.
      EXPECT_LT(largest(velocities - expected), 1e-10) << k;
    }
    EXPECT_NEAR(simulation->state().time, 20 * scene.time_step, 1e-15);
  }
}

/// Positions and velocities after each of the last steps.
struct States {
  std::vector<Points> positions, velocities;
};

TEST(DescentStep, StartsAsThePaperDoes) {
  // [CLYY24] §3.7: where all blocks count as singular, a step ends where it starts.
  Scene scene = held_block();
  scene.initial_velocities = shaken(Points::Zero(scene.vertex_count(), 3), 0.3, 4);
  const auto start_of = [&](const char* guess) {
    return after(
        "vbd", scene, 1,
        {{"initial_guess", word(guess)}, {"singular_rule", word("as_printed")}, {"singular_threshold", 1e300}});
  };
  const double dt = scene.time_step;
  Points inertia = scene.rest_positions() + dt * scene.initial_velocities, fallen = inertia;
  fallen.rowwise() += dt * dt * scene.gravity.transpose();
  for (const int v : scene.prescribed[0].vertices) inertia.row(v) = fallen.row(v) = scene.rest_positions().row(v);
  EXPECT_LT(largest(start_of("previous") - scene.rest_positions()), 1e-15);
  EXPECT_LT(largest(start_of("inertia") - inertia), 1e-15);
  EXPECT_LT(largest(start_of("inertia_and_loads") - fallen), 1e-15);
  EXPECT_LT(largest(start_of("adaptive") - fallen), 1e-15);

  // Later each vertex starts with the share of gravity by which it fell: the objective at the start says where.
  const auto simulation = make("vbd", scene, {{"iterations", 30LL}});
  States states;
  for (int k = 0; k < 12; ++k) {
    states.positions.push_back(simulation->state().positions),
        states.velocities.push_back(simulation->state().velocities);
    const auto rows = watched_step(*simulation);
    if (k == 0) continue;
    const Points &x = states.positions.back(), &v = states.velocities.back();
    Points start = x + dt * v;
    int braked = 0, falling = 0;
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      const double fall = -(v(i, 1) - states.velocities[std::size_t(k) - 1](i, 1)) / dt;
      braked += fall <= 0.0, falling += fall >= 9.81;
      start(i, 1) -= dt * dt * std::clamp(fall, 0.0, 9.81);
    }
    EXPECT_GT(braked + falling, 0);
    for (const int i : scene.prescribed[0].vertices) start.row(i) = scene.rest_positions().row(i);
    const Eigen::VectorXd masses = simulation->state().masses;
    const Points away = start - x - dt * v, loads = external_forces(scene, masses, dt);
    const double expected = 0.5 / (dt * dt) * (masses.asDiagonal() * away).cwiseProduct(away).sum() +
                            facet_of<ElasticityFacet>(*simulation).elastic_energy(start) -
                            loads.cwiseProduct(start - x).sum();
    EXPECT_NEAR(rows[0][kObjective], expected, 1e-11 * std::abs(expected) + 1e-13) << k;
  }
}

TEST(DescentStep, AcceleratesByThePrintedRecurrence) {
  // [CLYY24] §3.8. From the plain sweeps S: x² = x⁰ + ω₂ (S S x⁰ − x⁰), x³ = x¹ + ω₃ (S x² − x¹); x¹ = S x⁰.
  const Scene scene = held_block();
  const auto run = [&](const Scene& from, long long sweeps, double radius) {
    return after("vbd", from, 1,
                 {{"initial_guess", word("previous")}, {"iterations", sweeps}, {"spectral_radius", radius}});
  };
  const double square = 0.81, omega2 = 2 / (2 - square);
  const Points x0 = scene.rest_positions(), x2 = x0 + omega2 * (run(scene, 2, 0.0) - x0);
  EXPECT_LT(largest(run(scene, 1, 0.9) - run(scene, 1, 0.0)), 1e-16);
  EXPECT_LT(largest(run(scene, 2, 0.9) - x2), 1e-15);

  // A stiff long step, which takes many sweeps.
  Scene stiff = held_block(3e6);
  const auto sweeps_to = [&](double radius, Points& end) {
    Settings settings = converged("stable_neo_hookean", 1e-9);
    settings["spectral_radius"] = radius;
    const auto simulation = make("vbd", stiff, settings);
    const StepReport report = simulation->step();
    EXPECT_TRUE(report.converged.value_or(false));
    end = simulation->state().positions;
    return report.iterations;
  };
  Points plain, accelerated;
  const int slow = sweeps_to(0.0, plain), fast = sweeps_to(0.95, accelerated);
  EXPECT_GT(slow, 100);
  EXPECT_LT(fast, 0.7 * slow);
  EXPECT_LT(largest(plain - accelerated), 1e-6 * largest(plain - stiff.rest_positions()));
}

TEST(DescentStep, RelaxationStretchesTheMoveOfAVertexAndSavesSweeps) {
  Scene one = held_block();  // all but a vertex of the middle are held
  one.prescribed[0].vertices.clear();
  for (int v = 0; v < one.vertex_count(); ++v)
    if (v != one.vertex_count() / 2) one.prescribed[0].vertices.push_back(v);
  one.initial_positions = one.rest_positions();
  one.initial_positions.row(one.vertex_count() / 2) += Eigen::RowVector3d(0.01, -0.02, 0.015);
  const auto end = [&](double omega) {
    return after("vbd", one, 1, {{"iterations", 1LL}, {"initial_guess", word("previous")}, {"relaxation", omega}});
  };
  const Points start = one.initial_positions, full = end(1.0);
  for (const double omega : {0.3, 1.7})
    EXPECT_LT(largest(end(omega) - (start + omega * (full - start))), 1e-15) << omega;

  const Scene scene = held_block(3e6);
  const auto sweeps = [&](double omega) {
    const StepReport report =
        make("vbd", scene, {{"relaxation", omega}, {"tolerance", 1e-8}, {"iterations", 100000LL}})->step();
    EXPECT_TRUE(report.converged.value_or(false)) << omega;
    return report.iterations;
  };
  EXPECT_LT(sweeps(1.6), sweeps(1.0) / 2);
}

TEST(DescentStep, AStaticStepEndsWhereElasticForcesBearTheLoads) {
  Scene scene = held_block(1e6);
  scene.initial_velocities = shaken(Points::Zero(scene.vertex_count(), 3), 0.3, 4);  // statics has no inertia
  for (const int v : scene.prescribed[0].vertices) scene.initial_velocities.row(v).setZero();
  const auto held = prescribed_components(scene);
  int sweeps[2] = {};
  for (const auto& [law, search, relaxation] : {std::tuple{"stable_neo_hookean", "none", 1.0},
                                                {"stable_neo_hookean", "none", 1.6},
                                                {"st_venant_kirchhoff", "armijo", 1.0}}) {
    const auto simulation = make("vbd", scene,
                                 {{"law", word(law)},
                                  {"scheme", word("static")},
                                  {"initial_guess", word("previous")},
                                  {"iterations", 100000LL},
                                  {"tolerance", 1e-11},
                                  {"relaxation", relaxation},
                                  {"block_line_search", word(search)}});
    const StepReport report = simulation->step();
    EXPECT_TRUE(report.converged.value_or(false)) << law;
    if (search == std::string("none")) sweeps[relaxation > 1.0] = report.iterations;
    const Points x = simulation->state().positions;
    Points left = facet_of<ElasticityFacet>(*simulation).elastic_forces(x) +
                  external_forces(scene, simulation->state().masses, scene.time_step);
    for (Eigen::Index k = 0; k < left.size(); ++k)
      if (held[std::size_t(k / 3)][std::size_t(k % 3)]) left.data()[k] = 0.0;
    const double weight = 9.81 * simulation->state().masses.sum();
    EXPECT_LT(left.norm(), 1e-7 * weight) << law << ' ' << relaxation;
    EXPECT_LT(x.row(x.rows() - 1)[1], scene.tet_mesh.rest_positions.row(x.rows() - 1)[1] - 1e-4);  // it sags
  }
  EXPECT_LT(2 * sweeps[1], sweeps[0]);
}

TEST(DescentStep, ReportsItsToleranceAndFailsWhereItIsMissed) {
  Settings settings = converged("stable_neo_hookean", 1e-8);
  const StepReport report = make("vbd", held_block(), settings)->step();
  EXPECT_TRUE(report.converged.value());
  EXPECT_LE(report.residual, 1e-8);
  EXPECT_EQ(report.tolerance, 1e-8);
  settings["iterations"] = 2LL;
  const StepReport missed = make("vbd", held_block(), settings)->step();
  EXPECT_FALSE(missed.converged.value());
  EXPECT_FALSE(missed.may_miss_tolerance);
  EXPECT_EQ(missed.iterations, 2);
  settings["on_unconverged"] = word("continue");
  EXPECT_TRUE(make("vbd", held_block(), settings)->step().may_miss_tolerance);
  EXPECT_FALSE(make("vbd", held_block())->step().converged.has_value());
  // At rest the terms are rounding: as far as that allows.
  Scene resting = held_block();
  resting.gravity.setZero();
  const StepReport still = make("vbd", resting, converged("stable_neo_hookean"))->step();
  EXPECT_TRUE(still.converged.value());
  EXPECT_LT(still.iterations, 10);
}

TEST(DescentStep, CountsTheBlocksThatItSkips) {
  Scene scene = held_block();
  const auto skipped = [&](double threshold, const char* rule) {
    const auto simulation =
        make("vbd", scene, {{"iterations", 7LL}, {"singular_threshold", threshold}, {"singular_rule", word(rule)}});
    simulation->step();
    const auto events = facet_of<EventsFacet>(*simulation).step_events();
    return events.empty() ? 0LL : (long long)(events[0].code);
  };
  const long long free = scene.vertex_count() - (long long)(scene.prescribed[0].vertices.size());
  EXPECT_EQ(skipped(1e-30, "corrected"), 0);
  EXPECT_EQ(skipped(1e300, "as_printed"), 7 * free);
  // det H ≤ (tr H/3)³: threshold 1 skips all, and the printed rule all or none as the unit of mass is chosen.
  EXPECT_EQ(skipped(1.0, "corrected"), 7 * free);
  EXPECT_EQ(skipped(1e3, "as_printed"), 0);
  for (auto& material : scene.materials) material.density *= 1e-6, material.young_modulus *= 1e-6;
  EXPECT_EQ(skipped(1e3, "as_printed"), 7 * free);
  EXPECT_EQ(skipped(1e-30, "corrected"), 0);
}

/// [CLYY24] §3.3, of a tetrahedron with one free corner: a linear oscillator of three modes, for small motions.
TEST(DescentStep, DampsLikeTheStiffness) {
  Scene scene;
  scene.name = "corner";
  scene.tet_mesh.rest_positions.resize(4, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 0.11, 0.01, 0, 0.02, 0.1, 0.01, 0, 0.02, 0.12;
  scene.tet_mesh.tetrahedra.resize(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  scene.materials = {model::Material{}};
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {1, 2, 3};
  const Points rest = scene.rest_positions();
  const auto elastic = make("implicit_fem", scene);
  const Eigen::MatrixXd stiffness = facet_of<SystemOperatorFacet>(*elastic).stiffness_matrix(rest);
  const double mass = elastic->state().masses[0], damping = 2e-3;
  const Eigen::SelfAdjointEigenSolver<Matrix3> modes(stiffness.topLeftCorner<3, 3>() / mass);
  scene.time_step = 0.3 / std::sqrt(modes.eigenvalues()[2]);
  const double dt = scene.time_step;
  for (const char* form : {"corrected", "as_printed"})
    for (const int mode : {0, 2}) {
      scene.initial_positions = rest;
      scene.initial_positions.row(0) += 1e-7 * modes.eigenvectors().col(mode).transpose();
      Settings settings{{"stiffness_damping_s", damping}, {"damping_form", word(form)}, {"iterations", 40LL}};
      const auto simulation = make("vbd", scene, settings);
      std::vector<double> q;
      for (int k = 0; k < 6; ++k, simulation->step())
        q.push_back((simulation->state().positions.row(0) - rest.row(0)) * modes.eigenvectors().col(mode));
      // (1 + ω²Δt² + k_d ω² Δt) q⁺ − (2 + k_d ω² Δt) q + q⁻ = 0: the product of the two roots.
      const double square = modes.eigenvalues()[mode], product = 1 / (1 + square * dt * (dt + damping));
      EXPECT_NEAR((q[5] * q[3] - q[4] * q[4]) / (q[4] * q[2] - q[3] * q[3]), product, 2e-5) << form << mode;
    }
}

TEST(DescentStep, OnlyThePrintedDampingBrakesAFall) {
  Scene scene = held_block();
  scene.prescribed.clear();
  const auto speed = [&](const char* form) {
    const auto simulation = make("vbd", scene, {{"stiffness_damping_s", 0.01}, {"damping_form", word(form)}});
    for (int k = 0; k < 20; ++k) simulation->step();
    const StateView state = simulation->state();
    return Vector3(state.velocities.transpose() * state.masses / state.masses.sum()).norm() / (20 * 0.01 * 9.81);
  };
  EXPECT_NEAR(speed("corrected"), 1.0, 1e-10);
  EXPECT_LT(speed("as_printed"), 0.2);
}

TEST(DescentStep, SinksIntoAPlaneByTheStatedDepth) {
  // κ times depth/d̂ is a pressure: at rest its sum over the surface is the weight.
  Scene scene = held_block(1e5, {2, 2, 2});
  scene.prescribed.clear();
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.0}};
  scene.tet_mesh.rest_positions =
      model::make_block({2, 2, 2}, Vector3::Zero(), Vector3::Constant(0.2), model::BlockSplit::AlternatingFive)
          .rest_positions;
  const double reach = 1e-3, kappa = 2e5;
  const auto simulation =
      make("vbd", scene, {{"contact_distance_m", reach}, {"contact_stiffness_pa", kappa}, {"iterations", 200LL}});
  for (int k = 0; k < 400; ++k) ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
  const StateView state = simulation->state();
  double depth = 0.0;
  for (Eigen::Index i = 0; i < state.positions.rows(); ++i) depth = std::max(depth, -state.positions(i, 1));
  const double pressure = state.masses.sum() * 9.81 / (0.2 * 0.2);
  EXPECT_GT(depth, 0.5 * reach * pressure / kappa);
  EXPECT_LT(depth, 2.5 * reach * pressure / kappa);
  EXPECT_LT(largest(Points(state.velocities)), 1e-6);
}

TEST(DescentStep, KeepsPrescribedAndRollingComponentsExactly) {
  Scene scene = held_block();
  scene.prescribed[0].components = {true, false, true};
  scene.prescribed[0].translation = {0.02, 0.0, 0.01};
  scene.prescribed[0].ramp = {0.0, 0.1};
  const auto simulation = make("vbd", scene);
  for (int k = 0; k < 20; ++k) simulation->step();
  const Points end = simulation->state().positions;
  for (const int v : scene.prescribed[0].vertices) {
    EXPECT_EQ(end(v, 0), scene.rest_positions()(v, 0) + 0.02);
    EXPECT_EQ(end(v, 2), scene.rest_positions()(v, 2) + 0.01);
    EXPECT_LT(end(v, 1), scene.rest_positions()(v, 1) - 1e-3);
  }
}

TEST(DescentStep, RefusesInOneLine) {
  Registry registry;
  register_descent(registry);
  const MethodDescriptor& vbd = registry.at("vbd");
  const auto reason = [&](const Scene& scene, const Settings& settings) {
    return vbd.supports(scene, Parameters(vbd.parameters, settings, "vbd")).reason;
  };
  EXPECT_EQ(reason(held_block(), {}), "");
  EXPECT_THAT(
      reason(held_block(), {{"tolerance", 1e-6}, {"stiffness_damping_s", 0.1}, {"damping_form", word("as_printed")}}),
      testing::HasSubstr("as_printed"));
  EXPECT_THAT(reason(held_block(), {{"relaxation", 1.5}, {"block_line_search", word("armijo")}}),
              testing::HasSubstr("relaxation"));
  Scene free = held_block();
  free.prescribed.clear();
  EXPECT_THAT(reason(free, {{"scheme", word("static")}}), testing::HasSubstr("no equilibrium of its own"));
  Scene heated = held_block();
  heated.heat_sources.resize(1);
  EXPECT_THAT(reason(heated, {}), testing::HasSubstr("heat"));
  EXPECT_THAT(reason(Scene{}, {}), testing::HasSubstr("no tetrahedra"));
  for (const auto& bad : std::vector<Settings>{{{"iterations", 0LL}},
                                               {{"spectral_radius", 1.0}},
                                               {{"stiffness_damping_s", -1.0}},
                                               {{"law", word("neo_hookean")}},
                                               {{"singular_threshold", -1.0}},
                                               {{"tolerance", 2.0}}})
    EXPECT_THROW(Parameters(vbd.parameters, bad, "vbd"), InputError) << bad.begin()->first;
}

}  // namespace
}  // namespace deformbench::descent
