// SPDX-License-Identifier: BSD-3-Clause
// check_scene refuses every number that is not finite, wherever it stands in a scene, in one line that names it.
#include <functional>
#include <limits>

#include "methods/model/scene.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using ::testing::HasSubstr;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// A tetrahedron with one of everything that a scene of elements can have.
Scene furnished() {
  Scene scene;
  scene.name = "furnished";
  scene.tet_mesh.rest_positions.resize(4, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  scene.tet_mesh.tetrahedra.resize(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  scene.materials = {Material{}};
  scene.skin = unit_tetrahedron_surface();
  scene.initial_positions = scene.tet_mesh.rest_positions;
  scene.initial_velocities = Points::Zero(4, 3);
  PrescribedMotion held, motion;
  held.vertices = {3};
  motion.vertices = {0, 1};
  motion.targets = scene.tet_mesh.rest_positions.topRows(2);
  scene.prescribed = {held, motion};
  scene.point_loads = {{0, Vector3(1, 0, 0), {}}, {2, Vector3(0, 1, 0), {}}};
  TractionLoad traction;
  traction.triangles.resize(1, 3);
  traction.triangles << 0, 1, 2;
  scene.traction_loads = {traction};
  scene.colliders = {PlaneCollider{Vector3::UnitY(), -10.0}, PlaneCollider{Vector3::UnitX(), -10.0}};
  HeatSource source;
  source.radius = 0.5;
  source.plastic_max = 1.0;
  scene.heat_sources = {source};
  scene.gravity = {0, -9.81, 0};
  return scene;
}

struct Fault {
  std::function<void(Scene&)> make;
  std::string words;
};

void expect_refused(const std::vector<Fault>& faults) {
  ASSERT_EQ(input_error_of([] { check_scene(furnished()); }), "");
  for (const Fault& fault : faults) {
    Scene scene = furnished();
    fault.make(scene);
    const std::string line = input_error_of([&] { check_scene(scene); });
    EXPECT_THAT(line, HasSubstr("scene 'furnished': "));
    EXPECT_THAT(line, HasSubstr(fault.words));
    EXPECT_THAT(line, HasSubstr("expected"));
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST(SceneNumbers, TimeStepGravityAndStateAreFinite) {
  expect_refused({
      {[](Scene& s) { s.time_step = kNotANumber; }, "time step nan s"},
      {[](Scene& s) { s.time_step = kInf; }, "time step inf s"},
      {[](Scene& s) { s.gravity.z() = kInf; }, "gravity is not finite"},
      {[](Scene& s) { s.tet_mesh.rest_positions(2, 1) = kNotANumber; }, "rest position of vertex 2 is not finite"},
      {[](Scene& s) { s.initial_positions(3, 0) = kInf; }, "initial position of vertex 3 is not finite"},
      {[](Scene& s) { s.initial_velocities(1, 2) = kNotANumber; },
       "initial velocity of vertex 1 is not finite, expected finite m/s"},
      {[](Scene& s) { s.skin.positions(1, 0) = kNotANumber; }, "skin vertex 1 is not finite"},
      {[](Scene& s) { s.skin.triangles(2, 1) = 4; }, "triangle 2 of the skin has vertex 4, expected 0 … 3"},
      {[](Scene& s) { s.materials[0].young_modulus = kInf; }, "material 0: Young's modulus inf Pa"},
      {[](Scene& s) { s.materials[0].poisson_ratio = kNotANumber; }, "material 0: Poisson's ratio nan"},
      {[](Scene& s) { s.materials[0].density = kNotANumber; }, "material 0: density nan kg/m³"},
  });
}

TEST(SceneNumbers, LoadsAreFinite) {
  expect_refused({
      {[](Scene& s) { s.point_loads[1].force.y() = kNotANumber; }, "point load 1 on vertex 2 has force (0, nan, 0) N"},
      {[](Scene& s) { s.point_loads[1].ramp.start = kNotANumber; }, "point load 1 on vertex 2 ramps from nan s to 0 s"},
      {[](Scene& s) { s.point_loads[0].ramp.end = kInf; }, "point load 0 on vertex 0 ramps from 0 s to inf s"},
      {[](Scene& s) {
         s.point_loads[0].ramp = {0.5, 0.2};
       },
       "point load 0 on vertex 0 ramps from 0.5 s to 0.2 s"},
      {[](Scene& s) { s.point_loads[0].ramp.until = kNotANumber; }, "point load 0 on vertex 0 lasts until nan s"},
      {[](Scene& s) {
         s.point_loads[0].ramp = {.end = 1, .table = {{0, 0}, {1, kInf}}};
       },
       "point load 0 on vertex 0 has in row 1 of its table inf at 1 s, expected finite numbers"},
      {[](Scene& s) {
         s.point_loads[0].ramp.table = {{0, 0}, {0, 1}};
       },
       "point load 0 on vertex 0 has in row 1 of its table 1 at 0 s, expected finite numbers and later times"},
      {[](Scene& s) {
         s.point_loads[0].ramp = {.end = 2, .table = {{0, 0}, {1, 1}}};
       },
       "point load 0 on vertex 0 ramps from 0 s to 2 s, expected the first and last time of its table, 0 s and 1 s"},
      {[](Scene& s) { s.traction_loads[0].traction.x() = kInf; }, "traction load 0 has traction (inf, 0, 0) Pa"},
      {[](Scene& s) { s.traction_loads[0].ramp.end = kNotANumber; }, "traction load 0 ramps from 0 s to nan s"},
  });
}

TEST(SceneNumbers, PrescribedMotionsAreFiniteAndTurnAboutAUnitVector) {
  expect_refused({
      {[](Scene& s) { s.prescribed[1].targets(1, 2) = kNotANumber; },
       "prescribed motion 1: target 1 (of vertex 1) is not finite"},
      {[](Scene& s) { s.prescribed[1].translation.x() = kInf; }, "prescribed motion 1 has translation (inf, 0, 0) m"},
      {[](Scene& s) { s.prescribed[0].origin.y() = kNotANumber; }, "prescribed motion 0 has origin (0, nan, 0) m"},
      {[](Scene& s) { s.prescribed[0].angle = kNotANumber; }, "prescribed motion 0 has angle nan rad"},
      {[](Scene& s) { s.prescribed[0].ramp.start = -kInf; }, "prescribed motion 0 ramps from -inf s to 0 s"},
      {[](Scene& s) { s.prescribed[0].ramp.until = kNotANumber; }, "a prescribed motion ends at nan s"},
      {[](Scene& s) {
         s.prescribed[0].axis = {0, 0, 2};
       },
       "prescribed motion 0 has axis (0, 0, 2), expected a vector of le"},
      {[](Scene& s) { s.prescribed[0].axis = Vector3::Zero(); },
       "prescribed motion 0 has axis (0, 0, 0), expected a vector"},
      {[](Scene& s) { s.prescribed[1].axis.x() = kNotANumber; },
       "prescribed motion 1 has axis (nan, 0, 1), expected a vector of"},
  });
}

TEST(SceneNumbers, PlanesAndHeatSourcesAreFinite) {
  expect_refused({
      {[](Scene& s) { s.colliders[1].offset = kInf; }, "plane collider 1 has offset inf m"},
      {[](Scene& s) { s.colliders[1].friction = kInf; }, "plane collider 1 has friction inf"},
      {[](Scene& s) { s.colliders[0].restitution = kNotANumber; }, "plane collider 0 has restitution nan"},
      {[](Scene& s) { s.heat_sources[0].from.x() = kNotANumber; }, "heat source 0 has centre (nan, 0, 0) m"},
      {[](Scene& s) { s.heat_sources[0].to.z() = kInf; }, "heat source 0 has centre (0, 0, inf) m"},
      {[](Scene& s) { s.heat_sources[0].radius = kInf; }, "heat source 0 has radius inf m"},
      {[](Scene& s) { s.heat_sources[0].stiffness_factor = kNotANumber; }, "heat source 0 has stiffness factor nan"},
      {[](Scene& s) { s.heat_sources[0].plastic_yield = kNotANumber; }, "heat source 0 has plastic yield nan"},
      {[](Scene& s) { s.heat_sources[0].plastic_creep = kInf; }, "creep inf 1/s"},
      {[](Scene& s) { s.heat_sources[0].plastic_max = kNotANumber; }, "max nan"},
      {[](Scene& s) { s.heat_sources[0].ramp.start = kNotANumber; }, "heat source 0 ramps from nan s to 0 s"},
  });
}

TEST(SceneNumbers, RigidBodiesParticlesAndConstraintsAreFinite) {
  const auto with_sphere = [](auto change) {
    return [change](Scene& s) {
      RigidBody body;
      body.name = "stone";
      body.shape.radius = 0.1;
      change(body);
      s.rigid_bodies = {body};
    };
  };
  expect_refused({
      {with_sphere([](RigidBody& b) { b.friction = kInf; }), "rigid body 'stone': friction inf"},
      {with_sphere([](RigidBody& b) { b.swing_period = kInf; }), "rigid body 'stone': swing period inf s"},
      {with_sphere([](RigidBody& b) { b.shape.radius = kNotANumber; }), "rigid body 'stone': radius nan m"},
      {with_sphere([](RigidBody& b) { b.start.position.x() = kNotANumber; }),
       "rigid body 'stone': its start is no finite position"},
      {with_sphere([](RigidBody& b) { b.angular_velocity.x() = kInf; }), "rigid body 'stone': its velocity"},
      {[](Scene& s) {
         s.constraints = {{ConstraintKind::Distance, {0, 1, -1, -1}, kInf}};
       },
       "has rest value inf"},
      {[](Scene& s) {
         s.constraints = {{ConstraintKind::Distance, {0, 1, -1, -1}, 1.0, kNotANumber}};
       },
       "has stiffness nan"},
      {[](Scene& s) {
         s.constraints = {{ConstraintKind::Distance, {0, 1, -1, -1}, 1.0, 1.0, kInf}};
       },
       "has compliance inf"},
  });
  Scene scene;
  scene.name = "furnished";
  scene.particles.rest_positions = Points::Zero(1, 3);
  scene.particles.masses = Eigen::VectorXd::Constant(1, kInf);
  EXPECT_THAT(input_error_of([&] { check_scene(scene); }), HasSubstr("particle 0 has mass inf kg, expected > 0"));
}

}  // namespace
}  // namespace deformbench::model
