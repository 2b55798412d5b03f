// SPDX-License-Identifier: BSD-3-Clause
// check_scene over cloth, particles, constraints, rigid bodies and colliders: every refusal with its line.
#include <cmath>
#include <limits>

#include "methods/model/scene.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Two triangles over the unit square.
Scene square() {
  Scene scene;
  scene.name = "square";
  scene.cloth.rest_positions.resize(4, 3);
  scene.cloth.rest_positions << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 1, 2, 0, 2, 3;
  return scene;
}

Scene with_body(RigidBody body) {
  Scene scene = square();
  body.name = "stone";
  scene.rigid_bodies = {std::move(body)};
  return scene;
}

RigidBody sphere() {
  RigidBody body;
  body.shape.radius = 0.5;
  return body;
}

RigidBody of_mesh(double mass, TriangleMesh mesh = unit_tetrahedron_surface()) {
  RigidBody body;
  body.mass = mass;
  body.shape.kind = ShapeKind::Mesh;
  body.shape.mesh = std::move(mesh);
  return body;
}

void expect_refused(const Scene& scene, const std::string& words) {
  const std::string line = input_error_of([&] { check_scene(scene); });
  EXPECT_THAT(line, HasSubstr("scene 'square': "));
  EXPECT_THAT(line, HasSubstr(words));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(SceneChecks, ClothParticlesAndBodiesAloneAreUsable) {
  EXPECT_NO_THROW(check_scene(square()));
  Scene chain;
  chain.particles.rest_positions = Points::Random(3, 3);
  chain.particles.masses = Eigen::Vector3d(1, 2, 3);
  EXPECT_NO_THROW(check_scene(chain));
  Scene bodies;
  bodies.rigid_bodies = {sphere(), of_mesh(2.0)};
  EXPECT_NO_THROW(check_scene(bodies));
}

TEST(SceneChecks, TwoDeformableBodiesAreRefused) {
  Scene scene = square();
  scene.particles.rest_positions = Points::Random(1, 3);
  scene.particles.masses = Eigen::VectorXd::Ones(1);
  expect_refused(scene, "side by side");
}

TEST(SceneChecks, SkinOfClothIsRefused) {
  Scene scene = square();
  scene.skin = unit_tetrahedron_surface();
  expect_refused(scene, "a skin and no tetrahedra");
}

TEST(SceneChecks, EdgeOfThreeTrianglesIsRefusedWithItsTriangles) {
  Scene scene = square();
  scene.cloth.rest_positions.conservativeResize(5, 3);
  scene.cloth.rest_positions.row(4) << 0, 0, 1;
  scene.cloth.triangles.conservativeResize(3, 3);
  scene.cloth.triangles.row(2) << 0, 2, 4;
  expect_refused(scene, "edge (0, 2) of the cloth runs the same way in triangles 1 and 2, expected a manifold surface");
}

TEST(SceneChecks, NeighboursWoundApartAreRefused) {
  Scene scene = square();
  scene.cloth.triangles.row(1) << 0, 3, 2;
  expect_refused(scene, "edge (2, 0) of the cloth runs the same way in triangles 0 and 1");
}

TEST(SceneChecks, VertexOfTwoFansIsRefused) {
  Scene scene = square();
  scene.cloth.rest_positions.conservativeResize(6, 3);
  scene.cloth.rest_positions.bottomRows(2) << -1, 0, 0, -1, -1, 0;
  scene.cloth.triangles.conservativeResize(3, 3);
  scene.cloth.triangles.row(2) << 0, 4, 5;
  expect_refused(scene, "vertex 0 of the cloth joins several fans");
}

TEST(SceneChecks, TriangleWithoutAreaVertexOutOfRangeAndLooseVertexAreRefused) {
  Scene scene = square();
  scene.cloth.rest_positions.row(3) << 0.5, 0.5, 0;
  expect_refused(scene, "triangle 1 of the cloth has no area");
  scene = square();
  scene.cloth.triangles(1, 2) = 4;
  expect_refused(scene, "triangle 1 of the cloth has vertex 4, expected 0 … 3");
  scene = square();
  scene.cloth.triangles.conservativeResize(1, 3);
  expect_refused(scene, "vertex 3 is in no triangle");
  scene = square();
  scene.cloth.rest_positions(1, 1) = kNan;
  expect_refused(scene, "rest position of vertex 1 is not finite");
  scene = square();
  scene.cloth.area_density = 0.0;
  expect_refused(scene, "cloth of 0 kg/m², expected > 0");
}

TEST(SceneChecks, MassOfAParticleIsPositive) {
  Scene scene;
  scene.name = "square";
  scene.particles.rest_positions = Points::Random(2, 3);
  scene.particles.masses = Eigen::VectorXd::Ones(1);
  expect_refused(scene, "1 particle masses, expected 2");
  scene.particles.masses = Eigen::Vector2d(1, 0);
  expect_refused(scene, "particle 1 has mass 0 kg, expected > 0");
}

TEST(SceneChecks, ConstraintsNameDifferentVerticesAndFiniteNumbers) {
  const auto with = [](const PositionConstraint& constraint) {
    Scene scene = square();
    scene.constraints = {constraint};
    return scene;
  };
  EXPECT_NO_THROW(check_scene(with({ConstraintKind::Bend, {0, 2, 1, 3}, 0.1})));
  expect_refused(with({ConstraintKind::Distance, {0, 4, -1, -1}, 1.0}),
                 "distance constraint 0 names vertex 4, expected 0 … 3");
  expect_refused(with({ConstraintKind::Bend, {0, 1, 2, 1}, 0.0}), "bend constraint 0 names vertex 1 twice");
  expect_refused(with({ConstraintKind::Distance, {0, 1, -1, -1}, kNan}), "distance constraint 0 has rest value nan");
  PositionConstraint stiff{ConstraintKind::TetraVolume, {0, 1, 2, 3}, 0.0, 1.5};
  expect_refused(with(stiff), "tetra_volume constraint 0 has stiffness 1.5, expected 0 … 1");
  stiff.stiffness = 1.0;
  stiff.compliance = -1e-6;
  expect_refused(with(stiff), "compliance -1e-06, expected ≥ 0");
}

TEST(SceneChecks, ShapesHaveTheirSizes) {
  RigidBody body = sphere();
  body.shape.radius = 0.0;
  expect_refused(with_body(body), "rigid body 'stone': radius 0 m, expected > 0");
  body = sphere();
  body.shape.kind = ShapeKind::Capsule;
  body.shape.half_length = -0.1;
  expect_refused(with_body(body), "half length -0.1 m, expected ≥ 0");
  body.shape.kind = ShapeKind::Box;
  body.shape.half_extents = {0.1, kNan, 0.1};
  expect_refused(with_body(body), "a half extent of the box is not > 0 m");
}

TEST(SceneChecks, MeshBodiesHaveTrianglesAndDynamicOnesAreClosedAndConvex) {
  expect_refused(with_body(of_mesh(0.0, {})), "a mesh without triangles");
  TriangleMesh open = unit_tetrahedron_surface();
  open.triangles.conservativeResize(3, 3);
  EXPECT_NO_THROW(check_scene(with_body(of_mesh(0.0, open))));
  expect_refused(with_body(of_mesh(1.0, open)), "of its mesh is open, expected a closed surface of a body with a mass");
  TriangleMesh outside = unit_tetrahedron_surface();
  outside.triangles(3, 2) = 9;
  expect_refused(with_body(of_mesh(0.0, outside)), "triangle 3 of its mesh has vertex 9, expected 0 … 3");
  TriangleMesh inwards = unit_tetrahedron_surface();
  inwards.triangles.col(1).swap(inwards.triangles.col(2));
  expect_refused(with_body(of_mesh(1.0, inwards)), "is not convex at triangle 0, or wound inwards");
  EXPECT_NO_THROW(check_scene(with_body(of_mesh(1.0))));
}

TEST(SceneChecks, NumbersOfARigidBodyAreInTheirRanges) {
  const auto refused = [](auto change, const std::string& words) {
    RigidBody body = sphere();
    body.mass = 1.0;
    change(body);
    expect_refused(with_body(body), words);
  };
  refused([](RigidBody& b) { b.mass = -1.0; }, "mass -1 kg, expected > 0, or 0 for a kinematic body");
  refused([](RigidBody& b) { b.mass = std::numeric_limits<double>::infinity(); }, "mass inf kg");
  refused([](RigidBody& b) { b.friction = -0.5; }, "friction -0.5, expected ≥ 0");
  refused([](RigidBody& b) { b.restitution = 1.5; }, "restitution 1.5, expected 0 … 1");
  refused([](RigidBody& b) { b.start.orientation(0, 0) = -1.0; }, "its start is no finite position and rotation");
  refused([](RigidBody& b) { b.velocity.x() = kNan; }, "its velocity, swing or start time is not finite");
  refused([](RigidBody& b) { b.swing_period = 0.0; }, "swing period 0 s, expected > 0");
  refused([](RigidBody& b) { b.swing.x() = 1.0; }, "a swing and a mass of 1 kg, expected mass 0");
}

TEST(SceneChecks, AttachmentsNameAVertexAndABody) {
  Scene scene = with_body(sphere());
  scene.attachments = {{0, 0, false}};
  EXPECT_NO_THROW(check_scene(scene));
  scene.attachments = {{7, 0, false}};
  expect_refused(scene, "an attachment names vertex 7, expected 0 … 3");
  scene.attachments = {{0, 1, false}};
  expect_refused(scene, "an attachment names rigid body 1, expected 0 … 0");
}

TEST(SceneChecks, PlanesHaveAUnitNormalAndARestitutionUpToOne) {
  Scene scene = square();
  scene.colliders = {PlaneCollider{}};
  EXPECT_NO_THROW(check_scene(scene));
  scene.colliders[0].normal = {0, 2, 0};
  expect_refused(scene, "plane collider 0 has normal (0, 2, 0), expected a vector of length 1");
  scene.colliders[0].normal = {kNan, 0, 0};
  expect_refused(scene, "plane collider 0 has normal (nan, 0, 0), expected a vector of length 1");
  scene.colliders = {PlaneCollider{}};
  scene.colliders[0].restitution = 1.1;
  expect_refused(scene, "plane collider 0 has restitution 1.1, expected 0 … 1");
}

}  // namespace
}  // namespace deformbench::model
