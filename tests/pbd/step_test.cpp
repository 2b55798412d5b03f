// SPDX-License-Identifier: BSD-3-Clause
// The step as a whole against closed forms: Verlet, stiffness, the dumbbell, orders, held vertices, repeatability.
#include <gtest/gtest.h>

#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

// PBD-02. [MHHR07] §3.1
TEST(Step, WithoutConstraintsIsVerlet) {
  numerics::RandomStream random(51);
  Scene scene = particle_scene(random_points(5, random), random_masses(5, random));
  scene.initial_velocities = random_points(5, random);
  scene.gravity = {0.3, -9.81, 0.1};
  const double dt = scene.time_step;
  Points before = scene.particles.rest_positions - dt * scene.initial_velocities, now = scene.particles.rest_positions;
  for (const char* id : {"pbd", "xpbd"}) {
    Points x0 = before, x1 = now;
    const auto simulation = make(id, scene);
    for (int k = 0; k < 100; ++k) {
      simulation->step();
      Points x2 = 2 * x1 - x0;
      x2.rowwise() += dt * dt * scene.gravity.transpose();
      x0 = x1, x1 = x2;
    }
    EXPECT_LT((simulation->state().positions - x1).cwiseAbs().maxCoeff(), 1e-12) << id;
  }
}

// PBD-02, with a constraint: Verlet whose current position is modified, as Jakobsen has it.
TEST(Step, WithAConstraintIsVerletWithModifiedPositions) {
  Scene scene = hanging_chain(1, 1.0, 2.0);
  scene.initial_velocities = Points::Zero(2, 3);
  scene.initial_velocities(1, 0) = 3.0;
  const double dt = scene.time_step;
  const auto simulation = make("pbd", scene, {{"iterations", 1LL}});
  Vector3 x0 = Vector3(0, -1, 0) - dt * Vector3(3, 0, 0), x1(0, -1, 0);
  for (int k = 0; k < 200; ++k) {
    simulation->step();
    const Vector3 x2 = (2 * x1 - x0 + dt * dt * scene.gravity).normalized();
    x0 = x1, x1 = x2;
    EXPECT_LT((simulation->state().positions.row(1).transpose() - x1).norm(), 1e-12);
  }
}

// PBD-12: one distance, no motion: what is left after a step. [MHHR07] §3.3
TEST(Step, LeavesOneMinusTheStiffnessWhateverTheIterations) {
  Points x(2, 3);
  x << 0, 0, 0, 1.5, 0, 0;
  for (const double k : {0.1, 0.5, 0.9, 1.0}) {
    for (const long long iterations : {1LL, 2LL, 4LL, 8LL, 16LL}) {
      Scene scene = particle_scene(x, Eigen::Vector2d(1, 3));
      scene.constraints = {distance_constraint(0, 1, 1.0, k)};
      const auto left = [&](const char* law) {
        const auto simulation =
            make("pbd", scene,
                 {{"order", std::string("forward")}, {"iterations", iterations}, {"stiffness_law", std::string(law)}});
        simulation->step();
        const PointsView p = simulation->state().positions;
        return ((p.row(1) - p.row(0)).norm() - 1.0) / 0.5;
      };
      EXPECT_NEAR(left("per_step"), 1 - k, 1e-14);
      EXPECT_NEAR(left("per_iteration"), std::pow(1 - k, double(iterations)), 1e-14);
    }
  }
}

/// Extension (m) of one link that carries 2 kg, after it has come to rest.
double hanging_extension(const std::string& id, double k_or_compliance, double dt, long long iterations,
                         const char* law) {
  Scene scene =
      id == "pbd" ? hanging_chain(1, 1.0, 2.0, k_or_compliance) : hanging_chain(1, 1.0, 2.0, 1.0, k_or_compliance);
  scene.time_step = dt;
  Settings settings = {{"iterations", iterations}, {"order", std::string("forward")}};
  if (id == "pbd") settings["stiffness_law"] = std::string(law);
  const auto simulation = make(id, scene, settings);
  for (int k = 0; k < 4000; ++k) simulation->step();
  return -simulation->state().positions(1, 1) - 1.0;
}

// PBD-13: (1 − k_t)/k_t g Δt², k_t what a step takes off; independent of the mass, dependent on Δt.
TEST(Step, HangingMassComesToRestWhereTheStiffnessAndTheTimeStepSay) {
  for (const double dt : {0.005, 0.01, 0.02}) {
    for (const double k : {0.1, 0.5, 0.9}) {
      EXPECT_NEAR(hanging_extension("pbd", k, dt, 4, "per_step"), (1 - k) / k * 9.81 * dt * dt, 1e-12);
      const double total = 1 - std::pow(1 - k, 4);
      EXPECT_NEAR(hanging_extension("pbd", k, dt, 4, "per_iteration"), (1 - total) / total * 9.81 * dt * dt, 1e-12);
    }
  }
  EXPECT_NEAR(hanging_extension("pbd", 0.5, 0.01, 1, "per_step"), 9.81e-4, 1e-12);
  EXPECT_NEAR(hanging_extension("pbd", 0.5, 0.01, 4, "per_iteration"), 6.54e-5, 1e-12);
}

// [MMC16]: α m g, whatever Δt and iterations.
TEST(Step, HangingMassOnAComplianceComesToRestWhereElasticityWants) {
  for (const double dt : {0.005, 0.01, 0.02})
    for (const long long iterations : {1LL, 4LL, 16LL})
      EXPECT_NEAR(hanging_extension("xpbd", 1e-3, dt, iterations, ""), 1e-3 * 2.0 * 9.81, 1e-12);
}

TEST(Step, MoreIterationsOnOneComplianceChangeNothing) {
  Points x(2, 3);
  x << 0, 0, 0, 1.5, 0, 0;
  Scene scene = particle_scene(x, Eigen::Vector2d(1, 3));
  scene.constraints = {distance_constraint(0, 1, 1.0, 1.0, 1e-4)};
  const auto after = [&](long long iterations) {
    const auto simulation = make("xpbd", scene, {{"iterations", iterations}});
    simulation->step();
    return Points(simulation->state().positions);
  };
  EXPECT_LT((after(1) - after(50)).norm(), 1e-14);
}

/// One vertex hangs on a held one, so that C is linear along the way: from C₀ an iteration with λ = 0 leaves
/// C₀ α̃/(w + α̃).
TEST(Step, ResetMultipliersHardenASpringWithEveryIteration) {
  constexpr double compliance = 2e-4, dt = 0.01, mass = 0.5;
  for (const bool is_cloth : {false, true})
    for (const char* execution : {"scheduled", "sequential"})
      for (const int iterations : {1, 2, 7}) {
        Scene scene = hanging_chain(1, 1.0, mass, 1.0, compliance);
        if (is_cloth) {  // two vertices held above one: its two edges are at right angles
          scene = {};
          scene.cloth.area_density = 3.0 * mass / 0.5;
          scene.cloth.rest_positions.resize(3, 3);
          scene.cloth.rest_positions << 0, 0, 0, 0, -1, 0, 1, -1, 0;
          scene.cloth.triangles.resize(1, 3);
          scene.cloth.triangles << 0, 1, 2;
          scene.prescribed.resize(1);
          scene.prescribed[0].vertices = {0, 2};
          scene.gravity = {0, -9.81, 0};
          scene.time_step = dt;
        }
        const auto simulation = make("xpbd", scene,
                                     {{"multipliers", std::string("reset")},
                                      {"iterations", static_cast<long long>(iterations)},
                                      {"order", std::string("forward")},
                                      {"execution", std::string(execution)},
                                      {"stretch_compliance_m_per_n", compliance}});
        simulation->step();
        const double scaled = compliance / (dt * dt), share = scaled / (1.0 / mass + scaled);
        const double fallen = 9.81 * dt * dt * std::pow(share, iterations);
        const Vector3 end = simulation->state().positions.row(1);
        // The edge across turns by 1e-3 and pulls along it by a share 1e-6 of the fall.
        EXPECT_NEAR(-1.0 - end.y(), fallen, (is_cloth ? 1e-5 : 1e-9) * fallen) << is_cloth << execution << iterations;
      }
}

// [MSL19] eq. 3, 6, §4, Fig. 3: the same number of projections buys more as substeps than as iterations.
TEST(Step, SubstepsStiffenAChainMoreThanIterations) {
  Scene scene = hanging_chain(20, 0.05, 0.1);
  const auto worst = [&](long long substeps, long long iterations) {
    const auto simulation = make("xpbd", scene, {{"substeps", substeps}, {"iterations", iterations}});
    for (int k = 0; k < 100; ++k) simulation->step();
    const PointsView p = simulation->state().positions;
    double most = 0.0;
    for (Eigen::Index i = 0; i < 20; ++i)
      most = std::max(most, std::abs((p.row(i + 1) - p.row(i)).norm() / 0.05 - 1.0));
    return most;
  };
  const double small_steps = worst(20, 1), iterations = worst(1, 20);
  EXPECT_LT(small_steps, 0.1 * iterations);
}

// [MSL19] eq. 1, 2, 7: n small steps are implicit Euler's with their own length: each leaves 1/(1 + ω²h²) of a mode's
// energy.
TEST(Step, SmallStepsDampAModeAsImplicitEulerWithTheirLengthDoes) {
  const double mass = 2.0, compliance = 1e-4, start = 0.1;
  Scene scene = hanging_chain(1, 1.0, mass, 1.0, compliance);
  scene.gravity.setZero();
  scene.initial_positions = scene.particles.rest_positions;
  scene.initial_positions(1, 1) -= start;
  for (const long long n : {1LL, 2LL, 8LL}) {
    const auto simulation = make("xpbd", scene, {{"substeps", n}, {"iterations", 1LL}});
    simulation->step();
    const double extension = -simulation->state().positions(1, 1) - 1.0, speed = simulation->state().velocities(1, 1);
    const double left = (extension * extension / compliance + mass * speed * speed) / (start * start / compliance);
    const double h = scene.time_step / double(n);
    EXPECT_NEAR(left, std::pow(1.0 + h * h / (compliance * mass), -double(n)), 1e-12) << n;
  }
}

/// Two unit masses one metre apart, turning with ω Δt = 0.05.
Scene dumbbell() {
  Points x(2, 3);
  x << -0.5, 0, 0, 0.5, 0, 0;
  Scene scene = particle_scene(x, Eigen::Vector2d(1, 1));
  scene.constraints = {distance_constraint(0, 1, 1.0)};
  scene.initial_velocities.resize(2, 3);
  scene.initial_velocities << 0, -0.5 * 5, 0, 0, 0.5 * 5, 0;
  return scene;
}

// B-PBD-5: tan φ' = sin φ/(2 − cos φ), L ∝ sin φ.
TEST(Step, DumbbellLosesTheAngularMomentumOfTheRecursion) {
  const auto simulation = make("pbd", dumbbell());
  const double initial = angular_momentum(*simulation).z();
  const std::map<int, double> printed = {{1, 0.99875}, {10, 0.97705}, {100, 0.81711}};
  double phi = std::atan(0.05), ratio = 1.0;
  for (int k = 1; k <= 1000; ++k) {
    simulation->step();
    ratio = angular_momentum(*simulation).z() / initial;
    EXPECT_NEAR(ratio, std::sin(phi) / 0.05, 1e-12) << k;
    if (printed.contains(k)) {
      EXPECT_NEAR(ratio, printed.at(k), 1e-5);
    }
    phi = std::atan2(std::sin(phi), 2 - std::cos(phi));
  }
  EXPECT_LT(linear_momentum(*simulation).norm(), 1e-12);
}

TEST(Step, DumbbellKeepsItWithGradientsAtTheStart) {
  for (const char* id : {"pbd", "xpbd"}) {
    const auto simulation = make(id, dumbbell(), {{"gradients_at", std::string("start")}});
    const Vector3 initial = angular_momentum(*simulation);
    for (int k = 0; k < 1000; ++k) simulation->step();
    EXPECT_LT((angular_momentum(*simulation) - initial).norm(), 1e-12 * initial.norm()) << id;
    const PointsView p = simulation->state().positions;
    EXPECT_NEAR((p.row(1) - p.row(0)).norm(), 1.0, 1e-10) << id;
  }
}

TEST(Step, AnyBodyKeepsTheAngularMomentumWithGradientsAtTheStart) {
  numerics::RandomStream random(52);
  const model::ClothMesh mesh = square_cloth(5, 0.1);
  for (const char* id : {"pbd", "xpbd"}) {
    Scene scene;
    scene.name = "cloth";
    scene.cloth = mesh;
    scene.initial_velocities = random_points(25, random, 0.3);
    const auto kept = make(id, scene, {{"gradients_at", std::string("start")}}), lost = make(id, scene);
    const Vector3 initial = angular_momentum(*kept);
    for (int k = 0; k < 50; ++k) {
      ASSERT_EQ(kept->step().outcome, StepOutcome::Advanced);
      lost->step();
    }
    EXPECT_LT((angular_momentum(*kept) - initial).norm(), 1e-11 * initial.norm()) << id;
    EXPECT_GT((angular_momentum(*lost) - initial).norm(), 1e-4 * initial.norm()) << id;
  }
}

/// Vertices moved after one sweep over a chain whose held end has been displaced by 0.1 m along it. PBD-05
std::vector<double> moved(const char* order) {
  Scene scene = hanging_chain(10, 1.0, 1.0);
  scene.gravity.setZero();
  scene.prescribed[0].translation = {0, 0.1, 0};
  const auto simulation =
      make("pbd", scene, {{"iterations", 1LL}, {"order", std::string(order)}, {"jacobi_average", false}});
  simulation->step();
  std::vector<double> way;
  for (int i = 1; i <= 10; ++i) way.push_back(simulation->state().positions(i, 1) + i);
  return way;
}

// [MHHR07] §3.2
TEST(Step, OneSweepForwardReachesTheWholeChainAndOthersItsFirstVertex) {
  const std::vector<double> forward = moved("forward");
  // Every link hands half of what it got on; the last vertex keeps it.
  for (int i = 1; i <= 10; ++i)
    EXPECT_NEAR(forward[std::size_t(i - 1)], 0.1 * std::pow(0.5, std::min(i, 9)), 1e-14) << i;
  for (const char* order : {"reverse", "jacobi"}) {
    const std::vector<double> way = moved(order);
    EXPECT_NEAR(way[0], 0.1, 1e-14) << order;
    for (std::size_t i = 1; i < way.size(); ++i) EXPECT_EQ(way[i], 0.0) << order;
  }
}

/// Lengths of a triangle that is to have 1, 1 and 3 m, after so many sweeps; none of three can be had.
Vector3 lengths(const char* order, long long sweeps) {
  Points x(3, 3);
  x << 0, 0, 0, 1, 0, 0, 0.4, 0.8, 0;
  Scene scene = particle_scene(x, Eigen::Vector3d::Ones());
  scene.constraints = {distance_constraint(0, 1, 1), distance_constraint(1, 2, 1), distance_constraint(2, 0, 3)};
  const auto simulation = make("pbd", scene, {{"iterations", sweeps}, {"order", std::string(order)}});
  simulation->step();
  const PointsView p = simulation->state().positions;
  return {(p.row(1) - p.row(0)).norm(), (p.row(2) - p.row(1)).norm(), (p.row(0) - p.row(2)).norm()};
}

// PBD-06: in a fixed order the cycle is a point, in random order it is not.
TEST(Step, OverconstrainedTriangleOscillatesInRandomOrderOnly) {
  const Vector3 fixed = lengths("forward", 1000);
  EXPECT_LT((fixed - Vector3(5.0 / 3, 4.0 / 3, 3.0)).norm(), 1e-9);
  Vector3 least = Vector3::Constant(1e9), most = Vector3::Zero();
  for (long long sweeps = 1000; sweeps < 1050; ++sweeps) {
    EXPECT_LT((lengths("forward", sweeps) - fixed).norm(), 1e-12);
    const Vector3 now = lengths("random", sweeps);
    least = least.cwiseMin(now), most = most.cwiseMax(now);
  }
  EXPECT_GT((most - least).minCoeff(), 0.3);
}

// PBD-18.
TEST(Step, HeldVerticesAreWhereTheyAreToBeBitForBit) {
  Scene scene;
  scene.name = "cloth";
  scene.cloth = square_cloth(4, 0.1);
  scene.gravity = {0, -9.81, 0};
  scene.prescribed.resize(2);
  scene.prescribed[0].vertices = {0};
  scene.prescribed[1].vertices = {3};
  scene.prescribed[1].translation = {0.1, 0.2, 0.05};
  scene.prescribed[1].ramp = {0.0, 0.1};
  for (const char* id : {"pbd", "xpbd"}) {
    for (const char* precision : {"double", "float"}) {
      const auto simulation = make(id, scene, {{"precision", std::string(precision)}, {"substeps", 2LL}});
      for (int k = 1; k <= 15; ++k) {
        simulation->step();
        const StateView state = simulation->state();
        EXPECT_EQ(Vector3(state.positions.row(0)), Vector3(scene.cloth.rest_positions.row(0)));
        // The time of the step is a sum of Δt, known to its rounding.
        const Vector3 target = scene.prescribed[1].position_at(0, scene.cloth.rest_positions.row(3), state.time);
        EXPECT_LT((Vector3(state.positions.row(3)) - target).norm(), 1e-15);
        EXPECT_EQ(Vector3(state.velocities.row(0)), Vector3::Zero());
        if (k > 1 && k < 10) {
          EXPECT_NEAR(state.velocities(3, 1), 2.0, 1e-9);
        }
      }
    }
  }
}

// A straight border that is held, and one free vertex: no motion of it changes the angle, C and its gradient are
// rounding.
TEST(Step, BendsAtAStraightHeldBorderMoveNothing) {
  Scene scene;
  scene.name = "held_border";
  const Matrix3 turn = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  scene.cloth.rest_positions.resize(4, 3);
  scene.cloth.rest_positions << 0, 0, 0, 0.013, -0.1, 0, -0.1, 0, 0, 0.13, 0, 0;
  scene.cloth.rest_positions = (scene.cloth.rest_positions * turn.transpose()).eval();
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 2, 1, 0, 1, 3;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 2, 3};
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.row(1) = 0.5 * turn.col(2).transpose();
  Settings without = {{"bend_stiffness", 0.0}, {"iterations", 20LL}}, with = without;
  with["bend_stiffness"] = 1.0;
  const auto bending = make("pbd", scene, with), free = make("pbd", scene, without);
  for (int k = 0; k < 200; ++k) {
    bending->step();
    free->step();
    EXPECT_EQ(Vector3(bending->state().positions.row(1)), Vector3(free->state().positions.row(1))) << k;
  }
}

TEST(Step, IsTheSameBitForBitWithTheSameSeed) {
  Scene scene;
  scene.name = "cloth";
  scene.cloth = square_cloth(6, 0.1);
  scene.gravity = {0, -9.81, 0};
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 5};
  scene.constraints = {distance_constraint(0, 7, 0.1), distance_constraint(7, 30, 0.3),
                       distance_constraint(2, 22, 0.2)};
  const auto end = [&](const char* order, std::uint64_t seed) {
    const auto simulation = make("pbd", scene, {{"order", std::string(order)}}, seed);
    for (int k = 0; k < 30; ++k) simulation->step();
    return Points(simulation->state().positions);
  };
  for (const char* order : {"forward", "reverse", "random", "jacobi", "symmetric", "coloured"})
    EXPECT_EQ(end(order, 1), end(order, 1)) << order;
  EXPECT_EQ(end("forward", 1), end("forward", 2));
  EXPECT_NE(end("random", 1), end("random", 2));
  EXPECT_NE(end("forward", 1), end("reverse", 1));
}

TEST(Step, PointLoadsMoveFreeVerticesOnly) {
  Scene scene = hanging_chain(1, 1.0, 2.0);
  scene.gravity.setZero();
  scene.constraints.clear();
  scene.point_loads = {{0, {4, 0, 0}, {}}, {1, {4, 0, 0}, {}}};
  const auto simulation = make("pbd", scene);
  simulation->step();
  EXPECT_EQ(simulation->state().positions(0, 0), 0.0);
  EXPECT_NEAR(simulation->state().velocities(1, 0), 4.0 / 2.0 * scene.time_step, 1e-15);
}

TEST(Step, SaysWhenItIsNoLongerFinite) {
  Scene scene = hanging_chain(2, 1.0, 1.0);
  scene.initial_velocities = Points::Constant(3, 3, 1e308);
  const auto simulation = make("pbd", scene);
  StepOutcome outcome = StepOutcome::Advanced;
  for (int k = 0; k < 300 && outcome == StepOutcome::Advanced; ++k) outcome = simulation->step().outcome;
  EXPECT_EQ(outcome, StepOutcome::Diverged);
}

TEST(Step, MassDampingSlowsAFreeFlightAsImplicitEulerDoesAndLeavesAFallItsLimit) {
  Scene scene = particle_scene(Points::Zero(1, 3), Eigen::VectorXd::Constant(1, 2.0), 0.01);
  scene.initial_velocities = Points::Zero(1, 3);
  scene.initial_velocities(0, 0) = 3.0;
  for (const char* id : {"pbd", "xpbd"}) {
    const auto flying = make(id, scene, {{"mass_damping_1_s", 4.0}});
    for (int k = 0; k < 10; ++k) flying->step();
    EXPECT_NEAR(flying->state().velocities(0, 0), 3.0 * std::pow(1.04, -10.0), 1e-12);
    Scene fall = scene;
    fall.gravity = {0, -9.81, 0};
    const auto falling = make(id, fall, {{"mass_damping_1_s", 4.0}});
    for (int k = 0; k < 2000; ++k) falling->step();
    EXPECT_NEAR(falling->state().velocities(0, 1), -9.81 * (1.0 + 0.04) / 4.0, 1e-9);  // v = v/(1 + αΔt) − g Δt
  }
}

}  // namespace
}  // namespace deformbench::pbd
