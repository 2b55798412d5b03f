// SPDX-License-Identifier: BSD-3-Clause
// Momenta and energies of rigid bodies, penetration of vertices into them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "methods/model/error.hpp"
#include "tests/harness/probes/puppet.hpp"

namespace deformbench::tests {
namespace {

using testing::HasSubstr;

/// A brick of 3 kg, turned, moving and spinning; beside it a kinematic ball that moves too.
Scene brick_and_ball() {
  Scene scene = unit_square();
  model::RigidBody brick;
  brick.name = "brick";
  brick.shape.kind = model::ShapeKind::Box;
  brick.shape.half_extents = {0.5, 1.0, 1.5};
  brick.mass = 3.0;
  brick.start.position = {10, 20, 30};
  brick.start.orientation = Eigen::AngleAxisd(0.4, Vector3(1, 2, 2).normalized()).toRotationMatrix();
  brick.velocity = {1, -2, 0.5};
  brick.angular_velocity = {0.3, 0.2, -0.7};
  model::RigidBody ball;
  ball.name = "ball";
  ball.shape.radius = 0.5;
  ball.start.position = {0.5, 0.5, -0.25};
  ball.velocity = {5, 0, 0};
  scene.rigid_bodies = {brick, ball};
  scene.gravity = {0, -10, 0};
  return scene;
}

TEST(RigidBodyProbes, BrickCountsInMassMomentaAndEnergiesTheKinematicBallDoesNot) {
  const Scene scene = brick_and_ball();
  Puppet puppet(scene);
  puppet.velocities.setConstant(0.0);
  puppet.velocities.col(2).setConstant(1.0);  // the cloth of 2 kg rises
  puppet.positions(0, 2) = 3.0;               // by 1 m its centre: this vertex carries a third of its mass
  const model::RigidBody& brick = scene.rigid_bodies[0];
  const auto at = [&](const char* channel) { return measured_by(channel, scene, puppet); };
  EXPECT_NEAR(at("mass")[0], 5.0, 1e-14);
  EXPECT_LT((vector_of(at("linear_momentum")) - (3.0 * brick.velocity + Vector3(0, 0, 2))).norm(), 1e-14);
  EXPECT_LT((vector_of(at("centre_of_mass")) - (3.0 * brick.start.position + 2.0 * Vector3(0.5, 0.5, 1)) / 5.0).norm(),
            1e-14);
  EXPECT_LT((vector_of(at("centre_of_mass_velocity")) - (3.0 * brick.velocity + Vector3(0, 0, 2)) / 5.0).norm(), 1e-14);
  // m (b² + c²)/3 of a solid brick of half extents a, b, c; the cloth as a point of 2 kg in its middle.
  const Matrix3 inertia = Vector3(1.0 + 2.25, 0.25 + 2.25, 0.25 + 1.0).asDiagonal();
  const Matrix3& r = brick.start.orientation;
  const Vector3 spin = r * inertia * r.transpose() * brick.angular_velocity;
  const Vector3 angular =
      3.0 * brick.start.position.cross(brick.velocity) + spin + Vector3(0.5, 0.5, 0).cross(Vector3(0, 0, 2));
  EXPECT_LT((vector_of(at("angular_momentum")) - angular).norm(), 1e-13 * angular.norm());
  EXPECT_NEAR(at("kinetic_energy")[0],
              1.0 + 1.5 * brick.velocity.squaredNorm() + 0.5 * brick.angular_velocity.dot(spin), 1e-13);
  EXPECT_NEAR(at("gravitational_energy")[0], 10.0 * (3.0 * 20.0 + 2.0 * 0.5), 1e-11);
}

TEST(RigidBodyProbes, StatesAreThoseOfTheMethodInTheOrderOfTheScene) {
  const Scene scene = brick_and_ball();
  const Puppet puppet(scene);
  const auto positions = measured_by("rigid_positions", scene, puppet),
             velocities = measured_by("rigid_velocities", scene, puppet),
             turns = measured_by("rigid_orientations", scene, puppet),
             rates = measured_by("rigid_angular_velocities", scene, puppet);
  ASSERT_EQ(positions.size(), 6u);
  ASSERT_EQ(turns.size(), 18u);
  EXPECT_EQ(positions[1], 20.0);
  EXPECT_EQ(positions[5], -0.25);
  EXPECT_EQ(velocities[3], 5.0);
  EXPECT_EQ(rates[2], -0.7);
  for (int k = 0; k < 9; ++k)
    EXPECT_EQ(turns[std::size_t(k)], scene.rigid_bodies[0].start.orientation(k / 3, k % 3)) << k;
}

TEST(RigidBodyProbes, MethodThatForgetsTheBodiesIsNamed) {
  const Scene scene = brick_and_ball();
  const FreeFlight flight(scene);
  try {
    harness::make_probe("rigid_positions", scene, flight);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the method reports 0 rigid bodies, expected 2 as in scene 'unit_square'"));
  }
}

TEST(ContactProbes, CountsAreThoseOfTheFacet) {
  const Scene scene = brick_and_ball();
  Puppet puppet(scene);
  puppet.contacts = {3, 5, 7};
  EXPECT_EQ(measured_by("body_contacts", scene, puppet)[0], 3.0);
  EXPECT_EQ(measured_by("self_contacts", scene, puppet)[0], 5.0);
  EXPECT_EQ(measured_by("corner_contacts", scene, puppet)[0], 7.0);
}

/// The unit square over a plane y = −1 and beside one body.
Scene beside(model::RigidBody body) {
  Scene scene = unit_square();
  scene.colliders = {{Vector3::UnitY(), -1.0}};
  scene.rigid_bodies = {std::move(body)};
  return scene;
}
model::RigidBody ball_at(const Vector3& centre, double radius) {
  model::RigidBody ball;
  ball.shape.radius = radius;
  ball.start.position = centre;
  return ball;
}
double depth(const Scene& scene) {
  return number("penetration_depth", scene);
}
double count(const Scene& scene) {
  return number("penetrating_vertices", scene);
}

TEST(ContactProbes, DepthIsThatOfTheDeepestVertex) {
  EXPECT_EQ(depth(beside(ball_at({5, 5, 5}, 1.0))), 0.0);
  EXPECT_EQ(count(beside(ball_at({5, 5, 5}, 1.0))), 0.0);
  // Corner (1, 0, 0) is 0.1 m inside, (1, 1, 0) is 0.9 m away from the surface.
  EXPECT_NEAR(depth(beside(ball_at({1, -0.1, 0}, 0.2))), 0.1, 1e-15);
  EXPECT_EQ(count(beside(ball_at({1, -0.1, 0}, 0.2))), 1.0);
  Scene scene = beside(ball_at({5, 5, 5}, 1.0));
  Points sunk = scene.cloth.rest_positions;
  sunk.col(1).array() -= 1.25;  // two corners 0.25 m behind the plane
  EXPECT_NEAR(number("penetration_depth", scene, sunk), 0.25, 1e-15);
  EXPECT_EQ(number("penetrating_vertices", scene, sunk), 2.0);
}

TEST(ContactProbes, MovingKinematicBodyIsWhereTheSceneSaysAndADynamicOneWhereTheMethodSays) {
  Scene scene = beside(ball_at({1, -2.1, 0}, 0.2));
  scene.rigid_bodies[0].velocity = {0, 1, 0};
  Puppet puppet(scene);
  puppet.bodies[0].position = {50, 0, 0};
  const auto depth_at = [&](double time) {
    return measured("penetration_depth", scene, puppet, puppet.positions, puppet.velocities, time)[0];
  };
  EXPECT_EQ(depth_at(0.0), 0.0);
  EXPECT_NEAR(depth_at(2.0), 0.1, 1e-15);
  scene.rigid_bodies[0].mass = 1.0;
  EXPECT_EQ(depth_at(2.0), 0.0);
}

TEST(ContactProbes, HeldVerticesAndThoseAttachedToTheBodyDoNotCount) {
  Scene scene = beside(ball_at({1, -0.1, 0}, 0.2));
  scene.attachments = {{1, 0, false}};
  EXPECT_EQ(depth(scene), 0.0);
  scene.attachments.clear();
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {1};
  EXPECT_EQ(depth(scene), 0.0);
}

TEST(ContactProbes, MeshBodyHasTheDepthOfItsShape) {
  model::RigidBody box;
  box.shape.kind = model::ShapeKind::Box;
  box.shape.half_extents = {0.3, 0.2, 0.25};
  box.start.position = {1.1, 1.05, 0.1};
  box.start.orientation = Eigen::AngleAxisd(0.7, Vector3(3, 1, 2).normalized()).toRotationMatrix();
  model::RigidBody mesh = box;
  mesh.shape.mesh = model::surface_of(box.shape);
  mesh.shape.kind = model::ShapeKind::Mesh;
  EXPECT_GT(depth(beside(box)), 0.05);
  EXPECT_NEAR(depth(beside(mesh)), depth(beside(box)), 1e-15);
}

TEST(ContactProbes, BesideAnOpenMeshIsNotBehindIt) {
  model::RigidBody ground;
  ground.shape.kind = model::ShapeKind::Mesh;
  ground.shape.mesh.positions.resize(3, 3);
  ground.shape.mesh.positions << 0.5, 0.1, -1, 0.5, 0.1, 1, 3, 0.1, 0;  // looks up, over the corners x = 1 alone
  ground.shape.mesh.triangles.resize(1, 3);
  ground.shape.mesh.triangles << 0, 1, 2;
  EXPECT_NEAR(depth(beside(ground)), 0.1, 1e-15);
  EXPECT_EQ(count(beside(ground)), 1.0);
}

}  // namespace
}  // namespace deformbench::tests
