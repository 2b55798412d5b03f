// SPDX-License-Identifier: BSD-3-Clause
// Finite elements against planes: an overlap is closed without a push, several planes at once leave nobody behind, and
// what the contact does not know is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "methods/fem/body/contact.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

/// One tetrahedron so soft that its vertices move as if they were alone, at `lift` above its rest place.
Scene soft_tetrahedron(double lift) {
  Scene scene = tetrahedron_scene();
  scene.materials[0].young_modulus = 1e-6;
  scene.initial_positions = scene.tet_mesh.rest_positions.rowwise() + Eigen::RowVector3d(0, lift, 0);
  return scene;
}

double depth_below(const std::vector<model::PlaneCollider>& planes, const Points& x) {
  double depth = 0.0;
  for (const auto& plane : planes) depth = std::max(depth, plane.offset - (x * plane.normal).minCoeff());
  return depth;
}

TEST(PlaneContact, ClosesAnOverlapOfFiveCentimetresWithoutThrowingTheBodyUp) {
  // Depth over Δt would be 5 m/s. The vertices are put on the plane and stay as slow as they were.
  for (const char* precision : {"double", "float"}) {
    Scene scene = soft_tetrahedron(-0.05);
    scene.colliders = {{Vector3::UnitY(), 0.0, 0.3}};
    const auto simulation = make(
        "warped_fem", scene,
        {{"precision", std::string(precision)}, {"cg_tolerance", 1e-5}, {"contact_rule", std::string("after_solve")}});
    for (int k = 0; k < 20; ++k) {
      simulation->step();
      EXPECT_GE(simulation->state().positions.col(1).minCoeff(), -1e-8);
      EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 1e-5) << precision << " step " << k;
    }
  }
}

TEST(PlaneContact, ABodyOfOrdinaryStiffnessLeavesAnOverlapWithNoMoreThanItsElasticEnergy) {
  // E = 1e5: what the elements store when the overlap has been closed is all that they can give back.
  Scene scene = block_scene({2, 2, 2});
  scene.colliders = {{Vector3::UnitY(), 0.05, 0.0}};
  const auto simulation = make("warped_fem", scene, after_solve);
  simulation->step();
  const auto energy = [&] {
    const StateView state = simulation->state();
    return 0.5 * (state.masses.asDiagonal() * state.velocities).cwiseProduct(state.velocities).sum() +
           facet_of<ElasticityFacet>(*simulation).elastic_energy(state.positions);
  };
  const double stored = energy();
  EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 1e-9);  // no kinetic energy yet
  for (int k = 0; k < 50; ++k) {
    simulation->step();
    EXPECT_LE(energy(), stored * (1 + 1e-9)) << k;
    EXPECT_GE(simulation->state().positions.col(1).minCoeff(), 0.05 - 1e-12);
  }
}

// [CS6967] §2.4
TEST(PlaneContact, AVertexThatArrivesStopsOnThePlane) {
  // 1 m/s down, 4 mm above: with Δt = 10 ms it would end 6 mm below. It ends on the plane, and then rests there.
  Scene scene = soft_tetrahedron(0.004);
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.0}};
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.col(1).setConstant(-1.0);
  const auto simulation = make("warped_fem", scene, after_solve);
  simulation->step();
  EXPECT_NEAR(simulation->state().positions(0, 1), 0.0, 1e-12);
  EXPECT_NEAR(simulation->state().velocities(0, 1), -0.4, 1e-6);
  simulation->step();
  EXPECT_NEAR(simulation->state().positions(0, 1), 0.0, 1e-12);
  EXPECT_NEAR(simulation->state().velocities(0, 1), 0.0, 1e-6);
}

TEST(PlaneContact, DoesNotSlowAVertexThatRisesFromBelow) {
  // 1 m/s up, 5 cm below the plane, friction on it: put on the plane, as fast as it was, across and along.
  Scene scene = soft_tetrahedron(-0.05);
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.5}};
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.rowwise() = Eigen::RowVector3d(0.3, 1.0, 0.0);
  const auto simulation = make("warped_fem", scene, after_solve);
  simulation->step();
  EXPECT_NEAR(simulation->state().positions(0, 1), 0.0, 1e-12);
  EXPECT_LT((simulation->state().velocities.rowwise() - Eigen::RowVector3d(0.3, 1.0, 0.0)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(PlaneContact, OfAWedgeLeavesNoVertexBehindEitherPlaneInWhateverOrder) {
  // Two planes that meet at an acute angle: to be pushed out of the second pushes a vertex behind the first.
  for (const double angle : {0.3, 1.0, 2.0, 2.9}) {
    for (const bool swapped : {false, true}) {
      Scene scene = soft_tetrahedron(0.12);
      const Vector3 tilted(std::sin(angle), std::cos(angle), 0);
      std::vector<model::PlaneCollider> planes = {{Vector3::UnitY(), 0.0, 0.2}, {tilted, 0.0, 0.2}};
      if (swapped) std::swap(planes[0], planes[1]);
      scene.colliders = planes;
      scene.initial_positions = scene.initial_positions.rowwise() + Eigen::RowVector3d(0.05, 0.0, 0);
      scene.initial_velocities = Points::Zero(4, 3);
      scene.initial_velocities.rowwise() = Eigen::RowVector3d(-3.0, -5.0, 0.7);
      const auto simulation = make("warped_fem", scene, after_solve);
      double closest = 1.0;
      for (int k = 0; k < 25; ++k) {
        simulation->step();
        const StateView state = simulation->state();
        EXPECT_LT(depth_below(planes, state.positions), 1e-12) << angle << " step " << k;
        closest = std::min(closest, state.positions.leftCols<2>().rowwise().norm().minCoeff());
      }
      if (angle > 1.5) {
        EXPECT_LT(closest, 1e-6) << angle;
      }  // a narrow wedge: somebody did reach its edge
    }
  }
}

TEST(PlaneContact, InACornerOfThreePlanesStopsAVertexInTheCorner) {
  Scene scene = soft_tetrahedron(0.0);
  scene.colliders = {{Vector3::UnitX(), -0.01, 0.0}, {Vector3::UnitY(), -0.01, 0.0}, {Vector3::UnitZ(), -0.01, 0.0}};
  scene.initial_velocities = Points::Constant(4, 3, -2.0);
  const auto simulation = make("warped_fem", scene, after_solve);
  simulation->step();
  EXPECT_LT((simulation->state().positions.row(0) - Eigen::RowVector3d::Constant(-0.01)).norm(), 1e-12);
  simulation->step();
  EXPECT_LT(simulation->state().velocities.row(0).norm(), 1e-6);
}

TEST(PlaneContact, SlidesAlongTheEdgeOfAWedgeWithTheFrictionOfBothPlanes) {
  // A right-angled trough along z, 45° either side; pressed down by Δv = g Δt, each plane takes gΔt/√2. Without
  // friction 1 m/s along z stays; with μ it loses μ (λ1 + λ2) = μ √2 g Δt a step.
  const double half = std::sqrt(0.5), friction = 0.1;
  for (const double mu : {0.0, friction}) {
    Scene scene = soft_tetrahedron(0.0);
    scene.gravity = {0, -9.81, 0};
    // Its first vertex alone touches: a trough whose edge runs through it.
    scene.colliders = {{{half, half, 0}, 0.0, mu}, {{-half, half, 0}, 0.0, mu}};
    scene.initial_positions.col(1) += 10.0 * scene.initial_positions.col(0).cwiseAbs();  // the others well above
    scene.initial_velocities = Points::Zero(4, 3);
    scene.initial_velocities.col(2).setConstant(1.0);
    const auto simulation = make("warped_fem", scene, after_solve);
    simulation->step();
    EXPECT_NEAR(simulation->state().velocities(0, 2), 1.0 - mu * std::sqrt(2.0) * 9.81 * 0.01, 1e-6) << mu;
    EXPECT_NEAR(simulation->state().velocities(0, 0), 0.0, 1e-9);
    EXPECT_NEAR(simulation->state().velocities(0, 1), 0.0, 1e-9);
  }
}

TEST(PlaneContact, RefusesARestitutionThatItDoesNotKnow) {
  Scene scene = soft_tetrahedron(0.1);
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.3, 0.0}};
  const Registry registry = element_methods();
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    const MethodDescriptor& method = registry.at(id);
    const Parameters parameters(method.parameters, {}, id);
    scene.colliders[0].restitution = 0.0;
    EXPECT_TRUE(method.supports(scene, parameters).supported) << id;
    scene.colliders[0].restitution = 0.5;
    const Support refused = method.supports(scene, parameters);
    EXPECT_FALSE(refused.supported) << id;
    EXPECT_THAT(refused.reason, testing::HasSubstr("restitution 0.5")) << id;
  }
}

// [CS6967] §2.4
TEST(PrintedContact, ProjectsAndSetsTheNormalVelocityToThatOfTheObstacleUnlessItLeaves) {
  const double dt = 0.01;
  const std::vector<model::PlaneCollider> floor{{Vector3::UnitY(), 0.0, 0.5}};
  const auto on_floor = [&](const Vector3& x, const Vector3& v) { return project_onto_obstacles(floor, {}, x, v, dt); };
  const Vector3 falling(2, -3, 0), start(0, 0.01, 0);
  const auto met = on_floor(start, falling);
  ASSERT_TRUE(met);
  EXPECT_LT((start + dt * met->velocity + met->shift - Vector3(0.02, 0, 0)).norm(), 1e-16);
  EXPECT_LT((met->velocity - Vector3(0.5, 0, 0)).norm(), 1e-15);  // friction: μ times the 3 m/s
  EXPECT_FALSE(on_floor(start, -falling));
  const auto leaving = on_floor({0, -0.05, 0}, {1, 2, 0});
  ASSERT_TRUE(leaving);
  EXPECT_EQ(leaving->velocity, Vector3(1, 2, 0));
  EXPECT_NEAR(-0.05 + dt * leaving->velocity.y() + leaving->shift.y(), 0.0, 1e-16);

  model::RigidBody ball;  // rises
  ball.shape.radius = 0.5;
  ball.velocity = {0, 1, 0};
  const Obstacle risen(ball, 0.0, dt);
  const auto lifted = project_onto_obstacles({}, std::span(&risen, 1), Vector3(0, 0.5, 0), Vector3(3, 0, 0), dt);
  ASSERT_TRUE(lifted);
  const Vector3 from_centre = Vector3(0, 0.49, 0) + dt * lifted->velocity + lifted->shift;
  EXPECT_NEAR(from_centre.norm(), 0.5, 1e-15);
  EXPECT_NEAR((lifted->velocity - ball.velocity).dot(from_centre), 0.0, 1e-14);

  const Vector3 slope = Vector3(1, 2, 3) / std::sqrt(14.0);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto held = project_onto_obstacles(std::vector<model::PlaneCollider>{{slope, 0.0, 0.0}}, {}, Vector3::Zero(),
                                             Vector3(-1, -0.5, -0.7), dt, numerics::with_component(0, axis));
    ASSERT_TRUE(held) << axis;
    EXPECT_NEAR(slope.dot(dt * held->velocity + held->shift), 0.0, 1e-16) << axis;
    EXPECT_NEAR(slope.dot(held->velocity), 0.0, 1e-15) << axis;
    EXPECT_EQ(held->velocity[Eigen::Index(axis)], axis == 0 ? -1.0 : axis == 1 ? -0.5 : -0.7);
  }
}

TEST(PlaneContact, AfterTheSolveHasACaveatWithTheOverpressureAtRest) {
  Scene scene = block_scene({2, 2, 2}, 0.1, model::BlockSplit::KuhnSix);  // Δt²E/(ρh²) = 1
  const double k = 2 * 0.67 / (1.33 * 0.34);
  EXPECT_NEAR(overpressure_at_rest(scene, 0.0), 1 + k, 1e-9);
  EXPECT_NEAR(overpressure_at_rest(scene, 200.0), 1 + k / 3, 1e-9);
  const Registry registry = element_methods();
  const auto caveat = [&](const std::string& id, const Settings& settings = {}) {
    const MethodDescriptor& method = registry.at(id);
    const Support support = method.supports(scene, Parameters(method.parameters, settings, id));
    EXPECT_TRUE(support.supported) << id;
    return support.reason;
  };
  EXPECT_EQ(caveat("warped_fem"), "");
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.0}};
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    EXPECT_THAT(caveat(id, after_solve), testing::HasSubstr("some 4 times those of the weight")) << id;
    EXPECT_EQ(caveat(id), "") << id;
  }
  EXPECT_THAT(caveat("implicit_fem", after_solve), testing::HasSubstr("some 4 times"));
  EXPECT_EQ(caveat("implicit_fem"), "");
  EXPECT_EQ(caveat("implicit_fem", {{"scheme", std::string("bdf2")}}), "");
  EXPECT_EQ(caveat("explicit_fem"), "");
  scene.time_step = 2e-4;  // less than a hundredth of the weight
  EXPECT_EQ(caveat("warped_fem"), "");
}

TEST(PrintedContact, IsARuleOfEveryMethodWithContact) {
  // A block 4 mm above the floor falls with 1 m/s: after 10 ms its lowest vertices are on it, with −gap/Δt after the
  // solve, and with none by the printed rule.
  Scene scene = block_scene({1, 1, 1});
  scene.colliders = {{Vector3::UnitY(), -0.004, 0.0}};
  scene.initial_velocities = Points::Zero(8, 3);
  scene.initial_velocities.col(1).setConstant(-1.0);
  for (const std::string id :
       {"linear_fem", "warped_fem", "vertex_warped_fem", "explicit_fem", "implicit_fem", "invertible_fem"})
    for (const bool is_printed : {false, true}) {
      Settings settings{{"contact_rule", std::string(is_printed ? "as_printed" : "after_solve")}};
      if (id == "explicit_fem" || id == "invertible_fem") settings["substeps"] = 1LL;
      const auto simulation = make(id, scene, settings);
      simulation->step();
      const StateView state = simulation->state();
      for (Eigen::Index i = 0; i < 8; ++i) {
        const bool is_low = scene.tet_mesh.rest_positions(i, 1) == 0.0;
        EXPECT_NEAR(state.positions(i, 1), is_low ? -0.004 : 0.09, 1e-9) << id;
        EXPECT_NEAR(state.velocities(i, 1), is_low ? (is_printed ? 0.0 : -0.4) : -1.0, 1e-7) << id;
      }
    }
}

}  // namespace
}  // namespace deformbench::fem
