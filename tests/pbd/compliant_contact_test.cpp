// SPDX-License-Identifier: BSD-3-Clause
// Contacts with compliance of XPBD: depth at rest, weight, energy of a landing, friction, momentum, refusals.
#include <gtest/gtest.h>

#include <numbers>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/structured.hpp"
#include "methods/pbd/velocity_update.hpp"
#include "methods/registry.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

constexpr double kCompliance = 2e-5;  // m/Pa
constexpr double kGravity = 9.81;

Scene cloth_above(double height, double time_step, double friction = 0.0) {
  Scene scene;
  scene.name = "cloth_above";
  scene.cloth = square_cloth(5, 0.1, 2.0);
  scene.cloth.rest_positions.col(1).setConstant(height);
  scene.gravity = {0, -kGravity, 0};
  scene.time_step = time_step;
  scene.colliders = {{{0, 1, 0}, 0.0, friction, 0.0}};
  return scene;
}

Scene block_above(double height, double time_step) {
  Scene scene;
  scene.name = "block_above";
  scene.tet_mesh = model::make_block({3, 2, 3}, Vector3(0, height, 0), Vector3(0.3, 0.2, 0.3));
  scene.materials = {{1e5, 0.3, 1000.0}};
  scene.gravity = {0, -kGravity, 0};
  scene.time_step = time_step;
  scene.colliders = {{{0, 1, 0}, 0.0, 0.0, 0.0}};
  return scene;
}

/// Σ area × depth/α over vertices below the plane y = 0, N.
double contact_force(const Eigen::VectorXd& areas, const PointsView& positions) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < areas.size(); ++i) sum += areas[i] * std::max(-positions(i, 1), 0.0) / kCompliance;
  return sum;
}

double energy(const Eigen::VectorXd& areas, const StateView& state) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < areas.size(); ++i) {
    const double depth = std::max(-state.positions(i, 1), 0.0);
    sum += 0.5 * state.masses[i] * state.velocities.row(i).squaredNorm() +
           state.masses[i] * kGravity * state.positions(i, 1) + 0.5 * areas[i] * depth * depth / kCompliance;
  }
  return sum;
}

TEST(CompliantContact, ClothAtRestSinksByTheComplianceTimesItsPressure) {
  for (const double time_step : {0.001, 0.01})
    for (const long long iterations : {1LL, 10LL}) {
      const auto simulation =
          make("xpbd", cloth_above(0.01, time_step),
               {{"contact_compliance_m_per_pa", kCompliance}, {"iterations", iterations}, {"mass_damping_1_s", 20.0}});
      for (int k = 0; k < int(std::lround(3.0 / time_step)); ++k) simulation->step();
      const double depth = kCompliance * 2.0 * kGravity;  // area density × g
      for (Eigen::Index i = 0; i < 25; ++i)
        EXPECT_NEAR(simulation->state().positions(i, 1), -depth, 1e-6 * depth) << time_step << ' ' << iterations;
    }
}

TEST(CompliantContact, ABlockAtRestCarriesItsWeight) {
  const Scene scene = block_above(0.0, 0.01);
  const Eigen::VectorXd areas = model::contact_areas(scene.tet_mesh);
  for (const char* solve : {"newton", "coupled"}) {
    const auto simulation = make("xpbd", scene,
                                 {{"contact_compliance_m_per_pa", kCompliance},
                                  {"solid_solve", std::string(solve)},
                                  {"iterations", std::string(solve) == "newton" ? 200LL : 10LL},
                                  {"substeps", std::string(solve) == "newton" ? 1LL : 20LL},
                                  {"mass_damping_1_s", 20.0}});
    for (int k = 0; k < 150; ++k) simulation->step();
    const double weight = simulation->state().masses.sum() * kGravity;
    EXPECT_NEAR(contact_force(areas, simulation->state().positions), weight, 1e-3 * weight) << solve;
  }
}

TEST(CompliantContact, ALandingMakesNoEnergy) {
  for (const double time_step : {0.001, 0.005, 0.016}) {
    const Scene scene = cloth_above(0.2, time_step);
    const Eigen::VectorXd areas = model::vertex_areas(scene.cloth.rest_positions, scene.cloth.triangles);
    const auto simulation = make("xpbd", scene, {{"contact_compliance_m_per_pa", kCompliance}});
    // The cloth stays flat and stores no elastic energy: all that is supplied is its potential energy at the start.
    const double supplied = energy(areas, simulation->state());
    double lowest = 0.0;
    for (int k = 0; k < int(std::lround(1.0 / time_step)); ++k) {
      simulation->step();
      EXPECT_LT(energy(areas, simulation->state()), supplied * (1.0 + 1e-12)) << time_step << ' ' << k;
      lowest = std::min(lowest, simulation->state().positions.col(1).minCoeff());
    }
    EXPECT_LT(lowest, -1e-5);
  }
}

TEST(CompliantContact, ClothSticksOnASlopeOfLessThanItsFriction) {
  for (const double ratio : {0.95, 1.05}) {  // of the slope to the friction
    constexpr double kFriction = 0.5;
    Scene scene = cloth_above(0.0, 0.002, kFriction);
    const double angle = std::atan(ratio * kFriction);
    scene.gravity = kGravity * Vector3(std::sin(angle), -std::cos(angle), 0);
    const auto simulation = make("xpbd", scene, {{"contact_compliance_m_per_pa", kCompliance}, {"iterations", 5LL}});
    for (int k = 0; k < 500; ++k) simulation->step();  // the first bounces
    const double speed = simulation->state().velocities.col(0).mean();
    for (int k = 0; k < 500; ++k) simulation->step();
    const double gained = simulation->state().velocities.col(0).mean() - speed;  // in 1 s
    const double slides = kGravity * (std::sin(angle) - kFriction * std::cos(angle));
    EXPECT_NEAR(gained, std::max(slides, 0.0), 0.02 * kGravity) << ratio;
    if (ratio < 1.0) {
      EXPECT_LT(std::abs(simulation->state().velocities.col(0).mean()), 1e-6);
    }
  }
}

TEST(CompliantContact, WithAFreeBodyKeepsTheMomentum) {
  Scene scene = cloth_above(0.12, 0.002);
  scene.gravity.setZero();
  scene.colliders.clear();
  model::RigidBody body;
  body.shape.kind = model::ShapeKind::Box;
  body.shape.half_extents = {0.5, 0.1, 0.5};
  body.mass = 1.0;
  body.start.position = {0.2, 0, 0.2};
  scene.rigid_bodies = {body};
  scene.initial_velocities = Points::Zero(25, 3);
  scene.initial_velocities.col(1).setConstant(-1.0);
  const auto simulation = make("xpbd", scene, {{"contact_compliance_m_per_pa", kCompliance}});
  const auto momentum = [&]() -> Vector3 {
    const StateView state = simulation->state();
    return (state.masses.transpose() * state.velocities).transpose() + state.rigid_bodies[0].velocity;
  };
  const Vector3 before = momentum();
  for (int k = 0; k < 200; ++k) simulation->step();
  EXPECT_LT((momentum() - before).norm(), 1e-10 * before.norm());
  EXPECT_LT(simulation->state().rigid_bodies[0].velocity.y(), -0.1);
}

TEST(CompliantContact, ThatLetsGoGivesItsFrictionBack) {
  Scene scene = particle_scene(Points::Zero(1, 3), Eigen::VectorXd::Constant(1, 2.0));
  RigidBodies bodies(scene);
  const Eigen::VectorXd w = Eigen::VectorXd::Constant(1, 0.5), compliance = Eigen::VectorXd::Constant(1, 1e-4);
  const std::vector<BodyContact> contacts{
      {0, -1, Vector3::Zero(), Vector3::UnitY(), Vector3::Zero(), 0.5, 0.0, true, Vector3::Zero(), Vector3::UnitY()}};
  const Points x = Points::Zero(1, 3);
  Points p(1, 3);
  p << 0.01, -0.01, 0;
  const PbdOptions options = options_of("xpbd", {{"contact_compliance_m_per_pa", 1e-4}});
  VelocityUpdateRule rule;
  rule.begin(contacts, Points::Zero(1, 3), 0.0, 0.01, compliance);
  rule.project(bodies, w, options, x, p);
  EXPECT_LT(p(0, 0), 0.01 - 1e-4);  // friction holds it
  p(0, 1) += 0.1;                   // others pull it away
  rule.project(bodies, w, options, x, p);
  EXPECT_NEAR(p(0, 0), 0.01, 1e-15);
}

TEST(CompliantContact, IsKeptForAVertexThatLeavesWithinTheStep) {
  Scene scene = particle_scene(Points::Zero(1, 3), Eigen::VectorXd::Constant(1, 2.0));
  scene.colliders = {{{0, 1, 0}, 0.0, 0.0, 0.0}};
  const RigidBodies bodies(scene);
  Points x(1, 3), p(1, 3);
  x << 0, -1e-3, 0;
  p << 0, 1e-3, 0;
  std::vector<BodyContact> contacts;
  for (const double compliance : {0.0, 1e-4}) {
    const PbdOptions options = options_of("xpbd", {{"contact_compliance_m_per_pa", compliance}});
    find_body_contacts(scene, x, p, Eigen::VectorXd::Constant(1, 0.5), bodies.motion(), options, contacts);
    EXPECT_EQ(contacts.size(), compliance > 0.0 ? 1u : 0u);
  }
}

TEST(CompliantContact, NeedsASurfaceAndADetectionThatSeesDepth) {
  Registry registry;
  register_pbd(registry);
  const auto& method = registry.at("xpbd");
  const auto reason = [&](const Scene& scene, Settings settings) {
    settings["contact_compliance_m_per_pa"] = kCompliance;
    return method.supports(scene, Parameters(method.parameters, settings, "xpbd")).reason;
  };
  EXPECT_EQ(reason(cloth_above(0.1, 0.01), {}), "");
  Scene bouncy = cloth_above(0.1, 0.01);
  bouncy.colliders[0].restitution = 0.5;
  EXPECT_NE(reason(bouncy, {}).find("restitution"), std::string::npos);
  EXPECT_NE(reason(hanging_chain(2, 0.1, 1.0), {}).find("needs a surface"), std::string::npos);
  EXPECT_NE(reason(cloth_above(0.1, 0.01), {{"detection", std::string("continuous")}}).find("sees none"),
            std::string::npos);
  EXPECT_NE(reason(cloth_above(0.1, 0.01), {{"velocity_update", std::string("as_printed")}}).find("as_printed"),
            std::string::npos);
}

}  // namespace
}  // namespace deformbench::pbd
