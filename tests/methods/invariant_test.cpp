// SPDX-License-Identifier: BSD-3-Clause
// Laws of physics that every method is held to. A method that breaks one by its nature says so in its
// descriptor, with the size; then the violation must really be there.
#include <cmath>

#include <Eigen/Geometry>

#include "tests/methods/method_suite.hpp"

namespace deformbench::tests {

namespace {

Vector3 linear_momentum(const StateView& s) {
  return s.velocities.transpose() * s.masses;
}

Vector3 angular_momentum(const StateView& s) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < s.masses.size(); ++i)
    sum += s.masses[i] * Vector3(s.positions.row(i)).cross(Vector3(s.velocities.row(i)));
  return sum;
}

/// Σ m |v|, the scale that a momentum error is measured against.
double momentum_scale(const Points& velocities, const ScalarsView& masses) {
  return velocities.rowwise().norm().dot(masses);
}

}  // namespace

TEST_P(EveryMethod, AtRestStaysAtRest) {
  const Scene scene = free_body(GetParam());
  const Points end = run(GetParam(), scene, 100).positions();
  // Rest forces are rounding of K x − K x0: E h ε / m Δt² per step, about 1e-15 m; corrections of a constraint
  // likewise.
  expect_invariant(GetParam(), "rest", (end - scene.rest_positions()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(EveryMethod, FreeFallGainsExactlyGravityTimesTime) {
  Scene scene = free_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  stiffen(scene);
  const Trajectory fallen = run(GetParam(), scene, 10);
  const StateView state = fallen.state();
  const Vector3 velocity = linear_momentum(state) / state.masses.sum();
  const double error = (velocity - state.time * scene.gravity).norm() / (state.time * 9.81);
  expect_invariant(GetParam(), "free_fall", error, 1e-11);
}

TEST_P(EveryMethod, FreeFallTravelsBetweenTheTwoEulerSums) {
  Scene scene = free_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  const int n = 20;
  const Trajectory fallen = run(GetParam(), scene, n);
  const StateView state = fallen.state();
  const double drop = ((scene.rest_positions() - state.positions).transpose() * state.masses)[1] / state.masses.sum();
  const double unit = 9.81 * scene.time_step * scene.time_step;
  // Forward Euler n(n−1)/2, implicit and symplectic n(n+1)/2.
  EXPECT_GE(drop, 0.5 * n * (n - 1) * unit * (1 - 1e-6));
  EXPECT_LE(drop, 0.5 * n * (n + 1) * unit * (1 + 1e-6));
}

TEST_P(EveryMethod, AFreeBodyKeepsItsLinearMomentum) {
  Scene scene = free_body(GetParam());
  stiffen(scene);
  scene.initial_velocities = random_field(scene.vertex_count(), 1.0, 3);
  const Trajectory created = run(GetParam(), scene, 0);
  const Vector3 before = linear_momentum(created.state());
  const double scale = momentum_scale(scene.initial_velocities, created.state().masses);
  const Trajectory moved = run(GetParam(), scene, 10);
  expect_invariant(GetParam(), "linear_momentum", (linear_momentum(moved.state()) - before).norm() / scale, 1e-11);
}

TEST_P(EveryMethod, ASpinningBodyKeepsItsAngularMomentum) {
  Scene scene = free_body(GetParam());
  const Vector3 omega(0, 0, 5);
  scene.initial_velocities.resize(scene.vertex_count(), 3);
  for (Eigen::Index i = 0; i < scene.initial_velocities.rows(); ++i)
    scene.initial_velocities.row(i) = omega.cross(Vector3(scene.rest_positions().row(i)));
  const Trajectory created = run(GetParam(), scene, 0);
  const Vector3 before = angular_momentum(created.state());
  const Trajectory spun = run(GetParam(), scene, 100);
  expect_invariant(GetParam(), "angular_momentum", (angular_momentum(spun.state()) - before).norm() / before.norm(),
                   1e-9);
}

TEST_P(EveryMethod, DoesNotDependOnWhereTheBodyIs) {
  Scene scene = clamped_body(GetParam());
  scene.gravity = {0, -9.81, 0};
  const Points here = run(GetParam(), scene, 20).positions();
  const Vector3 shift(16.0, -8.0, 4.0);  // powers of two: the shift itself rounds little
  rest_of(scene).rowwise() += shift.transpose();
  const Points there = run(GetParam(), scene, 20).positions();
  // 1e-10 is the default solver tolerance; coordinates of 16 m carry 4e-15 m.
  expect_invariant(GetParam(), "place", ((there.rowwise() - shift.transpose()) - here).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(EveryMethod, DoesNotGainEnergyFromAHeldTwist) {
  Scene scene = clamped_body(GetParam());
  scene.initial_positions = scene.rest_positions();
  for (Eigen::Index i = 0; i < scene.initial_positions.rows(); ++i) {
    const Vector3 x = scene.rest_positions().row(i);
    scene.initial_positions.row(i) = Eigen::AngleAxisd(2.0 * (x[0] + 0.1), Vector3::UnitX()) * x;
  }
  for (const int v : scene.prescribed[0].vertices) scene.initial_positions.row(v) = scene.rest_positions().row(v);
  const double twist = (scene.initial_positions - scene.rest_positions()).cwiseAbs().maxCoeff();
  Trajectory released = run(GetParam(), scene, 0);
  // Released from rest with internal energy only and no load, a dissipative or conservative method never moves faster
  // than in its first swing, nor further than it was twisted.
  double first_swing = 0.0, last_second = 0.0, furthest = 0.0;
  for (int k = 0; k < 300; ++k) {
    ASSERT_EQ(released.simulation->step().outcome, StepOutcome::Advanced);
    const StateView state = released.state();
    const double kinetic = 0.5 * state.velocities.rowwise().squaredNorm().dot(state.masses);
    if (k < 100) first_swing = std::max(first_swing, kinetic);
    if (k < 200) continue;
    last_second = std::max(last_second, kinetic);
    if (state.positions.rows() == scene.vertex_count())
      furthest = std::max(furthest, (state.positions - scene.rest_positions()).cwiseAbs().maxCoeff());
  }
  // Implicit Euler has damped the motion of the block out after 3 s; constraints on positions hardly damp the bending
  // of the cloth. A method that conserves energy declares that it does not settle: its declared size bounds the energy,
  // as the energy of several modes may peak after the first swing.
  if (scene.tet_mesh.element_count() > 0) expect_invariant(GetParam(), "settles", last_second, 1e-6);
  if (known_violation(GetParam(), "settles")) return;
  EXPECT_LE(last_second, first_swing);
  EXPECT_LE(furthest, twist);
  if (scene.tet_mesh.element_count() > 0 && configuration(GetParam()).returns_to_rest) {
    EXPECT_LT(furthest, 1e-3);
  }
}

/// The body of the suite, a brick that flies and spins about no principal axis, and a ball that swings as it is told.
Scene with_rigid_bodies(const std::string& name) {
  Scene scene = free_body(name);
  model::RigidBody brick;
  brick.name = "brick";
  brick.shape.kind = model::ShapeKind::Box;
  brick.shape.half_extents = {0.05, 0.1, 0.2};
  brick.mass = 3.0;
  brick.start.position = {0, 0, 3};
  brick.start.orientation = Eigen::AngleAxisd(0.5, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  brick.velocity = {1, 2, -0.5};
  brick.angular_velocity = {1, -2, 3};
  model::RigidBody ball;
  ball.name = "ball";
  ball.shape.radius = 0.1;
  ball.start.position = {0, 0, -3};
  ball.velocity = {0.2, 0, 0};
  ball.angular_velocity = {0, 1, 0};
  ball.swing = {0, 0.3, 0};
  ball.swing_period = 0.7;
  scene.rigid_bodies = {brick, ball};
  return scene;
}

TEST_P(EveryMethod, ARigidBodyInFreeFlightKeepsItsMomenta) {
  const Scene scene = with_rigid_bodies(GetParam());
  if (!support(GetParam(), scene).supported) GTEST_SKIP() << support(GetParam(), scene).reason;
  const Trajectory flown = run(GetParam(), scene, 100);
  ASSERT_EQ(flown.state().rigid_bodies.size(), 2u);
  const RigidBodyState& end = flown.state().rigid_bodies[0];
  const model::RigidBody& start = scene.rigid_bodies[0];
  EXPECT_EQ(end.mass, start.mass);
  EXPECT_LT((end.orientation.transpose() * end.orientation - Matrix3::Identity()).norm(), 1e-12);
  EXPECT_GT((end.orientation - start.start.orientation).norm(), 0.1);
  expect_invariant(GetParam(), "rigid_linear_momentum", (end.velocity - start.velocity).norm() / start.velocity.norm(),
                   1e-11);
  EXPECT_LT((end.position - start.start.position - flown.state().time * start.velocity).norm(),
            1e-12 * configuration(GetParam()).rounding);
  const auto momentum = [&](const Matrix3& r, const Vector3& omega) -> Vector3 {
    return r * model::solid_inertia(start.shape, start.mass) * r.transpose() * omega;
  };
  const Vector3 before = momentum(start.start.orientation, start.angular_velocity);
  expect_invariant(GetParam(), "rigid_angular_momentum",
                   (momentum(end.orientation, end.angular_velocity) - before).norm() / before.norm(), 1e-9);
}

TEST_P(EveryMethod, AKinematicBodyIsWhereItsMotionPutsIt) {
  const Scene scene = with_rigid_bodies(GetParam());
  if (!support(GetParam(), scene).supported) GTEST_SKIP() << support(GetParam(), scene).reason;
  const Trajectory swung = run(GetParam(), scene, 33);
  const RigidBodyState& end = swung.state().rigid_bodies[1];
  const model::Pose pose = scene.rigid_bodies[1].pose_at(swung.state().time);
  EXPECT_LT((end.position - pose.position).norm(), 1e-12);
  EXPECT_LT((end.orientation - pose.orientation).norm(), 1e-12);
  EXPECT_TRUE(std::isinf(end.mass));  // no force moves it
}

TEST_P(EveryMethod, ARigidBodyFallsAsFarAsTheDeformableOne) {
  Scene scene = with_rigid_bodies(GetParam());
  if (!support(GetParam(), scene).supported) GTEST_SKIP() << support(GetParam(), scene).reason;
  scene.gravity = {0, -9.81, 0};
  scene.rigid_bodies[0].velocity.setZero();
  const Trajectory fallen = run(GetParam(), scene, 20);
  const StateView state = fallen.state();
  const double drop = ((scene.rest_positions() - state.positions).transpose() * state.masses)[1] / state.masses.sum();
  // Neither is touched: the same sums of gravity.
  EXPECT_NEAR(-state.rigid_bodies[0].position.y(), drop, 1e-12 * configuration(GetParam()).rounding);
  EXPECT_GT(drop, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(configuration_names()),
                         [](const auto& given) { return given.param; });

}  // namespace deformbench::tests
