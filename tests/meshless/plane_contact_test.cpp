// SPDX-License-Identifier: BSD-3-Clause
// Penalty forces of planes: size, direction, friction, and where a block comes to rest. [PKAGDG05] §5
#include "methods/meshless/contact/plane_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "methods/meshless/meshless_simulation.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

model::PlaneCollider floor_with(double friction) {
  model::PlaneCollider plane;
  plane.normal = Vector3(0, 1, 0);
  plane.offset = 0.5;
  plane.friction = friction;
  return plane;
}

TEST(PlaneContact, PushesWithDepthAndRubsByCoulombButNeverTurnsASlideBack) {
  const std::vector<double> stiffnesses{100.0, 100.0, 100.0};
  const Eigen::VectorXd masses = Eigen::VectorXd::Constant(3, 2.0);
  Points x(3, 3), v(3, 3), forces = Points::Zero(3, 3);
  x << 0, 0.4, 0, 0, 0.4, 0, 0, 0.6, 0;
  v << 3, -1, 4, 1e-4, 0, 0, 1, -1, 0;
  const std::vector<model::PlaneCollider> planes{floor_with(0.2)};
  std::vector<char> is_touched(3, 0);
  add_plane_forces(planes, {stiffnesses, masses, x, v, 0.01}, forces, is_touched);
  EXPECT_EQ(is_touched, (std::vector<char>{1, 1, 0}));
  EXPECT_NEAR((forces.row(0).transpose() - Vector3(-1.2, 10, -1.6)).norm(), 0.0, 1e-13);  // 0.2 · 10 N along (3, 4) / 5
  EXPECT_NEAR((forces.row(1).transpose() - Vector3(-0.02, 10, 0)).norm(), 0.0, 1e-13);    // m v / Δt
  EXPECT_EQ(forces.row(2).norm(), 0.0);
}

TEST(PlaneContact, AMovingBodyPushesAlongItsNormalAndDragsWithItsOwnVelocity) {
  model::RigidBody ball;
  ball.shape.radius = 0.5;
  ball.velocity = Vector3(2, 0, 0);
  ball.friction = 0.2;
  const std::vector<double> stiffnesses{100.0, 100.0, 100.0};
  const Eigen::VectorXd masses = Eigen::VectorXd::Constant(3, 2.0);
  Points x(3, 3), v = Points::Zero(3, 3), forces = Points::Zero(3, 3);
  x << 6, 0.4, 0, 5.7, 0, 0, 6, 0.51, 0;  // above the centre, left of it, outside; the ball is at x = 6 by then
  v.row(2) << 1, 1, 1;
  std::vector<char> is_touched(3, 0);
  add_body_forces({&ball, 1}, 3.0, {stiffnesses, masses, x, v, 0.01}, forces, is_touched);
  EXPECT_EQ(is_touched, (std::vector<char>{1, 1, 0}));
  EXPECT_NEAR((forces.row(0).transpose() - Vector3(2, 10, 0)).norm(), 0.0, 1e-12);  // dragged along by 0.2 · 10 N
  EXPECT_NEAR((forces.row(1).transpose() - Vector3(-20, 0, 0)).norm(), 0.0, 1e-12);
  EXPECT_EQ(forces.row(2).norm(), 0.0);
  ball.shape.kind = model::ShapeKind::Box;
  ball.shape.half_extents = Vector3(0.5, 0.5, 0.5);
  ball.start.orientation = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3::UnitZ()).toRotationMatrix();
  ball.velocity.setZero();
  Points at(1, 3), push = Points::Zero(1, 3);
  at << 0.1, 0.45, 0.2;
  add_body_forces({&ball, 1}, 0.0, {stiffnesses, masses, at, Points::Zero(1, 3), 0.01}, push, is_touched);
  EXPECT_NEAR((push.row(0).transpose() - Vector3(0, 5, 0)).norm(), 0.0, 1e-12);
}

TEST(PlaneContact, ABoxOfALevelTopIsAPlane) {
  Scene scene = jittered_block(3, 0.0);
  scene.gravity = Vector3(0, -9.81, 0);
  scene.time_step = 5e-3;
  model::RigidBody box;
  box.shape.kind = model::ShapeKind::Box;
  box.shape.half_extents = Vector3(2, 1, 2);
  box.start.position = Vector3(0.5, -1, 0.5);
  scene.rigid_bodies = {box};
  MeshlessSimulation simulation(scene, options_with({{"mass_damping_1_s", 20.0}}));
  Scene on_plane = scene;
  on_plane.rigid_bodies.clear();
  on_plane.colliders = {model::PlaneCollider{}};
  MeshlessSimulation same(on_plane, options_with({{"mass_damping_1_s", 20.0}}));
  for (int step = 0; step < 100; ++step) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
    same.step();
  }
  EXPECT_GT(simulation.step_contacts().with_bodies, 0);
  EXPECT_LT((simulation.state().positions - same.state().positions).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PlaneContact, ABlockRestsWhereItsPenaltyCarriesItsWeight) {
  Scene scene = jittered_block(3, 0.0);
  scene.gravity = Vector3(0, -9.81, 0);
  scene.time_step = 5e-3;
  model::PlaneCollider plane;
  plane.normal = Vector3(0, 1, 0);
  scene.colliders = {plane};
  MeshlessSimulation simulation(scene, options_with({{"mass_damping_1_s", 20.0}}));
  for (int step = 0; step < 400; ++step) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  const auto& state = simulation.state();
  const NodeCloud cloud = make_node_cloud(scene, {});
  double push = 0.0;
  int behind = 0;
  for (Eigen::Index i = 0; i < cloud.size(); ++i)
    if (const double depth = -state.positions(i, 1); depth > 0) {
      push += scene.materials[0].young_modulus * cloud.supports[std::size_t(i)] * depth;
      ++behind;
    }
  const double weight = 9.81 * lumped_masses(scene).sum();
  EXPECT_NEAR(push, weight, 1e-3 * weight);
  EXPECT_EQ(simulation.step_contacts().with_bodies, behind);
  EXPECT_LT(-state.positions.col(1).minCoeff(), 0.02);
}

TEST(PlaneContact, ASlidingBlockIsBrakedByFrictionTimesItsWeight) {
  Scene scene = jittered_block(2, 0.0);
  scene.gravity = Vector3(0, -9.81, 0);
  scene.time_step = 2e-3;
  model::PlaneCollider plane;
  plane.normal = Vector3(0, 1, 0);
  plane.friction = 0.3;
  scene.colliders = {plane};
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  scene.initial_velocities.col(0).setConstant(4.0);
  MeshlessSimulation simulation(scene, options_with({}));
  const auto speed = [&] {
    const auto& state = simulation.state();
    return state.masses.dot(state.velocities.col(0)) / state.masses.sum();
  };
  for (int step = 0; step < 500; ++step) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  EXPECT_NEAR(4.0 - speed(), 0.3 * 9.81 * 1.0, 0.05 * 0.3 * 9.81);
}

}  // namespace
}  // namespace deformbench::meshless
