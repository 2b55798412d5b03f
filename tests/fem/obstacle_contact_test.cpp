// SPDX-License-Identifier: BSD-3-Clause
// Finite elements against kinematic spheres, capsules and boxes: what one vertex does, then whole bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "methods/fem/body/contact.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

constexpr double kStep = 0.01;  // s

model::RigidBody ball(const Vector3& centre, double radius, double friction = 0.0) {
  model::RigidBody body;
  body.name = "ball";
  body.shape.radius = radius;
  body.start.position = centre;
  body.friction = friction;
  return body;
}

model::RigidBody brick(const Vector3& centre, const Vector3& half_extents, double friction = 0.0,
                       const Matrix3& orientation = Matrix3::Identity()) {
  model::RigidBody body;
  body.name = "brick";
  body.shape.kind = model::ShapeKind::Box;
  body.shape.half_extents = half_extents;
  body.start.position = centre;
  body.start.orientation = orientation;
  body.friction = friction;
  return body;
}

struct Vertex {
  Vector3 x, v;
};

/// One step of a vertex alone with the solved velocity v. False when it touches nothing.
bool advance(Vertex& vertex, const std::vector<model::RigidBody>& bodies,
             const std::vector<model::PlaneCollider>& planes = {}, double begin = 0.0,
             numerics::Components held = numerics::kNoComponents) {
  std::vector<Obstacle> obstacles;
  for (const auto& body : bodies) obstacles.emplace_back(body, begin, begin + kStep);
  const auto contact = touch_obstacles(planes, obstacles, vertex.x, vertex.v, kStep, held);
  if (contact) vertex = {vertex.x + contact->shift, contact->velocity};
  vertex.x += kStep * vertex.v;
  return contact.has_value();
}

/// How deep x is in a ball or box, by nothing that the code under test uses; negative outside (of a box: an upper bound
/// of minus the distance).
double depth_in(const model::RigidBody& body, const Vector3& x, double time = 0.0) {
  const model::Pose pose = body.pose_at(time);
  const Vector3 seen = pose.orientation.transpose() * (x - pose.position);
  if (body.shape.kind == model::ShapeKind::Sphere) return body.shape.radius - seen.norm();
  return (body.shape.half_extents - seen.cwiseAbs()).minCoeff();
}

Matrix3 any_rotation(numerics::RandomStream& random) {
  const Vector3 axis(random.normal(), random.normal(), random.normal());
  return Eigen::AngleAxisd(3.0 * random.normal(), axis.normalized()).toRotationMatrix();
}

Vector3 any_vector(numerics::RandomStream& random, double size) {
  return size * Vector3(random.normal(), random.normal(), random.normal());
}

TEST(Obstacles, TouchAVertexExactlyWhenItsPathEntersThem) {
  // Faces, edges and corners of boxes and balls, hit, grazed, flown through in one step and missed.
  numerics::RandomStream random(71);
  int touched = 0, missed = 0, flown_through = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const model::RigidBody body = trial % 2 == 0
                                      ? ball(any_vector(random, 0.3), 0.5)
                                      : brick(any_vector(random, 0.3), {0.5, 0.2, 0.35}, 0.0, any_rotation(random));
    Vertex start{any_vector(random, 0.7), {}};
    start.v = (any_vector(random, 0.6) - start.x) / kStep;
    if (depth_in(body, start.x) > -1e-6) continue;
    double deepest = -1.0;
    for (int k = 0; k <= 2000; ++k) deepest = std::max(deepest, depth_in(body, start.x + k * kStep / 2000 * start.v));
    if (std::abs(deepest) < 1e-3) continue;  // the samples do not tell
    Vertex vertex = start;
    EXPECT_EQ(advance(vertex, {body}), deepest > 0.0) << trial;
    if (deepest < 0.0) {
      ++missed;
      EXPECT_EQ(vertex.v, start.v);
      EXPECT_LT((vertex.x - start.x - kStep * start.v).norm(), 1e-15);
      continue;
    }
    ++touched;
    flown_through += depth_in(body, start.x + kStep * start.v) < 0.0;
    EXPECT_LT(depth_in(body, vertex.x), 1e-12) << trial;
    EXPECT_LE(vertex.v.norm(), start.v.norm() * (1 + 1e-12)) << trial;  // nothing is given to it
  }
  EXPECT_GT(touched, 300);
  EXPECT_GT(missed, 300);
  EXPECT_GT(flown_through, 100);
}

TEST(Obstacles, LeaveAVertexInNoneOfSeveral) {
  numerics::RandomStream random(72);
  int both = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::vector<model::RigidBody> bodies = {ball({-0.4, 0, 0}, 0.5, 0.3),
                                                  brick({0.4, 0.1, 0}, {0.5, 0.3, 0.5}, 0.2, any_rotation(random)),
                                                  ball({0.1, -0.2, 0.7}, 0.4)};
    const model::PlaneCollider floor{Vector3::UnitY(), -0.1, 0.1};
    Vertex vertex{any_vector(random, 0.6), {}};
    vertex.v = (any_vector(random, 0.2) - vertex.x) / kStep;  // into where they overlap
    const auto deepest = [&] {
      double depth = floor.offset - vertex.x.y();
      for (const auto& body : bodies) depth = std::max(depth, depth_in(body, vertex.x));
      return depth;
    };
    if (deepest() > -1e-9) continue;
    const double speed = vertex.v.norm();
    int entered = 0;
    for (const auto& body : bodies) entered += depth_in(body, vertex.x + kStep * vertex.v) > 0.0;
    both += entered > 1;
    advance(vertex, bodies, {floor});
    EXPECT_LT(deepest(), 1e-12) << trial;
    EXPECT_LE(vertex.v.norm(), speed * (1 + 1e-12)) << trial;
  }
  EXPECT_GT(both, 20);
}

TEST(Obstacles, AreLeftWithoutASpeedByAVertexThatBeginsInside) {
  // However deep: it is put on the nearest place of the surface, and is as slow as before.
  Vertex deep{{0.2, 0.01, -0.02}, Vector3::Zero()};
  EXPECT_TRUE(advance(deep, {brick({0, 0, 0}, {0.3, 0.2, 0.3})}));
  EXPECT_EQ(deep.v, Vector3::Zero());
  EXPECT_LT((deep.x - Vector3(0.3, 0.01, -0.02)).norm(), 1e-15);  // 10 cm to +x, 19 cm to +y
  Vertex centre{{1, 2, 3}, Vector3::Zero()};
  EXPECT_TRUE(advance(centre, {ball({1, 2, 3}, 0.25)}));
  EXPECT_EQ(centre.v, Vector3::Zero());
  EXPECT_NEAR((centre.x - Vector3(1, 2, 3)).norm(), 0.25, 1e-15);

  numerics::RandomStream random(73);
  for (int trial = 0; trial < 2000; ++trial) {
    const model::RigidBody body =
        trial % 2 == 0 ? ball({0, 0, 0}, 0.5, 0.4) : brick({0, 0, 0}, {0.5, 0.4, 0.3}, 0.4, any_rotation(random));
    Vertex vertex{any_vector(random, 0.15), any_vector(random, 0.2)};
    if (depth_in(body, vertex.x) < 0.01) continue;
    const double speed = vertex.v.norm();
    EXPECT_TRUE(advance(vertex, {body}));
    EXPECT_LT(depth_in(body, vertex.x), 1e-12) << trial;
    EXPECT_LE(vertex.v.norm(), speed * (1 + 1e-12)) << trial;
    const Vertex before = vertex;
    advance(vertex, {body});
    EXPECT_LE(vertex.v.norm(), before.v.norm() * (1 + 1e-12)) << trial;
  }
}

TEST(Obstacles, ABoxStopsWhatFallsOnAFaceBesideItsEdge) {
  // 2 mm inside the edge, 3 mm above the top, 1 m/s down and 0.05 m/s outwards: the face carries it, not the edge.
  const model::RigidBody box = brick({0, -0.5, 0}, {0.5, 0.5, 0.5});
  Vertex vertex{{0.498, 0.003, 0.0}, {0.05, -1.0, 0.0}};
  EXPECT_TRUE(advance(vertex, {box}));
  EXPECT_NEAR(vertex.x.y(), 0.0, 1e-15);
  EXPECT_EQ(vertex.v.x(), 0.05);
  vertex.v.y() -= kGravity * kStep;
  EXPECT_TRUE(advance(vertex, {box}));
  EXPECT_NEAR(vertex.v.y(), 0.0, 1e-12);
  EXPECT_NEAR(vertex.x.x(), 0.499, 1e-15);
  Vertex beside{{0.501, 0.003, 0.0}, {0.05, -1.0, 0.0}};  // 1 mm outside: nothing is there
  EXPECT_FALSE(advance(beside, {box}));
}

TEST(Obstacles, AnEdgeAndACornerAreMetFromOutside) {
  const model::RigidBody box = brick({0, 0, 0}, {0.5, 0.5, 0.5});
  for (const Vector3& towards : {Vector3(1, 1, 0), Vector3(1, 1, 1)}) {
    Vertex vertex{0.5 * towards + 0.004 * towards, -1.0 * towards};
    for (int k = 0; k < 3; ++k) {
      EXPECT_TRUE(advance(vertex, {box})) << k;
      EXPECT_LT(depth_in(box, vertex.x), 1e-12) << k;
      EXPECT_GT(depth_in(box, vertex.x), -0.011) << k;  // a face of the edge lets it slide, none throws it away
      vertex.v = -1.0 * towards;
    }
  }
}

TEST(Obstacles, AThinPlateStopsWhatLiesOnItAndIsShotThroughIt) {
  // A rounding inside its surface, or on it: 1 m/s would end 8 mm below the plate of 2 mm.
  for (const double height : {0.0, 1e-17, -1e-17, -1e-4}) {
    Vertex vertex{{0.01, height, 0.02}, {0.0, -1.0, 0.0}};
    EXPECT_TRUE(advance(vertex, {brick({0, -0.001, 0}, {0.5, 0.001, 0.5})})) << height;
    EXPECT_NEAR(vertex.x.y(), 0.0, 1e-15) << height;
  }
}

TEST(Obstacles, TwoBallsHoldAVertexInTheGrooveBetweenThem) {
  // Centres 0.8 m apart, radii 0.5 m: their spheres meet 0.3 m above the line of the centres.
  for (const bool swapped : {false, true}) {
    std::vector<model::RigidBody> balls = {ball({-0.4, 0, 0}, 0.5), ball({0.4, 0, 0}, 0.5)};
    if (swapped) std::swap(balls[0], balls[1]);
    Vertex vertex{{0.05, 0.6, 0}, Vector3::Zero()};
    for (int k = 0; k < 400; ++k) {
      vertex.v.y() -= kGravity * kStep;
      advance(vertex, balls);
      EXPECT_LT(std::max(depth_in(balls[0], vertex.x), depth_in(balls[1], vertex.x)), 1e-12) << k;
    }
    EXPECT_NEAR(vertex.x.y(), 0.3, 1e-6);
    EXPECT_NEAR(vertex.x.x(), 0.0, 1e-6);
    EXPECT_LT(vertex.v.norm(), 1e-6);
  }
}

/// On a ball of 0.5 m about the origin, `angle` from its top.
Vector3 on_ball(double angle) {
  return 0.5 * Vector3(std::sin(angle), std::cos(angle), 0);
}

TEST(Obstacles, FrictionOnABallHoldsWithinItsCone) {
  const double friction = 0.5, edge = std::atan(friction);
  for (const double angle : {0.2, edge - 0.005, edge + 0.005, 0.8}) {
    Vertex vertex{on_ball(angle), {0, -kGravity * kStep, 0}};
    EXPECT_TRUE(advance(vertex, {ball({0, 0, 0}, 0.5, friction)}));
    const Vector3 downhill(std::cos(angle), -std::sin(angle), 0);
    const double slides = std::max(0.0, std::sin(angle) - friction * std::cos(angle)) * kGravity * kStep;
    EXPECT_LT((vertex.v - slides * downhill).norm(), 1e-13) << angle;
  }
}

TEST(Obstacles, CarryTheWeightOfWhatRestsOnThem) {
  // The impulses of the contact over 200 steps are weight times time: on top, on a slope that holds, on a tilted face.
  const Matrix3 tilt = Eigen::AngleAxisd(0.3, Vector3::UnitZ()).toRotationMatrix();
  struct Case {
    model::RigidBody body;
    Vector3 x;
  };
  for (const Case& c : {Case{ball({0, 0, 0}, 0.5), on_ball(0.0)}, Case{ball({0, 0, 0}, 0.5, 0.5), on_ball(0.3)},
                        Case{brick({0, 0, 0}, {0.5, 0.5, 0.5}), {0.1, 0.5, 0.2}},
                        Case{brick({0, 0, 0}, {0.5, 0.5, 0.5}, 0.5, tilt), tilt * Vector3(0.1, 0.5, 0.2)}}) {
    Vertex vertex{c.x, Vector3::Zero()};
    Vector3 impulse = Vector3::Zero();  // per kg
    for (int k = 0; k < 200; ++k) {
      vertex.v.y() -= kGravity * kStep;
      const Vector3 solved = vertex.v;
      EXPECT_TRUE(advance(vertex, {c.body})) << k;
      impulse += vertex.v - solved;
    }
    EXPECT_LT((impulse - Vector3(0, 200 * kGravity * kStep, 0)).norm(), 1e-10);
    EXPECT_LT((vertex.x - c.x).norm(), 1e-12);
  }
}

TEST(Obstacles, PushAVertexWithTheirOwnSpeedAndNoMore) {
  for (model::RigidBody body : {ball({0, -0.5, 0}, 0.5), brick({0, -0.5, 0}, {0.5, 0.5, 0.5})}) {
    body.velocity = {0, 1.0, 0};
    // 1 mm above: in the first step the surface comes 1 cm up, and the vertex is on it, 9 mm higher.
    Vertex vertex{{0, 0.001, 0}, Vector3::Zero()};
    EXPECT_TRUE(advance(vertex, {body}));
    EXPECT_NEAR(vertex.v.y(), 0.9, 1e-12);
    EXPECT_NEAR(vertex.x.y(), 0.01, 1e-15);
    for (int k = 1; k < 20; ++k) {
      EXPECT_TRUE(advance(vertex, {body}, {}, k * kStep) || k > 1);
      EXPECT_NEAR(vertex.v.y(), 1.0, 1e-12) << k;
      EXPECT_NEAR(vertex.x.y(), 0.01 * (k + 1), 1e-12) << k;
    }
    // Overlapping at the start: the surface's speed, and the place.
    Vertex inside{{0, -0.02, 0}, Vector3::Zero()};
    EXPECT_TRUE(advance(inside, {body}));
    EXPECT_NEAR(inside.v.y(), 1.0, 1e-12);
    EXPECT_NEAR(inside.x.y(), 0.01, 1e-12);
  }
}

TEST(Obstacles, DoNotPullWhatTheyFallAwayFrom) {
  for (model::RigidBody body : {ball({0, -0.5, 0}, 0.5), brick({0, -0.5, 0}, {0.5, 0.5, 0.5})}) {
    body.velocity = {0, -1.0, 0};
    Vertex vertex{{0, 0.0, 0}, {0.0, -0.5, 0.0}};
    EXPECT_FALSE(advance(vertex, {body}));
    EXPECT_EQ(vertex.v, Vector3(0.0, -0.5, 0.0));
    Vertex leaving{{0, 0.0, 0}, {0.3, 0.2, 0.0}};
    body.velocity.setZero();
    EXPECT_FALSE(advance(leaving, {body}));
    EXPECT_EQ(leaving.v, Vector3(0.3, 0.2, 0.0));
  }
}

TEST(Obstacles, LeaveAloneAVertexThatGoesOutOfThemByItself) {
  // 2 cm behind the side of a box and 5 cm below its top, through which it goes out: it is not moved to the side.
  const model::RigidBody box = brick({0, 0, 0}, {0.5, 0.5, 0.5}, 0.3);
  Vertex vertex{{0.48, 0.45, 0.0}, {0.0, 10.0, 0.0}};
  EXPECT_FALSE(advance(vertex, {box}));
  EXPECT_EQ(vertex.v, Vector3(0.0, 10.0, 0.0));
  EXPECT_LT((vertex.x - Vector3(0.48, 0.55, 0.0)).norm(), 1e-15);
}

TEST(Obstacles, DragAndTurnByFrictionWhatLiesOnThem) {
  // μ times the push of gΔt a step, until the vertex is as fast as the surface.
  const double friction = 0.4, gain = friction * kGravity * kStep;
  model::RigidBody belt = brick({0, -0.5, 0}, {5.0, 0.5, 5.0}, friction);
  belt.velocity = {0.1, 0, 0};
  Vertex vertex{{0, 0, 0}, Vector3::Zero()};
  for (int k = 0; k < 10; ++k) {
    vertex.v.y() -= kGravity * kStep;
    EXPECT_TRUE(advance(vertex, {belt}, {}, k * kStep));
    EXPECT_NEAR(vertex.v.x(), std::min(0.1, (k + 1) * gain), 1e-12) << k;
    EXPECT_NEAR(vertex.v.y(), 0.0, 1e-12);
  }
  model::RigidBody table = brick({0, -0.5, 0}, {5.0, 0.5, 5.0}, friction);
  table.angular_velocity = {0, 0.05, 0};
  vertex = {{0.5, 0, 0}, {0, -kGravity * kStep, 0}};  // its surface moves by ω × r = −0.025 m/s along z
  EXPECT_TRUE(advance(vertex, {table}));
  EXPECT_NEAR(vertex.v.z(), -0.025, 1e-5);
  EXPECT_NEAR(vertex.v.x(), 0.0, 1e-5);  // the chord of the step, not the tangent at its start
}

TEST(Obstacles, AVertexSqueezedBetweenABodyAndAPlaneObeysThePlane) {
  model::RigidBody press = brick({0, 0.51, 0}, {0.5, 0.5, 0.5});
  press.velocity = {0, -2.0, 0};
  Vertex vertex{{0, 0.005, 0}, Vector3::Zero()};
  for (int k = 0; k < 5; ++k) {
    advance(vertex, {press}, {{Vector3::UnitY(), 0.0, 0.0}}, k * kStep);
    EXPECT_GE(vertex.x.y(), -1e-15) << k;
    EXPECT_LE(vertex.x.y(), 0.005) << k;
  }
}

TEST(Obstacles, MoveOnlyWhatIsFreeOfAVertexOnRollers) {
  // x is prescribed: on a slope of 45° the vertex goes down with y alone, and with its x moving uphill it rises.
  const double half = std::sqrt(0.5);
  const std::vector<model::PlaneCollider> slope = {{{half, half, 0}, 0.0, 0.0}};
  const numerics::Components x_held = 1;
  Vertex vertex{{0, 0.001, 0}, {0, -1.0, 0.3}};
  EXPECT_TRUE(advance(vertex, {}, slope, 0.0, x_held));
  EXPECT_LT((vertex.x - Vector3(0, 0, 0.003)).norm(), 1e-15);
  Vertex pushed{{0, 0, 0}, {-1.0, -1.0, 0}};
  EXPECT_TRUE(advance(pushed, {}, slope, 0.0, x_held));
  EXPECT_LT((pushed.x - Vector3(-0.01, 0.01, 0)).norm(), 1e-15);
  Vertex wall{{0, 0, 0}, {-1.0, -1.0, 0}};  // what it cannot obey leaves it as it is
  advance(wall, {}, {{Vector3::UnitX(), 0.0, 0.5}}, 0.0, x_held);
  EXPECT_EQ(wall.v, Vector3(-1.0, -1.0, 0));
}

double kinetic_energy_of(const Simulation& simulation) {
  const StateView state = simulation.state();
  return 0.5 * (state.masses.asDiagonal() * state.velocities).cwiseProduct(state.velocities).sum();
}

TEST(BodiesOnObstacles, LieOnABoxAsOnAPlane) {
  Scene on_plane = block_scene({3, 2, 2});
  on_plane.gravity = {0.5, -kGravity, 0};
  on_plane.initial_positions = on_plane.tet_mesh.rest_positions.rowwise() + Eigen::RowVector3d(0, 0.02, 0);
  Scene on_box = on_plane;
  on_plane.colliders = {{Vector3::UnitY(), 0.0, 0.4}};
  on_box.rigid_bodies = {brick({0, -1, 0}, {2, 1, 2}, 0.4)};
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    const auto a = make(id, on_plane), b = make(id, on_box);
    for (int k = 0; k < 100; ++k) {
      EXPECT_TRUE(a->step().converged.value_or(true) && b->step().converged.value_or(true)) << id << " step " << k;
      ASSERT_LT((a->state().positions - b->state().positions).cwiseAbs().maxCoeff(), 1e-9) << id << " step " << k;
    }
    EXPECT_LT(a->state().positions.col(1).minCoeff(), 1e-12) << id;  // they did arrive
  }
}

TEST(BodiesOnObstacles, PushBackWithTheWeightOfTheBody) {
  // From rest on a box to rest on it, the momentum is 0: gravity and contact gave the same. A second, after one to
  // settle.
  Scene scene = block_scene({2, 2, 2});
  scene.gravity = {0, -kGravity, 0};
  scene.rigid_bodies = {
      brick({0.1, -1, 0.1}, {1, 1, 1}, 0.3, Eigen::AngleAxisd(0.7, Vector3::UnitY()).toRotationMatrix())};
  const auto simulation = make("warped_fem", scene, {{"stiffness_damping_s", 0.01}});
  for (int k = 0; k < 100; ++k) simulation->step();
  const double before = momentum(*simulation).y();
  for (int k = 0; k < 100; ++k) simulation->step();
  const double weight = simulation->state().masses.sum() * kGravity;
  EXPECT_NEAR(momentum(*simulation).y() - before + weight * 1.0, weight, 0.01 * weight);
  EXPECT_LT(kinetic_energy_of(*simulation), 1e-8);
}

TEST(BodiesOnObstacles, NeverEnterABallThatTheyFallOn) {
  for (const char* precision : {"double", "float"}) {
    Scene scene = block_scene({4, 2, 2}, 0.05);
    scene.materials[0].young_modulus = 3e4;
    scene.gravity = {0, -kGravity, 0};
    scene.rigid_bodies = {ball({0.08, -0.12, 0.06}, 0.1, 0.3)};
    const auto simulation = make(
        "warped_fem", scene,
        {{"precision", std::string(precision)}, {"cg_tolerance", 1e-5}, {"contact_rule", std::string("after_solve")}});
    double closest = 1.0;
    for (int k = 0; k < 60; ++k) {
      simulation->step();
      const Points x = simulation->state().positions;
      for (Eigen::Index i = 0; i < x.rows(); ++i) {
        const double depth = depth_in(scene.rigid_bodies[0], x.row(i).transpose());
        EXPECT_LT(depth, 1e-8) << precision << " step " << k;
        closest = std::min(closest, std::abs(depth));
      }
    }
    EXPECT_LT(closest, 1e-8) << precision;
  }
}

TEST(BodiesOnObstacles, KeepEveryUntouchedVertexBitForBit) {
  Scene scene = block_scene({3, 2, 2});
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  scene.initial_velocities.rowwise() = Eigen::RowVector3d(0.1, -1.0, 0.2);
  Scene with = scene;
  with.rigid_bodies = {ball({0.1, -0.501, 0.1}, 0.5)};  // 1 cm down: under the middle of the lower face
  const auto alone = make("warped_fem", scene), touched = make("warped_fem", with, after_solve);
  alone->step(), touched->step();
  int changed = 0;
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i) {
    const Vector3 end = alone->state().positions.row(i);
    if (depth_in(with.rigid_bodies[0], end) > 0.0) {
      ++changed;
      EXPECT_NE(Vector3(touched->state().positions.row(i)), end) << i;
    } else {
      EXPECT_EQ(Vector3(touched->state().positions.row(i)), end) << i;
      EXPECT_EQ(Vector3(touched->state().velocities.row(i)), Vector3(alone->state().velocities.row(i))) << i;
    }
  }
  EXPECT_GT(changed, 0);
  EXPECT_LT(changed, scene.vertex_count() / 2);
}

TEST(BodiesOnObstacles, LeaveAnOverlapWithNoMoreThanTheirElasticEnergy) {
  for (const model::RigidBody& body : {ball({0.1, -0.45, 0.1}, 0.5), brick({0.1, -0.95, 0.1}, {1, 1, 1})}) {
    Scene scene = block_scene({2, 2, 2});
    scene.rigid_bodies = {body};
    const auto simulation = make("warped_fem", scene, after_solve);
    simulation->step();
    EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 1e-9);  // no kinetic energy yet
    const auto energy = [&] {
      return kinetic_energy_of(*simulation) +
             facet_of<ElasticityFacet>(*simulation).elastic_energy(simulation->state().positions);
    };
    const double stored = energy();
    EXPECT_GT(stored, 0.0);
    for (int k = 0; k < 50; ++k) {
      simulation->step();
      EXPECT_LE(energy(), stored * (1 + 1e-9)) << k;
    }
  }
}

TEST(BodiesOnObstacles, AreRefusedWhatContactDoesNotKnow) {
  const Registry registry = element_methods();
  const auto refusal = [&](const std::string& id, auto change) {
    Scene scene = block_scene({1, 1, 1});
    scene.rigid_bodies = {ball({0, -2, 0}, 0.5, 0.3)};
    change(scene);
    const MethodDescriptor& method = registry.at(id);
    const Support support = method.supports(scene, Parameters(method.parameters, {}, id));
    return support.supported ? "" : support.reason;  // it may have a caveat
  };
  using testing::HasSubstr;
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    EXPECT_EQ(refusal(id, [](Scene&) {}), "");
    EXPECT_THAT(refusal(id, [](Scene& s) { s.rigid_bodies[0].restitution = 0.5; }),
                HasSubstr("restitution, rigid body 'ball' has restitution 0.5"));
    EXPECT_THAT(refusal(id, [](Scene& s) { s.rigid_bodies[0].mass = 2.0; }), HasSubstr("'ball' has 2 kg"));
    EXPECT_THAT(refusal(id, [](Scene& s) { s.rigid_bodies[0].shape.kind = model::ShapeKind::Mesh; }),
                HasSubstr("'ball' is a mesh"));
    EXPECT_THAT(refusal(id, [](Scene& s) { s.attachments.resize(1); }), HasSubstr("attachments"));
  }
}

}  // namespace
}  // namespace deformbench::fem
