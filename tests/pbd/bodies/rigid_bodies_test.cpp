// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/bodies/rigid_bodies.hpp"

#include "tests/pbd/bodies/bodies_fixture.hpp"

namespace deformbench::pbd {
namespace {

Vector3 angular_momentum(const RigidBodyState& state) {
  const Vector3 spin = state.orientation * (state.inertia * (state.orientation.transpose() * state.angular_velocity));
  return state.mass * state.position.cross(state.velocity) + spin;
}

double rotation_energy(const RigidBodyState& state) {
  const Vector3 local = state.orientation.transpose() * state.angular_velocity;
  return 0.5 * local.dot(state.inertia * local);
}

RigidBodies free_body(const Scene& scene) {
  RigidBodies bodies(scene);
  bodies.predict(0.0, scene.time_step);
  return bodies;
}

TEST(RigidBodies, FreeFallIsSymplecticEuler) {
  Scene scene = scene_of({body_of(box({0.1, 0.2, 0.3}), 2.0, {0, 5, 0})});
  scene.gravity = {0, -10, 0};
  scene.rigid_bodies[0].velocity = {1, 0, 0};
  RigidBodies bodies(scene);
  for (int n = 0; n < 50; ++n) {
    bodies.predict(n * 0.01, 0.01);
    bodies.finish();
  }
  const RigidBodyState state = bodies.states()[0];
  EXPECT_NEAR(state.velocity.y(), -5, 1e-12);
  EXPECT_NEAR(state.position.x(), 0.5, 1e-13);
  EXPECT_NEAR(state.position.y(), 5 - 10 * 1e-4 * 50 * 51 / 2, 1e-12);  // Σ n g Δt²
}

TEST(RigidBodies, AFreeSpinKeepsItsAngularMomentumAndItsEnergySwingsBySecondOrder) {
  double swings[2];
  for (int refined = 0; refined < 2; ++refined) {
    Scene scene = scene_of({body_of(box({0.1, 0.2, 0.4}), 3.0)}, refined ? 0.005 : 0.01);
    scene.rigid_bodies[0].angular_velocity = {0.3, 4, 0.2};  // about the middle axis: tumbles
    RigidBodies bodies(scene);
    const Vector3 before = angular_momentum(bodies.states()[0]);
    const double energy = rotation_energy(bodies.states()[0]);
    double swing = 0;
    const int steps = refined ? 4000 : 2000;
    for (int n = 0; n < steps; ++n) {
      bodies.predict(n * scene.time_step, scene.time_step);
      bodies.finish();
      ASSERT_LT((angular_momentum(bodies.states()[0]) - before).norm(), 1e-13 * before.norm() * (1 + n));
      swing = std::max(swing, std::abs(rotation_energy(bodies.states()[0]) - energy));
    }
    swings[refined] = swing / energy;
    const Matrix3& orientation = bodies.states()[0].orientation;
    EXPECT_LT((orientation.transpose() * orientation - Matrix3::Identity()).norm(), 1e-12);
  }
  EXPECT_LT(swings[0], 2e-3);                    // (ωΔt)² = 1.6e-3
  EXPECT_NEAR(swings[0] / swings[1], 4.0, 0.4);  // second order
}

TEST(RigidBodies, ADynamicBodyIsHeldUntilItsStartTime) {
  Scene scene = scene_of({body_of(sphere(0.1), 1.0, {0, 1, 0})});
  scene.gravity = {0, -10, 0};
  scene.rigid_bodies[0].start_time = 0.05;
  scene.rigid_bodies[0].velocity = {2, 0, 0};
  RigidBodies bodies(scene);
  EXPECT_EQ(bodies.states()[0].velocity, Vector3(0, 0, 0));
  for (int n = 0; n < 5; ++n) {
    bodies.predict(n * 0.01, 0.01);
    bodies.apply_impulse(0, {0, 1, 0}, {5, 5, 5});
    bodies.finish();
    EXPECT_EQ(bodies.states()[0].position, Vector3(0, 1, 0));
    EXPECT_EQ(bodies.states()[0].velocity, Vector3(0, 0, 0));
  }
  bodies.predict(0.05, 0.01);
  bodies.finish();
  EXPECT_LT((bodies.states()[0].velocity - Vector3(2, -0.1, 0)).norm(), 1e-15);
}

TEST(RigidBodies, AKinematicBodyFollowsItsMotion) {
  Scene scene = scene_of({body_of(box({1, 1, 1}))});
  scene.gravity = {0, -10, 0};
  scene.rigid_bodies[0].velocity = {1, 0, 0};
  scene.rigid_bodies[0].angular_velocity = {0, 3, 0};
  RigidBodies bodies(scene);
  bodies.predict(0.0, 0.01);
  bodies.finish();
  bodies.predict(0.01, 0.01);
  EXPECT_LT((bodies.motion().before[0].position - Vector3(0.01, 0, 0)).norm(), 1e-16);
  EXPECT_LT((bodies.motion().after[0].position - Vector3(0.02, 0, 0)).norm(), 1e-16);
  bodies.finish();
  const RigidBodyState& state = bodies.states()[0];
  EXPECT_TRUE(std::isinf(state.mass));
  EXPECT_EQ(state.inertia, Matrix3::Zero());
  EXPECT_EQ(state.velocity, Vector3(1, 0, 0));
  EXPECT_EQ(state.angular_velocity, Vector3(0, 3, 0));
  EXPECT_LT((state.orientation - scene.rigid_bodies[0].pose_at(0.02).orientation).norm(), 1e-15);
}

/// A body with loose vertices round it, projected in every way; sums of m Δp/Δt and p × m Δp/Δt beside the momenta of
/// the body.
class TwoWay : public ::testing::Test {
 protected:
  TwoWay() : random_(11) {}

  void start() {
    scene_ = scene_of({body_of(box({0.3, 0.2, 0.1}), random_.uniform(0.1, 5.0), random_in_cube(random_, 1))});
    scene_.rigid_bodies[0].start.orientation = random_.rotation();
    scene_.rigid_bodies[0].velocity = random_in_cube(random_, 1);
    scene_.rigid_bodies[0].angular_velocity = random_in_cube(random_, 3);
    p_.resize(3, 3);
    w_.resize(3);
    for (int i = 0; i < 3; ++i) {
      p_.row(i) = scene_.rigid_bodies[0].start.position + random_in_cube(random_, 0.4);
      w_[i] = std::exp(random_.uniform(-4, 4));
    }
  }
  BodyContact contact(const RigidBodies& bodies) {
    const model::Pose& pose = bodies.motion().after[0];
    const Vector3 normal = random_.direction();
    const Vector3 point = Vector3(p_.row(0)) + 0.1 * normal + 0.1 * normal.cross(random_.direction());
    return {0,
            0,
            point,
            normal,
            Vector3::Zero(),
            0,
            0,
            true,
            pose.orientation.transpose() * (point - pose.position),
            pose.orientation.transpose() * normal};
  }
  CornerContact corner() {
    const double side = random_.uniform() < 0.5 ? 1.0 : -1.0;
    return {0, {0.3, 0.2, 0.1}, {0, 1, 2}, side};
  }
  template <class Project>
  void expect_conservation(const Project& project) {
    RigidBodies before = free_body(scene_), after = free_body(scene_);
    const Points p = p_;
    project(after);
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vector3 impulse = (p_.row(i) - p.row(i)).transpose() / (w_[i] * scene_.time_step);
      linear += impulse;
      angular += Vector3(p.row(i)).cross(impulse);
    }
    // The position of the body moves in the step; its impulses act where it was when they acted.
    before.finish();
    after.finish();
    const RigidBodyState &s = before.states()[0], &t = after.states()[0];
    const Vector3 body_impulse = s.mass * (t.velocity - s.velocity);
    const auto spin = [](const RigidBodyState& state) -> Vector3 {
      return state.orientation * (state.inertia * (state.orientation.transpose() * state.angular_velocity));
    };
    const Vector3 body_angular = spin(t) - spin(s) + s.position.cross(body_impulse);
    // Beside 1e-12 of the impulse: the rounding of positions of about 1 m in Δp/(wΔt), w ≥ e⁻⁴, is 1.2e-12.
    const double size = linear.norm() + 1.2;
    if (linear.norm() > 1e-6) ++moved_;
    EXPECT_LT((linear + body_impulse).norm(), 1e-12 * size);
    EXPECT_LT((angular + body_angular).norm(), 1e-12 * size);
  }

  RandomStream random_;
  Scene scene_;
  Points p_;
  Eigen::VectorXd w_;
  PbdOptions options_;
  int moved_ = 0;
};

TEST_F(TwoWay, ContactsKeepBothMomentaAndEndOnThePlane) {
  for (int k = 0; k < 500; ++k) {
    start();
    const RigidBodies bodies = free_body(scene_);
    const BodyContact c = contact(bodies);
    expect_conservation([&](RigidBodies& b) { b.project(c, w_, options_, p_); });
  }
  EXPECT_EQ(moved_, 500);
}

TEST_F(TwoWay, CornersKeepBothMomenta) {
  for (int k = 0; k < 500; ++k) {
    start();
    const CornerContact c = corner();
    // The corner's foot must lie in the triangle: lay the triangle round it, a little behind.
    const model::Pose pose = free_body(scene_).motion().after[0];
    const Vector3 tip = pose.position + pose.orientation * c.corner, normal = random_.direction();
    const Vector3 u = normal.unitOrthogonal(), v = normal.cross(u);
    for (int i = 0; i < 3; ++i)
      p_.row(i) = tip + 0.05 * c.side * normal + 0.3 * (std::cos(2.1 * i + 0.3) * u + std::sin(2.1 * i + 0.3) * v);
    expect_conservation([&](RigidBodies& b) { b.project(c, w_, options_, p_); });
  }
  EXPECT_EQ(moved_, 500);
}

TEST_F(TwoWay, AttachmentsKeepBothMomenta) {
  for (int k = 0; k < 500; ++k) {
    start();
    expect_conservation([&](RigidBodies& b) {
      b.project(model::Attachment{1, 0, true}, {0.3, 0.1, 0}, w_, options_, p_);
    });
  }
  EXPECT_EQ(moved_, 500);
}

TEST_F(TwoWay, ProjectionSolvesTheConstraintToSecondOrder) {
  for (int k = 0; k < 100; ++k) {
    start();
    scene_.rigid_bodies[0].angular_velocity.setZero();
    RigidBodies bodies = free_body(scene_);
    const Vector3 anchor(0.3, -0.1, 0.05), direction = random_.direction();
    for (const double distance : {1e-3, 1e-4}) {
      p_.row(0) = bodies.point_of(0, anchor) + distance * direction;
      RigidBodies now = free_body(scene_);
      now.project(model::Attachment{0, 0, true}, anchor, w_, options_, p_);
      EXPECT_LT((Vector3(p_.row(0)) - now.point_of(0, anchor)).dot(direction), 10 * distance * distance);
    }
  }
}

TEST_F(TwoWay, ContactsThatHoldAlreadyDoNothing) {
  start();
  RigidBodies bodies = free_body(scene_);
  BodyContact c = contact(bodies);
  c.normal *= -1;
  c.body_normal *= -1;
  const Points p = p_;
  bodies.project(c, w_, options_, p_);
  EXPECT_EQ(p_, p);
}

TEST_F(TwoWay, AHeldVertexMovesTheBodyAlone) {
  start();
  w_.setZero();
  RigidBodies bodies = free_body(scene_);
  const Points p = p_;
  const BodyContact c = contact(bodies);
  bodies.project(c, w_, options_, p_);
  bodies.project(model::Attachment{1, 0, true}, {0.3, 0.1, 0}, w_, options_, p_);
  EXPECT_EQ(p_, p);
  EXPECT_GT((bodies.motion().after[0].position - free_body(scene_).motion().after[0].position).norm(), 1e-6);
}

TEST_F(TwoWay, TheReactionAsPrintedAddsTwiceTheMomentumInsteadOfNone) {
  options_.reaction = Reaction::AsPrinted;
  start();
  RigidBodies bodies = free_body(scene_);
  const Points p = p_;
  const BodyContact c = contact(bodies);
  bodies.project(c, w_, options_, p_);
  EXPECT_NEAR((Vector3(p_.row(0)) - c.point).dot(c.normal), 0, 1e-14);  // the vertex takes all of it
  EXPECT_EQ(bodies.motion().after[0].position, free_body(scene_).motion().after[0].position);  // the body feels it late
  bodies.finish();
  RigidBodies untouched = free_body(scene_);
  untouched.finish();
  const Vector3 of_vertex = (p_.row(0) - p.row(0)).transpose() / (w_[0] * scene_.time_step);
  const Vector3 of_body = bodies.states()[0].mass * (bodies.states()[0].velocity - untouched.states()[0].velocity);
  EXPECT_LT((of_body - of_vertex).norm(), 1e-12 * of_vertex.norm());
}

/// Momentum of vertex 0 and of the body together that one projection makes, by a vertex that slid by about 0.1 m past
/// q_c.
struct Made {
  Vector3 linear, angular, of_vertex;  ///< kg m/s, kg m²/s, kg m/s
};

// PBD-21. The three readings of −mΔp/Δt: only the joint projection keeps the angular momentum.
TEST_F(TwoWay, ThreeReadingsOfTheReactionDifferInTheMomentaThatTheyKeep) {
  const auto spin = [](const RigidBodyState& state) -> Vector3 {
    return state.orientation * (state.inertia * (state.orientation.transpose() * state.angular_velocity));
  };
  for (int k = 0; k < 100; ++k) {
    start();
    const Points p = p_;
    const BodyContact c = contact(free_body(scene_));
    const auto made = [&](Reaction reaction) -> Made {
      options_.reaction = reaction;
      p_ = p;
      RigidBodies bodies = free_body(scene_), untouched = free_body(scene_);
      bodies.project(c, w_, options_, p_);
      bodies.finish();
      untouched.finish();
      const RigidBodyState &s = untouched.states()[0], &t = bodies.states()[0];
      const Vector3 of_vertex = (p_.row(0) - p.row(0)).transpose() / (w_[0] * scene_.time_step);
      const Vector3 of_body = s.mass * (t.velocity - s.velocity);
      return {of_vertex + of_body, Vector3(p.row(0)).cross(of_vertex) + spin(t) - spin(s) + s.position.cross(of_body),
              of_vertex};
    };
    const Vector3 from_point = Vector3(p.row(0)) - c.point;
    const double rounding = 1e-12 * (1.0 + made(Reaction::AsPrinted).of_vertex.norm());  // of positions of 1 m, w ≥ e⁻⁴
    const Made joint = made(Reaction::Corrected), impulse = made(Reaction::Impulse),
               printed = made(Reaction::AsPrinted);
    EXPECT_LT(joint.linear.norm(), rounding);
    EXPECT_LT(joint.angular.norm(), rounding);
    EXPECT_LT(impulse.linear.norm(), rounding);
    EXPECT_LT((impulse.angular - from_point.cross(impulse.of_vertex)).norm(), rounding);  // J and −J, p − q_c apart
    EXPECT_GT(impulse.angular.norm(), 1e-3 * impulse.of_vertex.norm());
    EXPECT_LT((printed.linear - 2.0 * printed.of_vertex).norm(), rounding);
    EXPECT_LT((printed.angular - (Vector3(p.row(0)) + c.point).cross(printed.of_vertex)).norm(), rounding);
  }
}

TEST_F(TwoWay, AsPrintedAnAttachmentOfInfiniteMassGivesTheBodyNothing) {
  options_.reaction = Reaction::AsPrinted;
  start();
  w_.setZero();
  RigidBodies bodies = free_body(scene_), untouched = free_body(scene_);
  bodies.project(model::Attachment{1, 0, true}, {0.3, 0.1, 0}, w_, options_, p_);
  EXPECT_LT((Vector3(p_.row(1)) - bodies.point_of(0, {0.3, 0.1, 0})).norm(), 1e-15);
  bodies.finish();
  untouched.finish();
  EXPECT_EQ(bodies.states()[0].velocity, untouched.states()[0].velocity);
}

TEST_F(TwoWay, OneWayAttachmentsSetTheVertexOnly) {
  start();
  RigidBodies bodies = free_body(scene_);
  bodies.project(model::Attachment{1, 0, false}, {0.3, 0.1, 0}, w_, options_, p_);
  EXPECT_LT((Vector3(p_.row(1)) - bodies.point_of(0, {0.3, 0.1, 0})).norm(), 1e-15);
  EXPECT_EQ(bodies.motion().after[0].position, free_body(scene_).motion().after[0].position);
}

}  // namespace
}  // namespace deformbench::pbd
