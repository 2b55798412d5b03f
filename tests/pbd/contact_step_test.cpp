// SPDX-License-Identifier: BSD-3-Clause
// Friction, restitution, attachments and rigid bodies in the step, against closed forms and conservation.
#include <gtest/gtest.h>

#include <numbers>

#include "methods/facets.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

Scene one_particle(const Vector3& position, double time_step = 0.01) {
  Points x(1, 3);
  x.row(0) = position;
  return particle_scene(x, Eigen::VectorXd::Constant(1, 2.0), time_step);
}

model::PlaneCollider plane(const Vector3& normal, double friction, double restitution) {
  return {normal, 0.0, friction, restitution};
}

/// Speed after the first bounce over the speed of arrival, dropped from `height`.
double rebound(double height, double restitution, const char* rule) {
  Scene scene = one_particle({0, height, 0}, 0.002);
  scene.gravity = {0, -9.81, 0};
  scene.colliders = {plane({0, 1, 0}, 0.0, restitution)};
  const auto simulation = make("pbd", scene, {{"velocity_update", std::string(rule)}});
  double before = 0.0;
  for (int k = 0; k < 2000; ++k) {
    before = simulation->state().velocities(0, 1);
    simulation->step();
    const auto& contacts = facet_of<ContactFacet>(*simulation);
    if (contacts.step_contacts().with_bodies > 0) break;
  }
  return simulation->state().velocities(0, 1) / -before;
}

// PBD-15. The velocity before the projection has the gravity of the whole step: g Δt / v is 0.6 % here.
TEST(Restitution, OfTheVelocityBeforeTheProjectionIsWhatTheCoefficientSays) {
  for (const double e : {0.3, 0.7, 1.0})
    for (int k = 0; k < 20; ++k) EXPECT_NEAR(rebound(0.5 + 0.0137 * k, e, "coulomb"), e, 0.01 * e);
}

// B-PBD-6: uniform in (0, e): the standard deviation of the mean of 200 is 0.02 e. [MHHR07] §3.4
TEST(Restitution, AsPrintedDependsOnWhereTheStepMeetsTheGround) {
  double sum = 0.0, least = 1.0, most = 0.0;
  for (int k = 0; k < 200; ++k) {
    const double e = rebound(0.5 + 0.00137 * k, 1.0, "as_printed");
    sum += e, least = std::min(least, e), most = std::max(most, e);
  }
  EXPECT_NEAR(sum / 200, 0.5, 0.08);
  EXPECT_LT(least, 0.1);
  EXPECT_GT(most, 0.9);
}

TEST(Restitution, LetsARestingParticleRest) {
  Scene scene = one_particle({0, 0, 0});
  scene.gravity = {0, -9.81, 0};
  scene.colliders = {plane({0, 1, 0}, 0.5, 1.0)};
  const auto simulation = make("pbd", scene);
  for (int k = 0; k < 100; ++k) simulation->step();
  EXPECT_LT(std::abs(simulation->state().positions(0, 1)), 1e-12);
  EXPECT_LT(simulation->state().velocities.row(0).norm(), 1e-12);
}

/// Way and speed along a slope of 30° after `steps` steps of 0.01 s from rest.
std::pair<double, double> slide(double friction, const char* rule, int steps) {
  const double angle = std::numbers::pi / 6;
  const Vector3 normal(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
  Scene scene = one_particle(Vector3::Zero());
  scene.gravity = {0, -9.81, 0};
  scene.colliders = {plane(normal, friction, 0.0)};
  const auto simulation = make("pbd", scene, {{"velocity_update", std::string(rule)}});
  for (int k = 0; k < steps; ++k) simulation->step();
  return {down.dot(Vector3(simulation->state().positions.row(0))),
          down.dot(Vector3(simulation->state().velocities.row(0)))};
}

// a = g (sin α − μ cos α) below the angle of friction, none above. PBD-15
TEST(Friction, OfCoulombSlidesAndSticks) {
  const double angle = std::numbers::pi / 6;
  EXPECT_NEAR(slide(0.5, "coulomb", 100).second, 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)), 1e-9);
  EXPECT_NEAR(slide(0.5, "coulomb", 100).second, 0.65715, 1e-5);
  EXPECT_NEAR(slide(0.6, "coulomb", 500).first, 0.0, 1e-12);  // tan 30° = 0.577
  EXPECT_NEAR(slide(0.57, "coulomb", 100).second, 9.81 * (std::sin(angle) - 0.57 * std::cos(angle)), 1e-9);
}

// B-PBD-7: damping has a terminal speed in place of a threshold.
TEST(Friction, AsPrintedNeverSticks) {
  EXPECT_GT(slide(0.6, "as_printed", 500).first, 0.05);
  const double early = slide(0.6, "as_printed", 400).second, late = slide(0.6, "as_printed", 500).second;
  EXPECT_GT(late, 0.01);
  EXPECT_NEAR(late, early, 1e-9);
}

// PBD-41. All of the velocity along the surface goes with a coefficient of one, and no more with a larger one.
TEST(Friction, AsPrintedNeverTurnsAParticleRound) {
  EXPECT_NEAR(slide(1.0, "as_printed", 100).second, 0.0, 1e-12);
  EXPECT_NEAR(slide(1.5, "as_printed", 100).second, 0.0, 1e-12);
}

TEST(Friction, CarriesAParticleAlongWithAMovingBody) {
  Scene scene = one_particle({0, 0.1, 0});
  scene.gravity = {0, -9.81, 0};
  model::RigidBody belt;
  belt.name = "belt";
  belt.shape.kind = model::ShapeKind::Box;
  belt.shape.half_extents = {50, 0.1, 1};
  belt.velocity = {0.5, 0, 0};
  belt.friction = 0.4;
  scene.rigid_bodies = {belt};
  const auto simulation = make("pbd", scene);
  for (int k = 0; k < 100; ++k) simulation->step();
  // It slides for v/(μ g) = 0.13 s, then it is carried.
  EXPECT_NEAR(simulation->state().velocities(0, 0), 0.5, 1e-9);
  EXPECT_NEAR(simulation->state().positions(0, 1), 0.1, 1e-9);
}

Scene ball_and_particle(double restitution, double friction) {
  Scene scene = one_particle({0.03, 0.3, 0});
  scene.initial_velocities.resize(1, 3);
  scene.initial_velocities << 0.2, -3, 0.1;
  model::RigidBody ball;
  ball.name = "ball";
  ball.shape.kind = model::ShapeKind::Sphere;
  ball.shape.radius = 0.1;
  ball.mass = 3.0;
  ball.velocity = {0, 0.5, 0};
  ball.angular_velocity = {0.3, 0.1, -2};
  ball.restitution = restitution;
  ball.friction = friction;
  scene.rigid_bodies = {ball};
  return scene;
}

// PBD-21, with friction and restitution: nothing acts from outside. [MHHR07] §4.2
TEST(RigidBody, AndAParticleThatHitsItKeepTheirMomenta) {
  for (const auto& [friction, mass] : {std::pair(0.0, 3.0), {0.5, 3.0}, {0.5, 0.05}}) {
    Scene scene = ball_and_particle(0.8, friction);
    scene.rigid_bodies[0].mass = mass;
    const auto simulation = make("pbd", scene, {{"iterations", 20LL}});
    const Vector3 linear = linear_momentum(*simulation), angular = angular_momentum(*simulation);
    for (int k = 0; k < 30; ++k) simulation->step();
    EXPECT_GT(simulation->state().velocities(0, 1), mass > 1.0 ? 0.0 : -2.99);  // they have met
    EXPECT_LT((linear_momentum(*simulation) - linear).norm(), 1e-12 * linear.norm());
    // The body is moved in the middle of the step, the vertex at its end: as for the dumbbell (B-PBD-5).
    EXPECT_LT((angular_momentum(*simulation) - angular).norm(), 0.05 * angular.norm());
  }
}

TEST(RigidBody, ReboundsByTheCoefficient) {
  Scene scene = ball_and_particle(0.8, 0.0);
  scene.particles.rest_positions.row(0) << 0, 0.3, 0;
  scene.initial_velocities << 0, -3, 0;
  scene.rigid_bodies[0].angular_velocity.setZero();  // or its surface leaves the tangent by ω²rΔt/2 within the step
  const auto simulation = make("pbd", scene, {{"iterations", 20LL}});
  for (int k = 0; k < 30; ++k) simulation->step();
  const StateView state = simulation->state();
  EXPECT_NEAR(state.velocities(0, 1) - state.rigid_bodies[0].velocity.y(), 0.8 * 3.5, 1e-9);
  const Vector3 centre_speed = (2.0 * Vector3(0, -3, 0) + 3.0 * Vector3(0, 0.5, 0)) / 5.0;
  EXPECT_LT((linear_momentum(*simulation) / 5.0 - centre_speed).norm(), 1e-12);
}

// PBD-21. A step moves the vertex by m Δp from x on, and gives the body the same at q_c, on the way of the vertex in
// that step: of the angular momentum goes at most that way times m Δp/Δt, in each of the few steps of an impact.
TEST(RigidBody, ThatGetsAnImpulseAfterTheIterationsKeepsLinearMomentumAndAngularMomentumToFirstOrderInTheStep) {
  for (const bool is_impulse : {true, false}) {
    Scene scene = ball_and_particle(0.0, 0.0);
    const auto simulation = make("pbd", scene, {{"reaction", std::string(is_impulse ? "impulse" : "corrected")}});
    const Vector3 linear = linear_momentum(*simulation);
    double way_times_impulse = 0.0;
    Vector3 angular = angular_momentum(*simulation), lost = Vector3::Zero();
    for (int k = 0; k < 30; ++k) {
      const Vector3 before = Vector3(simulation->state().velocities.row(0));
      simulation->step();
      const Vector3 change = Vector3(simulation->state().velocities.row(0)) - before;
      way_times_impulse += 2.0 * change.norm() * scene.time_step * 2.0 * 3.6;  // speeds below 3.6 m/s, of both
    }
    lost = angular_momentum(*simulation) - angular;
    EXPECT_GT(way_times_impulse, 0.1);  // they have met
    EXPECT_LT((linear_momentum(*simulation) - linear).norm(), 1e-12 * linear.norm());
    EXPECT_LT(lost.norm(), way_times_impulse);
  }
}

TEST(RigidBody, GetsTheWrongSignAsPrinted) {
  const auto simulation = make("pbd", ball_and_particle(0.8, 0.0), {{"reaction", std::string("as_printed")}});
  const Vector3 linear = linear_momentum(*simulation);
  for (int k = 0; k < 30; ++k) simulation->step();
  EXPECT_GT((linear_momentum(*simulation) - linear).norm(), 0.5 * linear.norm());
}

Scene hanging_from_cloth(bool pulls_body) {
  Scene scene;
  scene.name = "stripe";
  scene.cloth = square_cloth(3, 0.1, 1.0);
  model::RigidBody box;
  box.name = "box";
  box.shape.kind = model::ShapeKind::Box;
  box.shape.half_extents = {0.05, 0.02, 0.02};
  box.mass = 0.05;
  box.start.position = {0.1, -0.03, 0.25};
  box.velocity = {0.2, -0.5, 0.1};
  scene.rigid_bodies = {box};
  scene.attachments = {{7, 0, pulls_body}};
  return scene;
}

// PBD-21: an attachment acts and reacts.
TEST(Attachment, OfTwoWaysKeepsTheLinearMomentum) {
  const auto simulation = make("pbd", hanging_from_cloth(true), {{"corner_contacts", false}, {"iterations", 50LL}});
  const Vector3 linear = linear_momentum(*simulation);
  for (int k = 0; k < 50; ++k) ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
  EXPECT_LT((linear_momentum(*simulation) - linear).norm(), 1e-12 * linear.norm());
  EXPECT_GT(simulation->state().velocities.norm(), 0.05);  // the box has drawn the cloth along
}

// [MHHR07] §3.6
TEST(Attachment, OfOneWayFollowsTheBodyExactly) {
  const Scene scene = hanging_from_cloth(false);
  const auto simulation = make("pbd", scene, {{"corner_contacts", false}});
  const Vector3 anchor = Vector3(scene.cloth.rest_positions.row(7)) - scene.rigid_bodies[0].start.position;
  for (int k = 0; k < 20; ++k) {
    simulation->step();
    const StateView state = simulation->state();
    const Vector3 place = state.rigid_bodies[0].position + state.rigid_bodies[0].orientation * anchor;
    EXPECT_LT((Vector3(state.positions.row(7)) - place).norm(), 1e-14);
    EXPECT_LT((state.rigid_bodies[0].velocity - scene.rigid_bodies[0].velocity).norm(), 1e-12);  // no reaction
  }
}

TEST(Contacts, AreCountedByKind) {
  Scene scene = one_particle({0, 0.001, 0});
  scene.gravity = {0, -9.81, 0};
  scene.colliders = {plane({0, 1, 0}, 0.0, 0.0)};
  const auto simulation = make("pbd", scene);
  for (int k = 0; k < 5; ++k) simulation->step();
  const auto contacts = facet_of<ContactFacet>(*simulation).step_contacts();
  EXPECT_EQ(contacts.with_bodies, 1);
  EXPECT_EQ(contacts.with_itself, 0);
  EXPECT_EQ(contacts.corners, 0);
}

}  // namespace
}  // namespace deformbench::pbd
