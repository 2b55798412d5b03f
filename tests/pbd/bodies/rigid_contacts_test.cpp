// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies against planes and each other.
#include <functional>
#include <numbers>

#include "tests/pbd/bodies/bodies_fixture.hpp"

namespace deformbench::pbd {
namespace {

constexpr double kGravity = 9.81;

Scene on_a_plane(model::RigidBody body, double slope = 0.0, double friction = 0.0, double restitution = 0.0) {
  Scene scene = scene_of({std::move(body)});
  scene.gravity = {0, -kGravity, 0};
  scene.colliders.push_back({Vector3(std::sin(slope), std::cos(slope), 0), 0.0, friction, restitution});
  return scene;
}

void run(RigidBodies& bodies, const Scene& scene, int steps, const std::function<void(int)>& each = {}) {
  for (int n = 0; n < steps; ++n) {
    bodies.predict(n * scene.time_step, scene.time_step);
    bodies.finish();
    if (each) each(n);
  }
}

Matrix3 tilted(double slope) {
  return Eigen::AngleAxisd(-slope, Vector3::UnitZ()).toRotationMatrix();
}

TEST(RigidContacts, ABoxOnAPlaneStays) {
  for (const double height : {0.2, 0.21}) {  // laid down, and dropped from 1 cm
    const Scene scene = on_a_plane(body_of(box({0.3, 0.2, 0.1}), 2.0, {0, height, 0}), 0.0, 0.5);
    RigidBodies bodies(scene);
    run(bodies, scene, 1000);
    const RigidBodyState& state = bodies.states()[0];
    EXPECT_NEAR(state.position.y(), 0.2, 1e-6);
    EXPECT_LT(state.position.cwiseProduct(Vector3(1, 0, 1)).norm(), 1e-6);
    EXPECT_LT(state.velocity.norm(), 1e-9);
    EXPECT_LT(state.angular_velocity.norm(), 1e-9);
    EXPECT_LT((state.orientation - Matrix3::Identity()).norm(), 1e-6);
  }
}

TEST(RigidContacts, ABoxOnASlopeSticksUpToItsFriction) {
  const double slope = 0.4, limit = std::tan(slope);
  for (const double friction : {0.0, 0.5 * limit, 0.98 * limit, 1.02 * limit}) {
    model::RigidBody body = body_of(box({0.3, 0.1, 0.3}), 2.0);
    body.start.orientation = tilted(slope);
    body.start.position = 0.1 * Vector3(std::sin(slope), std::cos(slope), 0);
    const Scene scene = on_a_plane(body, slope, friction);
    RigidBodies bodies(scene);
    run(bodies, scene, 100);
    const double speed = bodies.states()[0].velocity.norm();
    const double expected = std::max(0.0, kGravity * (std::sin(slope) - friction * std::cos(slope)));  // m/s after 1 s
    EXPECT_NEAR(speed, expected, 1e-6);
    EXPECT_LT(bodies.states()[0].angular_velocity.norm(), 1e-6);
  }
}

TEST(RigidContacts, ABallBouncesWithItsRestitution) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    const Scene scene = on_a_plane(body_of(sphere(0.1), 1.0, {0, 1.1, 0}), 0.0, 0.0, restitution);
    RigidBodies bodies(scene);
    double down = 0, up = 0, least = 1;
    run(bodies, scene, 80, [&](int) {
      const double v = bodies.states()[0].velocity.y();
      if (up == 0) down = std::min(down, v);
      if (down < -3) up = std::max(up, v);
      least = std::min(least, bodies.states()[0].position.y());
    });
    EXPECT_GE(least, 0.1 - 1e-12);
    EXPECT_NEAR(down, -std::sqrt(2 * kGravity), 0.2);  // of the last step before: one or two g Δt less
    EXPECT_NEAR(up, -restitution * (down - (restitution > 0 ? kGravity * 0.01 : 0)), 0.1 * restitution + 1e-9);
  }
}

TEST(RigidContacts, ABallOnASlopeRolls) {
  const double slope = 0.3;
  model::RigidBody body = body_of(sphere(0.1), 1.0);
  body.start.position = 0.1 * Vector3(std::sin(slope), std::cos(slope), 0);
  const Scene scene = on_a_plane(body, slope, 0.8);
  RigidBodies bodies(scene);
  run(bodies, scene, 100);
  const double expected = kGravity * std::sin(slope) * 5 / 7;  // of 1 s; a solid ball
  EXPECT_NEAR(bodies.states()[0].velocity.norm(), expected, 1e-3 * expected);
  EXPECT_NEAR(bodies.states()[0].angular_velocity.norm() * 0.1, expected, 1e-3 * expected);
}

TEST(RigidContacts, AFastBoxDoesNotTunnel) {
  model::RigidBody body = body_of(box({0.1, 0.1, 0.1}), 1.0, {0, 3, 0});
  body.velocity = {3, -200, 1};
  body.angular_velocity = {5, 3, 8};
  const Scene scene = on_a_plane(body, 0.0, 0.3);
  RigidBodies bodies(scene);
  run(bodies, scene, 200, [&](int) {
    const RigidBodyState& state = bodies.states()[0];
    double lowest = 1;
    for (int i = 0; i < 8; ++i) {
      const Vector3 corner = 0.1 * Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
      lowest = std::min(lowest, (state.position + state.orientation * corner).y());
    }
    ASSERT_GT(lowest, -5e-3);
  });
  EXPECT_LT(bodies.states()[0].velocity.norm(), 0.5);
}

TEST(RigidContacts, TwoBallsThatMeetExchangeMomentum) {
  for (const double restitution : {0.0, 1.0}) {
    model::RigidBody a = body_of(sphere(0.1), 1.0, {-1, 0.02, 0}), b = body_of(sphere(0.2), 3.0, {0.5, 0, 0});
    a.velocity = {4, 0, 0};
    b.velocity = {-1, 0, 0};
    a.restitution = restitution;
    const Scene scene = scene_of({a, b});
    RigidBodies bodies(scene);
    const auto energy = [&] {
      double sum = 0;
      for (const auto& s : bodies.states()) sum += 0.5 * s.mass * s.velocity.squaredNorm();
      return sum;
    };
    const double before = energy();
    run(bodies, scene, 100,
        [&](int) { EXPECT_GT((bodies.states()[0].position - bodies.states()[1].position).norm(), 0.3 - 1e-12); });
    const Vector3 momentum = bodies.states()[0].velocity + 3 * bodies.states()[1].velocity;
    EXPECT_LT((momentum - Vector3(1, 0, 0)).norm(), 1e-12);
    EXPECT_LE(energy(), restitution == 1.0 ? 1.01 * before : 0.5 * before);
    EXPECT_GE(energy(), restitution == 1.0 ? 0.99 * before : 0.0);
  }
}

TEST(RigidContacts, ABoxRestsOnABoxAndABallOnTheGround) {
  const model::RigidBody lower = body_of(box({0.5, 0.1, 0.5}), 5.0, {0, 0.1, 0});
  const model::RigidBody upper = body_of(box({0.2, 0.1, 0.2}), 1.0, {0.05, 0.31, 0.02});
  Scene scene = scene_of({lower, upper, body_of(sphere(0.15), 1.0, {2, 0.15, 0})});
  scene.gravity = {0, -kGravity, 0};
  scene.colliders.push_back({Vector3(0, 1, 0), 0.0, 0.5, 0.0});
  RigidBodies bodies(scene);
  run(bodies, scene, 500);
  EXPECT_NEAR(bodies.states()[0].position.y(), 0.1, 1e-4);
  EXPECT_NEAR(bodies.states()[1].position.y(), 0.3, 1e-4);
  EXPECT_NEAR(bodies.states()[2].position.y(), 0.15, 1e-9);
  for (const auto& state : bodies.states()) EXPECT_LT(state.velocity.norm(), 1e-4);
}

TEST(RigidContacts, AMovingKinematicBodyCarriesAnotherAlong) {
  model::RigidBody floor = body_of(box({2, 0.1, 2}), 0.0, {0, -0.1, 0});
  floor.velocity = {0.5, 0, 0};
  floor.friction = 1.0;
  Scene scene = scene_of({floor, body_of(box({0.2, 0.1, 0.2}), 1.0, {0, 0.1, 0})});
  scene.gravity = {0, -kGravity, 0};
  RigidBodies bodies(scene);
  run(bodies, scene, 100);
  EXPECT_LT((bodies.states()[1].velocity - Vector3(0.5, 0, 0)).norm(), 1e-6);
}

TEST(RigidContacts, ABallLandsOnTheTerrain) {
  Scene scene = scene_of({body_of(mesh_shape(terrain(12))), body_of(sphere(0.1), 1.0, {0.1, 0.6, 0.05})});
  scene.gravity = {0, -kGravity, 0};
  scene.rigid_bodies[0].friction = 0.5;
  RigidBodies bodies(scene);
  const BodyShapes shapes(scene);
  run(bodies, scene, 100, [&](int) {
    Vector3 closest, normal;
    EXPECT_GT(shapes.signed_distance(0, bodies.states()[1].position, closest, normal), 0.1 - 5e-3);
  });
}

}  // namespace
}  // namespace deformbench::pbd
