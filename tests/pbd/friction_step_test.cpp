// SPDX-License-Identifier: BSD-3-Clause
// Friction between things that both move: vertices on bodies of any mass, corners on triangles, the cloth on itself;
// and what a ball without friction does not feel.
#include <gtest/gtest.h>

#include "methods/pbd/triangle_contacts.hpp"
#include "methods/pbd/velocity_update.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

model::RigidBody body(model::ShapeKind kind, double mass, const Vector3& position, double friction) {
  model::RigidBody body;
  body.name = "body";
  body.shape.kind = kind;
  body.shape.radius = 0.1;
  body.shape.half_extents = {0.5, 0.1, 0.5};
  body.mass = mass;
  body.start.position = position;
  body.friction = friction;
  return body;
}

Vector3 random_vector(numerics::RandomStream& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Vector3 spin(const RigidBodyState& state) {
  return state.orientation * (state.inertia * (state.orientation.transpose() * state.angular_velocity));
}

constexpr double kTimeStep = 0.01;

/// One contact that a vertex violates by 0.1 mm while it has slid by about as much, on a body at rest.
struct SlidingVertex {
  Scene scene;
  BodyContact contact;
  Points x{1, 3}, p{1, 3};
  Eigen::VectorXd w{1};
  PbdOptions options;

  explicit SlidingVertex(numerics::RandomStream& random) {
    scene = particle_scene(Points::Zero(1, 3), Eigen::VectorXd::Ones(1), kTimeStep);
    scene.rigid_bodies = {body(model::ShapeKind::Box, std::exp(random.uniform(-7, 2)), random_vector(random, 1), 0.0)};
    scene.rigid_bodies[0].start.orientation = random.rotation();
    w[0] = std::exp(random.uniform(-3, 3));
    const model::Pose& pose = scene.rigid_bodies[0].start;
    const Vector3 local(random.uniform(-0.5, 0.5), 0.1, random.uniform(-0.5, 0.5)), normal(0, 1, 0);
    const Vector3 point = pose.position + pose.orientation * local;
    x.row(0) = point;
    p.row(0) = point + pose.orientation * Vector3(random.uniform(-1e-4, 1e-4), -1e-4, random.uniform(-1e-4, 1e-4));
    contact = {0, 0, point, pose.orientation * normal, Vector3::Zero(), 0, 0, true, local, normal};
  }
};

/// What is left of the slip along the surface, and the sums of the impulses on the vertex and the body.
struct Slid {
  Vector3 slip, linear, angular, impulse;
};

Slid slide_against(SlidingVertex sliding, double friction) {
  RigidBodies bodies(sliding.scene);
  bodies.predict(0.0, kTimeStep);
  sliding.contact.friction = friction;
  const std::vector<BodyContact> contacts{sliding.contact};
  VelocityUpdateRule rule;
  rule.begin(contacts, (sliding.p - sliding.x) / kTimeStep, 0.0, kTimeStep);
  const Vector3 before = sliding.p.row(0);
  for (int k = 0; k < 30; ++k) rule.project(bodies, sliding.w, sliding.options, sliding.x, sliding.p);
  const Vector3 after = sliding.p.row(0), moved = after - Vector3(sliding.x.row(0)) - bodies.displacement_at(0, after);
  bodies.finish();
  Points velocities = (sliding.p - sliding.x) / kTimeStep;
  rule.update_velocities(bodies, sliding.w, sliding.options, sliding.p, velocities);
  const Vector3 impulse =
      (Vector3(velocities.row(0)) - (before - Vector3(sliding.x.row(0))) / kTimeStep) / sliding.w[0];
  const RigidBodyState& state = bodies.states()[0];
  const Vector3 of_body = state.mass * state.velocity;
  return {moved - sliding.contact.normal * sliding.contact.normal.dot(moved), impulse + of_body,
          before.cross(impulse) + sliding.scene.rigid_bodies[0].start.position.cross(of_body) + spin(state), impulse};
}

TEST(FrictionOnABody, OfAnyMassShortensTheSlipAndNeverTurnsItRound) {
  numerics::RandomStream random(71);
  int stuck = 0, sliding = 0;
  for (int k = 0; k < 400; ++k) {
    const SlidingVertex vertex(random);
    const Vector3 free = slide_against(vertex, 0.0).slip, held = slide_against(vertex, random.uniform(0.02, 1.5)).slip;
    // The body turns by about 1e-4 m / 0.1 m, of which the linearisation sees all but that part.
    const double turning = 5e-3 * free.norm();
    EXPECT_GT(held.dot(free), -turning * free.norm());
    EXPECT_LT(held.norm(), free.norm() + turning);
    (held.norm() < turning ? stuck : sliding) += 1;
  }
  EXPECT_GT(stuck, 50);
  EXPECT_GT(sliding, 50);
}

TEST(FrictionOnABody, OfAnyMassKeepsBothMomenta) {
  numerics::RandomStream random(72);
  for (int k = 0; k < 400; ++k) {
    const Slid slid = slide_against(SlidingVertex(random), random.uniform(0.02, 1.5));
    EXPECT_LT(slid.linear.norm(), 1e-9 * slid.impulse.norm() + 1e-12);  // of positions of 1 m over wΔt, w ≥ e⁻³
    EXPECT_LT(slid.angular.norm(), 1e-3 * slid.impulse.norm());  // points that move by 1e-4 m between two impulses
  }
}

TEST(FrictionOnABody, LighterThanTheVertexStopsTheSlipInAStepOfTheSimulation) {
  for (const double mass : {0.02, 0.2, 2.0, 20.0}) {
    Points x(1, 3);
    x << 0, 0.1, 0;
    Scene scene = particle_scene(x, Eigen::VectorXd::Constant(1, 2.0), 0.001);
    scene.initial_velocities.resize(1, 3);
    scene.initial_velocities << 0.05, -1.0, 0;
    scene.rigid_bodies = {body(model::ShapeKind::Box, mass, Vector3::Zero(), 0.5)};
    const auto simulation = make("pbd", scene);
    for (int k = 0; k < 5; ++k) {
      simulation->step();
      const StateView state = simulation->state();
      const RigidBodyState& box = state.rigid_bodies[0];
      const Vector3 at = state.positions.row(0);
      const double sliding =
          state.velocities(0, 0) - (box.velocity + box.angular_velocity.cross(at - box.position)).x();
      EXPECT_GT(sliding, -1e-5) << mass;  // ω²rΔt of the turn within a step
      EXPECT_LT(sliding, 0.05) << mass;
    }
  }
}

// The force of a contact without friction is along the normal, which goes through the centre of a ball.
TEST(ABallWithoutFriction, InAClothGetsNoSpin) {
  for (const double restitution : {0.0, 0.5}) {
    Scene scene;
    scene.name = "ball_in_cloth";
    scene.cloth = square_cloth(11, 0.1, 0.2);
    scene.gravity = {0, -9.81, 0};
    scene.prescribed.resize(1);
    scene.prescribed[0].vertices = {0, 10, 110, 120};
    scene.rigid_bodies = {body(model::ShapeKind::Sphere, 0.3, {0.42, 0.13, 0.55}, 0.0)};
    scene.rigid_bodies[0].velocity = {0.8, -1, 0.3};
    scene.rigid_bodies[0].restitution = restitution;
    const auto simulation = make("pbd", scene);
    double most = 0.0, lowest = 1.0;
    for (int k = 0; k < 150; ++k) {
      simulation->step();
      const RigidBodyState& ball = simulation->state().rigid_bodies[0];
      most = std::max(most, ball.angular_velocity.norm());
      lowest = std::min(lowest, ball.position.y());
    }
    EXPECT_LT(lowest, 0.05);  // it has lain in the cloth
    EXPECT_LT(most, 1e-9);
  }
}

TEST(ACapsuleWithoutFriction, GetsNoSpinAboutItsAxisFromAVertexThatHasSlidFromItsContact) {
  numerics::RandomStream random(74);
  int pushed = 0;
  for (int k = 0; k < 200; ++k) {
    Scene scene = particle_scene(Points::Zero(1, 3), Eigen::VectorXd::Ones(1), kTimeStep);
    scene.rigid_bodies = {body(model::ShapeKind::Capsule, 0.3, random_vector(random, 1), 0.0)};
    scene.rigid_bodies[0].shape.half_length = 0.2;
    scene.rigid_bodies[0].start.orientation = random.rotation();
    const model::Pose& pose = scene.rigid_bodies[0].start;
    const Vector3 normal = Vector3(1, 0, 0), point(0.1, random.uniform(-0.2, 0.2), 0);
    const BodyContact contact{
        0,     0,     pose.position + pose.orientation * point, pose.orientation * normal, Vector3::Zero(), 0, 0, true,
        point, normal};
    Points p(1, 3);
    p.row(0) =
        pose.position + pose.orientation * (point + Vector3(random.uniform(-0.15, -0.02), random.uniform(-0.2, 0.2),
                                                            random.uniform(-0.05, 0.05)));
    RigidBodies bodies(scene);
    bodies.predict(0.0, kTimeStep);
    pushed += bodies.project(contact, Eigen::VectorXd::Ones(1), PbdOptions{}, p) > 0.0;
    bodies.finish();
    const Vector3 axis = pose.orientation.col(1);
    EXPECT_LT(std::abs(axis.dot(spin(bodies.states()[0]))), 1e-13);
  }
  EXPECT_GT(pushed, 150);
}

// PBD-24, line 16 of [MHHR07] §3.1: v = v0 − μ g t, then rest.
TEST(SelfFriction, SlowsClothOnClothByCoulombsLawAndStopsIt) {
  const double friction = 0.4, speed = 0.3, h = 0.01;
  for (const char* gradient : {"full", "constant_normal"}) {
    Scene scene = triangle_over_triangle(h, 0.001, speed);
    scene.gravity = {0, -9.81, 0};
    const auto simulation = make("pbd", scene,
                                 {{"self_collision", true},
                                  {"thickness_m", h},
                                  {"self_friction", friction},
                                  {"self_gradient", std::string(gradient)}});
    for (int k = 1; k <= 120; ++k) {
      simulation->step();
      const double expected = std::max(0.0, speed - friction * 9.81 * 0.001 * k);
      for (int v = 3; v < 6; ++v) {
        ASSERT_NEAR(simulation->state().velocities(v, 0), expected, 1e-9) << gradient << " step " << k;
        ASSERT_NEAR(simulation->state().positions(v, 1), h, 1e-9);
      }
    }
  }
}

TEST(SelfFriction, IsNoneWithoutACoefficient) {
  Scene scene = triangle_over_triangle(0.01, 0.001, 0.3);
  scene.gravity = {0, -9.81, 0};
  const auto simulation = make("pbd", scene, {{"self_collision", true}, {"thickness_m", 0.01}});
  for (int k = 0; k < 50; ++k) simulation->step();
  EXPECT_NEAR(simulation->state().velocities(4, 0), 0.3, 1e-12);
}

/// A point 1e-4 m too near to a triangle of about 1 m that has slid by as much over it; both impulses of one
/// projection.
TEST(FrictionOnATriangle, KeepsBothMomentaOfAVertexAndOfACorner) {
  numerics::RandomStream random(73);
  int held = 0;
  for (int k = 0; k < 400; ++k) {
    const bool is_corner = k % 2 == 1;
    Points x(4, 3);
    x << 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0;
    for (int i = 0; i < 3; ++i) x.row(i) += random_vector(random, 0.2).transpose();
    const Vector3 area = (Vector3(x.row(1)) - Vector3(x.row(0))).cross(Vector3(x.row(2)) - Vector3(x.row(0)));
    const double a = random.uniform(0.1, 0.5), b = random.uniform(0.1, 0.4), side = random.uniform() < 0.5 ? 1.0 : -1.0,
                 h = 0.1;
    const Vector3 normal = area.normalized();
    const Vector3 tip =
        (1 - a - b) * Vector3(x.row(0)) + a * Vector3(x.row(1)) + b * Vector3(x.row(2)) + side * (h - 1e-4) * normal;
    x.row(3) = tip;
    const Vector3 slipped = random_vector(random, 1e-4);
    Points p = x;  // what has slipped is where it started from
    x.row(3) -= (slipped - normal * normal.dot(slipped)).transpose();
    Eigen::VectorXd w(4);
    for (double& one : w) one = std::exp(random.uniform(-3, 3));

    Scene scene = particle_scene(x, w.cwiseInverse(), kTimeStep);
    PbdOptions options;
    options.thickness = h;
    options.contact_offset = h;
    options.self_friction = random.uniform(0.05, 1.0);
    std::vector<CornerContact> corners;
    std::vector<SelfContact> self;
    if (is_corner) {
      scene.rigid_bodies = {body(model::ShapeKind::Box, std::exp(random.uniform(-5, 2)), tip, options.self_friction)};
      model::RigidBody& box = scene.rigid_bodies[0];
      box.start.orientation = random.rotation();
      box.start.position -= box.start.orientation * box.shape.half_extents;
      box.velocity = slipped / kTimeStep - normal * normal.dot(slipped) / kTimeStep;
      box.start.position -= kTimeStep * box.velocity;
      corners.push_back({0, box.shape.half_extents, {0, 1, 2}, side});
    } else {
      self.push_back({3, {0, 1, 2}, side});
    }
    RigidBodies bodies(scene);
    bodies.predict(0.0, kTimeStep);
    TriangleContacts contacts;
    contacts.begin(corners, self);
    const Points before = p;
    contacts.project(bodies, w, options, x, p);
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
    double size = 0.0, along = 0.0;
    for (int i = 0; i < 4; ++i) {
      const Vector3 impulse = (p.row(i) - before.row(i)).transpose() / (w[i] * kTimeStep);
      linear += impulse;
      angular += Vector3(before.row(i)).cross(impulse);
      size += impulse.norm();
      along += (impulse - normal * normal.dot(impulse)).norm();
    }
    if (is_corner) {
      bodies.finish();
      const RigidBodyState& state = bodies.states()[0];
      const Vector3 of_body = state.mass * (state.velocity - scene.rigid_bodies[0].velocity);
      linear += of_body;
      angular += state.position.cross(of_body) + spin(state);
    }
    if (along > 0.01 * size) ++held;
    EXPECT_LT(linear.norm(), 1e-9 * size + 1e-11)
        << is_corner;  // of positions of 1 m over wΔt, w ≥ e⁻³; and of velocities
    EXPECT_LT(angular.norm(), 1e-3 * size) << is_corner;  // points that move by 1e-4 m; without the moment: 0.1
  }
  EXPECT_GT(held, 300);
}

// The plane of a triangle means nothing beside it: weights outside 0 … 1 would draw its corners apart.
TEST(FrictionOnATriangle, IsNoneForAPointThatHasLeftIt) {
  for (const bool has_left : {false, true}) {
    Points x(4, 3);
    x << 0, 0, 0, 1, 0, 0, 0, 0, 1, has_left ? -0.5 : 0.3, 0.0999, 0.2;
    Points p = x;
    x(3, 0) -= 1e-3;
    PbdOptions options;
    options.thickness = 0.1;
    options.self_friction = 1.0;
    const std::vector<SelfContact> self{{3, {0, 1, 2}, -1.0}};  // its normal is −y
    RigidBodies bodies(particle_scene(x, Eigen::VectorXd::Ones(4)));
    TriangleContacts contacts;
    contacts.begin({}, self);
    const Points before = p;
    contacts.project(bodies, Eigen::VectorXd::Ones(4), options, x, p);
    EXPECT_GT(p(3, 1), before(3, 1));
    EXPECT_EQ((p.col(0) - before.col(0)).cwiseAbs().maxCoeff() > 1e-5, !has_left);
  }
}

// The corners of a box that lies on a large held triangle carry its weight.
TEST(FrictionOnATriangle, SlowsABoxOnItsCornersByCoulombsLaw) {
  Scene scene = triangle_over_triangle(5.0, 0.001);
  scene.gravity = {0, -9.81, 0};
  scene.initial_positions.bottomRows(3).col(1).array() = 50.0;
  scene.rigid_bodies = {body(model::ShapeKind::Box, 0.5, {0, 0.1, 0}, 0.3)};
  scene.rigid_bodies[0].velocity = {0.5, 0, 0};
  const auto simulation = make("pbd", scene, {{"iterations", 60LL}});
  for (int k = 0; k < 100; ++k) simulation->step();
  const RigidBodyState box = simulation->state().rigid_bodies[0];
  EXPECT_NEAR(box.velocity.x(), 0.5 - 0.3 * 9.81 * 0.1,
              0.01 * 0.3);  // of 60 iterations over four corners: a part in a hundred
  EXPECT_NEAR(box.position.y(), 0.1, 1e-4);
}

}  // namespace
}  // namespace deformbench::pbd
