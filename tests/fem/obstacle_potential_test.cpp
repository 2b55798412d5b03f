// SPDX-License-Identifier: BSD-3-Clause
// Contact as a potential of the step [LFSLZPJK20]: slopes and curvature by differences, then bodies that land, rest,
// stick and slide, by what no step may do: enter an obstacle or gain energy.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/fem/body/obstacle_potential.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

model::RigidBody solid(model::ShapeKind kind, const Vector3& centre, double size) {
  model::RigidBody body;
  body.name = "solid";
  body.shape.kind = kind;
  body.shape.radius = size;
  body.shape.half_length = 0.1;
  body.shape.half_extents.setConstant(size);
  body.start.position = centre;
  return body;
}

/// A block of 0.1 m whose lowest vertices are `height` above the plane y = 0.
Scene block_above(double height, double young_modulus, double time_step, int cells = 3) {
  Scene scene = block_scene({cells, cells, cells}, 0.1 / cells, model::BlockSplit::KuhnSix);
  scene.materials[0].young_modulus = young_modulus;
  scene.initial_positions = scene.tet_mesh.rest_positions.rowwise() + Eigen::RowVector3d(0, height, 0);
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.0}};
  scene.gravity = -kGravity * Vector3::UnitY();
  scene.time_step = time_step;
  return scene;
}

/// Kinetic, elastic and gravitational energy.
double energy_of(const Simulation& simulation, const Vector3& gravity) {
  const StateView state = simulation.state();
  const Vector3 first_moment = state.positions.transpose() * state.masses;
  return 0.5 * (state.masses.asDiagonal() * state.velocities).cwiseProduct(state.velocities).sum() +
         facet_of<ElasticityFacet>(simulation).elastic_energy(state.positions) - gravity.dot(first_moment);
}

class ContactPotential : public testing::TestWithParam<std::tuple<model::ShapeKind, bool>> {};

TEST_P(ContactPotential, HasItsDerivativesAsForcesAndBlocks) {
  const auto [kind, is_penalty] = GetParam();
  Scene scene = block_above(0.0, 1e5, 0.01, 1);
  scene.colliders[0].friction = 0.4;
  scene.rigid_bodies = {solid(kind, {0.03, 0.16, 0.02}, 0.05)};  // 1 cm into the upper side
  scene.rigid_bodies[0].friction = 0.7;
  scene.rigid_bodies[0].velocity = {0.02, 0.0, -0.03};
  Body<double> body(scene, 1);
  body.state.begin_step();
  ObstaclePotential<double> barrier(
      body, {.is_penalty = is_penalty, .distance = 0.02, .stiffness = 1e4, .friction_speed = 0.05});
  numerics::RandomStream random(3, 1);
  numerics::AlignedVector<double> x = body.state.positions;
  barrier.begin_step(x);
  const auto shake = [&](double size) {
    for (std::size_t n = 0; n < x.size(); ++n)
      if (n % 4 < 3) x[n] += size * random.uniform();
  };
  shake(-1e-3);
  barrier.hold_friction(x);
  shake(3e-4);  // sliding by up to and beyond ε_v Δt = 5e-4
  numerics::AlignedVector<double> force(x.size(), 0.0), beyond(x.size()), before(x.size());
  std::vector<NodeBlock> blocks, unused;
  EXPECT_GT(barrier.add_forces(x, force, blocks), 0.0);
  ASSERT_FALSE(blocks.empty());
  double size = 0.0;
  for (const double number : force) size = std::max(size, std::abs(number));
  EXPECT_GT(size, 1e-3);
  constexpr double h = 1e-8;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (n % 4 == 3) continue;
    const double here = x[n];
    x[n] = here + h;
    const double more = barrier.energy(x);
    beyond.assign(x.size(), 0.0), barrier.add_forces(x, beyond, unused);
    x[n] = here - h;
    const double less = barrier.energy(x);
    before.assign(x.size(), 0.0), barrier.add_forces(x, before, unused);
    x[n] = here;
    EXPECT_NEAR(-(more - less) / (2 * h), force[n], 1e-5 * size);
    // Flat obstacles: the blocks are the whole curvature. They are less where a round body bends away.
    const bool is_flat = kind == model::ShapeKind::Box;
    for (const NodeBlock& block : blocks)
      for (std::size_t c = 0; c < 3 && is_flat && block.node == int(n / 4); ++c) {
        const std::size_t m = 4 * (n / 4) + c;
        EXPECT_NEAR(-(beyond[m] - before[m]) / (2 * h), block.block(Eigen::Index(c), Eigen::Index(n % 4)),
                    1e-4 * size / 1e-3);
      }
  }
  for (const NodeBlock& block : blocks)
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix3>(block.block).eigenvalues()[0], -1e-9 * size / 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ContactPotential,
                         testing::Combine(testing::Values(model::ShapeKind::Sphere, model::ShapeKind::Capsule,
                                                          model::ShapeKind::Box),
                                          testing::Bool()));

TEST(ObstaclePotential, DampingCurvesTheFrictionAlongTheSliding) {
  // Faster than it sticks, a vertex has the friction D' = μ λ whatever its sliding u, so that the curvature along u is
  // 0; the share `damping` of D'/|u| takes its place.
  Scene scene = block_above(0.0, 1e5, 0.01, 1);
  scene.colliders[0].friction = 0.4;
  Body<double> body(scene, 1);
  body.state.begin_step();
  ObstaclePotential<double> penalty(body,
                                    {.is_penalty = true, .distance = 0.02, .stiffness = 1e4, .friction_speed = 0.05});
  numerics::AlignedVector<double> x = body.state.positions;
  penalty.begin_step(x);
  for (std::size_t n = 1; n < x.size(); n += 4) x[n] -= 1e-3;
  penalty.hold_friction(x);
  const double u = 3 * 0.05 * 0.01;  // three times ε_v Δt
  for (std::size_t n = 0; n < x.size(); n += 4) x[n] += u;
  for (const double damping : {0.0, 0.25, 1.0}) {
    numerics::AlignedVector<double> force(x.size(), 0.0);
    std::vector<NodeBlock> blocks;
    penalty.add_forces(x, force, blocks, damping);
    ASSERT_EQ(blocks.size(), 4u);  // of the lower corners
    for (const NodeBlock& block : blocks) {
      const double friction = -force[4 * std::size_t(block.node)];
      EXPECT_GT(friction, 0.0);
      EXPECT_NEAR(block.block(0, 0), damping * friction / u, 1e-9 * friction / u);
    }
  }
}

struct Landing {
  double young_modulus, time_step;
  const char* scheme;
};

class BodyThatLands : public testing::TestWithParam<Landing> {};

TEST_P(BodyThatLands, NeverEntersThePlaneAndGainsNoEnergy) {
  const Landing& given = GetParam();
  Scene scene = block_above(0.1, given.young_modulus, given.time_step);
  scene.initial_positions *= Eigen::AngleAxisd(0.3, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  scene.initial_positions.col(1).array() += 0.1 - scene.initial_positions.col(1).minCoeff();
  for (const double friction : {0.0, 0.5}) {
    scene.colliders[0].friction = friction;
    const auto simulation = make("implicit_fem", scene,
                                 {{"scheme", std::string(given.scheme)}, {"law", std::string("stable_neo_hookean")}});
    const double supplied = energy_of(*simulation, scene.gravity);
    const double scale = simulation->state().masses.sum() * kGravity * 0.1;
    double highest = 0.0, last = supplied;
    for (int k = 0; k * given.time_step < 0.6; ++k) {
      ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced) << "step " << k;
      EXPECT_GT(simulation->state().positions.col(1).minCoeff(), 0.0) << "step " << k;
      last = energy_of(*simulation, scene.gravity);
      highest = std::max(highest, last - supplied);
    }
    // A convex step of implicit Euler loses energy; bodies bend, so that a thousandth of the fall is allowed.
    if (std::string(given.scheme) == "implicit_euler") {
      EXPECT_LT(highest, 1e-3 * scale) << friction;
      EXPECT_LT(last, supplied - 0.3 * scale) << friction;
    }
    EXPECT_LT(highest, 0.1 * scale) << friction;
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, BodyThatLands,
                         testing::Values(Landing{1e5, 0.001, "implicit_euler"}, Landing{1e5, 0.005, "implicit_euler"},
                                         Landing{1e5, 0.016, "implicit_euler"}, Landing{1e5, 0.1, "implicit_euler"},
                                         Landing{1e7, 0.005, "implicit_euler"}, Landing{1e3, 0.005, "implicit_euler"},
                                         Landing{1e5, 0.002, "bdf2"}, Landing{1e5, 0.002, "implicit_midpoint"}),
                         [](const auto& given) {
                           return std::string(given.param.scheme) + "_" +
                                  std::to_string(int(given.param.young_modulus)) + "_Pa_" +
                                  std::to_string(int(1e3 * given.param.time_step)) + "_ms";
                         });

TEST(ObstaclePotential, OneLinearSolveAndItsCorrectionsLandOnAPenaltyAsDeepAsPredicted) {
  for (const char* id : {"warped_fem", "vertex_warped_fem", "implicit_fem"})
    for (const double time_step : {0.001, 0.005, 0.016}) {
      Scene scene = block_above(0.05, 1e5, time_step);
      scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
      const auto simulation = make(id, scene,
                                   {{"contact_rule", std::string("penalty")},
                                    {"contact_stiffness_pa", 3e4},
                                    {"contact_distance_m", 2e-3},
                                    {"mass_damping_1_s", 20.0}});
      const double supplied = energy_of(*simulation, scene.gravity);
      const double scale = simulation->state().masses.sum() * kGravity * 0.05;
      for (int k = 0; k * time_step < 1.0; ++k) {
        ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced) << id << " step " << k;
        EXPECT_LT(energy_of(*simulation, scene.gravity), supplied + 1e-3 * scale) << id << " step " << k;
      }
      // At rest the pressure is ρ g H, but for the edges, whose shares of the surface hold those of the sides, too.
      double depth = 0.0, vertices = 0.0;
      for (Eigen::Index i = 0; i < scene.tet_mesh.rest_positions.rows(); ++i)
        if (scene.tet_mesh.rest_positions(i, 1) == 0.0) depth -= simulation->state().positions(i, 1), ++vertices;
      const double pressure = 1000.0 * kGravity * 0.1, predicted = 2e-3 * pressure / 3e4;
      EXPECT_LT(depth / vertices, predicted) << id << ", " << time_step;
      EXPECT_GT(depth / vertices, 0.5 * predicted) << id << ", " << time_step;
    }
}

TEST(ObstaclePotential, ABodyAtRestCarriesItsWeightAtAGapThatDoesNotDependOnTheMesh) {
  std::vector<double> gaps;
  for (const int cells : {2, 4}) {
    const Scene scene = block_above(1e-4, 1e5, 0.02, cells);  // d̂ is 1.7e-4 m
    const auto simulation = make("implicit_fem", scene, {{"mass_damping_1_s", 100.0}});
    Vector3 before = Vector3::Zero();
    for (int k = 0; k < 200; ++k) {
      before = momentum(*simulation);
      simulation->step();
    }
    const double weight = simulation->state().masses.sum() * kGravity;
    EXPECT_LT((momentum(*simulation) - before).norm() / scene.time_step, 1e-6 * weight) << cells;
    EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 1e-8) << cells;
    // The mean over the lower side, whose vertices are the first of each row.
    double sum = 0.0, area = 0.0;
    for (Eigen::Index i = 0; i < scene.tet_mesh.rest_positions.rows(); ++i)
      if (scene.tet_mesh.rest_positions(i, 1) == 0.0) sum += simulation->state().positions(i, 1), area += 1.0;
    gaps.push_back(sum / area);
  }
  EXPECT_GT(gaps[0], 0.0);
  EXPECT_NEAR(gaps[1], gaps[0], 0.1 * gaps[0]);
}

TEST(ObstaclePotential, AStartOnThePlaneIsNoPush) {
  // Touching, and 1 cm inside: nothing is thrown up, and nothing sinks by more than d̂.
  for (const double height : {0.0, -0.01}) {
    const Scene scene = block_above(height, 1e5, 0.005);
    const auto simulation = make("implicit_fem", scene);
    const double supplied = energy_of(*simulation, scene.gravity);
    for (int k = 0; k < 100; ++k) {
      simulation->step();
      EXPECT_LT(energy_of(*simulation, scene.gravity), supplied + 1e-9) << k;
      EXPECT_GT(simulation->state().positions.col(1).minCoeff(), height - 1.8e-4) << k;
    }
  }
}

TEST(ObstaclePotential, WhatBeganInsideIsKeptOutOnceItHasLeft) {
  Scene scene = block_above(-0.01, 1e5, 0.005);
  scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
  scene.initial_velocities.col(1).setConstant(1.0);  // 5 cm up, and back
  const auto simulation = make("implicit_fem", scene);
  for (int k = 0; k < 15; ++k) simulation->step();
  EXPECT_GT(simulation->state().positions.col(1).minCoeff(), 0.02);
  for (int k = 0; k < 100; ++k) {
    simulation->step();
    EXPECT_GT(simulation->state().positions.col(1).minCoeff(), 0.0) << k;
  }
}

TEST(ObstaclePotential, ASlopeHoldsUpToTheAngleOfFriction) {
  // tan of the slope 1 % below and above μ = 0.5. The start is a small fall through the barrier, in which the block
  // shears and slides a little; from then on it obeys Coulomb's law, until it sticks.
  for (const double ratio : {0.99, 1.01, 1.6}) {
    Scene scene = block_above(0.0, 1e6, 0.002, 2);
    const double angle = std::atan(0.5 * ratio);
    scene.gravity = kGravity * Vector3(std::sin(angle), -std::cos(angle), 0);
    scene.colliders[0].friction = 0.5;
    const auto simulation = make("implicit_fem", scene);
    const auto speed_after = [&](int steps) {
      for (int k = 0; k < steps; ++k) simulation->step();
      return momentum(*simulation)[0] / simulation->state().masses.sum();
    };
    const double sliding = kGravity * (std::sin(angle) - 0.5 * std::cos(angle));  // acceleration
    const double first = speed_after(40), gained = speed_after(20) - first;
    EXPECT_NEAR(gained / (20 * scene.time_step), sliding, 0.002 * 0.5 * kGravity * std::cos(angle)) << ratio;
    const double creep = 1e-3 * std::sqrt(3.0) * 0.1;  // ε_v
    const double last = speed_after(200);
    if (ratio < 1.0) {
      EXPECT_LT(std::abs(last), creep) << ratio;
    } else {
      EXPECT_NEAR(last, first + 220 * scene.time_step * sliding, 0.002 * kGravity * 220 * scene.time_step) << ratio;
    }
  }
}

TEST(ObstaclePotential, WhatMovesFasterThanTheStepCanSeePushesTheBodyAheadOfIt) {
  for (const auto kind : {model::ShapeKind::Sphere, model::ShapeKind::Capsule, model::ShapeKind::Box}) {
    Scene scene = block_above(0.05, 1e5, 0.01, 2);
    scene.gravity.setZero();
    scene.rigid_bodies = {solid(kind, {0.05, 0.10, -0.15}, 0.06)};
    scene.rigid_bodies[0].velocity = {0, 0, 5.0};  // 5 cm per step
    for (const char* scheme : {"implicit_euler", "implicit_midpoint"}) {
      const auto simulation = make("invertible_fem", scene,
                                   {{"scheme", std::string(scheme)},
                                    {"law", std::string("invertible_corotational")},
                                    {"newton_max_iterations", 500LL}});
      for (int k = 0; k < 20; ++k) {
        ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced) << k;
        const model::Pose pose = scene.rigid_bodies[0].pose_at(simulation->state().time);
        Vector3 closest, normal;
        for (Eigen::Index i = 0; i < simulation->state().positions.rows(); ++i)
          EXPECT_GT(
              model::signed_distance(scene.rigid_bodies[0].shape,
                                     simulation->state().positions.row(i).transpose() - pose.position, closest, normal),
              0.0)
              << scheme << " step " << k;
      }
      EXPECT_GT(momentum(*simulation)[2], 0.0);
    }
  }
}

TEST(ObstaclePotential, AFixedNumberOfNewtonIterationsLeavesTheSlidingAsItIs) {
  // Contact acts after the solve: a shortened Newton step would take momentum from the whole body.
  Scene scene = block_above(0.02, 1e5, 0.005);
  scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
  scene.initial_velocities.col(0).setConstant(3.0);
  const auto simulation = make("implicit_fem", scene, {{"newton_iterations", 1LL}});
  const double start = momentum(*simulation)[0];
  for (int k = 0; k < 100; ++k) {
    simulation->step();
    ASSERT_GE(simulation->state().positions.col(1).minCoeff(), -1e-12) << k;
    ASSERT_NEAR(momentum(*simulation)[0], start, 1e-9 * start) << k;
  }
}

TEST(ObstaclePotential, AHardImpactWithFrictionConverges) {
  // At the pressure ρ c v of a plane impact, 1.2e5 Pa, a vertex sinks by d̂ p/κ = 0.2 mm; half a millimetre is allowed.
  for (const char* id : {"warped_fem", "vertex_warped_fem", "implicit_fem"})
    for (const char* solver : {"direct", "cg"}) {
      Scene scene = block_above(0.005, 1e5, 0.01);
      scene.colliders[0].friction = 1.5;
      scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
      scene.initial_velocities.rowwise() += Eigen::RowVector3d(10, -10, 3);
      const auto simulation =
          make(id, scene, {{"contact_rule", std::string("penalty")}, {"solver", std::string(solver)}});
      const double supplied = energy_of(*simulation, scene.gravity);
      for (int k = 0; k < 30; ++k) {
        const StepReport report = simulation->step();
        ASSERT_TRUE(report.converged.value_or(true)) << id << ", " << solver << " step " << k;
        ASSERT_GT(simulation->state().positions.col(1).minCoeff(), -5e-4) << id << ", " << solver << " step " << k;
        ASSERT_LT(energy_of(*simulation, scene.gravity), supplied) << id << ", " << solver << " step " << k;
      }
    }
}

TEST(ObstaclePotential, ABodyStrikesABallAndABoxAtTenMetresPerSecond) {
  for (const auto kind : {model::ShapeKind::Sphere, model::ShapeKind::Box}) {
    Scene scene = block_above(0.07, 1e5, 0.005);
    scene.colliders.clear();
    scene.rigid_bodies = {solid(kind, {0.05, 0.0, 0.05}, 0.06)};
    scene.rigid_bodies[0].friction = 0.3;
    scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
    scene.initial_velocities.col(1).setConstant(-10.0);
    const auto simulation = make("implicit_fem", scene, {{"law", std::string("stable_neo_hookean")}});
    const double supplied = energy_of(*simulation, scene.gravity);
    for (int k = 0; k < 40; ++k) {
      const StepReport report = simulation->step();
      ASSERT_TRUE(report.converged.value_or(false)) << int(kind) << " step " << k << ": " << report.residual;
      ASSERT_LT(energy_of(*simulation, scene.gravity), supplied) << int(kind) << " step " << k;
    }
  }
}

TEST(ObstaclePotential, APenaltyHoldsWhatWouldPassAPlateInAStep) {
  for (const char* method : {"linear_fem", "warped_fem", "vertex_warped_fem", "implicit_fem"})
    for (const double speed : {3.0, 10.0}) {  // 1.5 and 5 cm a step, the plate has 1 cm
      Scene scene = block_above(0.02, 1e6, 0.005);
      scene.colliders.clear();
      scene.rigid_bodies = {solid(model::ShapeKind::Box, {0.05, -0.005, 0.05}, 0.3)};
      scene.rigid_bodies[0].shape.half_extents[1] = 0.005;
      scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
      scene.initial_velocities.col(1).setConstant(-speed);
      const auto simulation = make(method, scene, {{"contact_rule", std::string("penalty")}});
      double lowest = 1.0;
      for (int k = 0; k < 60; ++k) {
        ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced) << method << " step " << k;
        lowest = std::min(lowest, simulation->state().positions.col(1).minCoeff());
      }
      EXPECT_GT(lowest, -0.005) << method << " " << speed;  // not beyond the middle
      EXPECT_LT(lowest, 0.0) << method << " " << speed;     // it did strike
    }
}

TEST(ObstaclePotential, FrictionOfTheStepBeforeStopsABodyToo) {
  Scene scene = block_above(1e-4, 1e5, 0.005);
  scene.colliders[0].friction = 0.5;
  scene.initial_velocities = Points::Zero(scene.tet_mesh.rest_positions.rows(), 3);
  scene.initial_velocities.col(0).setConstant(0.5);
  const auto simulation = make("implicit_fem", scene, {{"friction_passes", 1LL}});
  for (int k = 0; k < 16; ++k) simulation->step();
  // The first step in contact has no friction yet: one step's deceleration is missing.
  const double expected = 0.5 - (0.08 - scene.time_step) * 0.5 * kGravity;
  EXPECT_NEAR(momentum(*simulation)[0] / simulation->state().masses.sum(), expected, 0.1 * scene.time_step * kGravity);
}

TEST(ObstaclePotential, VerticesOnRollersRestLikeTheOthers) {
  for (const char* scheme : {"implicit_euler", "implicit_midpoint", "bdf2"}) {
    Scene scene = block_above(1e-4, 1e5, 0.005, 2);
    model::PrescribedMotion wall;
    for (Eigen::Index i = 0; i < scene.tet_mesh.rest_positions.rows(); ++i)
      if (scene.tet_mesh.rest_positions(i, 0) == 0.0) wall.vertices.push_back(int(i));
    wall.components = {true, false, false};
    scene.prescribed.push_back(wall);
    const auto simulation = make("implicit_fem", scene, {{"scheme", std::string(scheme)}, {"mass_damping_1_s", 50.0}});
    for (int k = 0; k < 200; ++k) simulation->step();
    const StateView state = simulation->state();
    EXPECT_LT(state.velocities.cwiseAbs().maxCoeff(), 1e-3) << scheme;
    double on_wall = 0.0, free_side = 0.0;
    for (Eigen::Index i = 0; i < state.positions.rows(); ++i) {
      if (scene.tet_mesh.rest_positions(i, 1) != 0.0) continue;
      EXPECT_GT(state.positions(i, 1), 0.0) << scheme;
      (scene.tet_mesh.rest_positions(i, 0) == 0.0 ? on_wall : free_side) += state.positions(i, 1);
    }
    EXPECT_GT(on_wall / 3, 0.5 * free_side / 6) << scheme;
  }
}

TEST(ObstaclePotential, TheResidualRecomputedKnowsTheForcesOfThePenalty) {
  Scene scene = block_above(1e-4, 1e5, 0.005);
  for (const char* id : {"warped_fem", "vertex_warped_fem"})
    for (const char* solver : {"direct", "cg"}) {
      const auto simulation =
          make(id, scene,
               {{"contact_rule", std::string("penalty")}, {"mass_damping_1_s", 20.0}, {"solver", std::string(solver)}},
               1, true);
      for (int k = 0; k < 100; ++k) {
        const StepReport report = simulation->step();
        ASSERT_TRUE(report.true_residual.has_value());
        EXPECT_LT(*report.true_residual, 1e-7) << id << ", " << solver << " step " << k;
      }
    }
}

TEST(NonlinearImplicit, ConvergesAtStepsSoShortThatInertiaRounds) {
  Scene scene = block_above(1.0, 1e5, 1e-6);
  scene.colliders.clear();
  const auto simulation = make("implicit_fem", scene);
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(simulation->step().converged.value_or(false)) << k;
}

}  // namespace
}  // namespace deformbench::fem
