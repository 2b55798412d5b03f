// SPDX-License-Identifier: BSD-3-Clause
// Contact of single vertices, and half steps, against closed forms: [B05] §8, [B05] §9.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "methods/cloth/cloth_simulation.hpp"
#include "methods/cloth/contact/vertex_contact.hpp"
#include "methods/cloth/integrators/filtered_solve.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::cloth {
namespace {

constexpr double kStep = 0.01;

/// Where particles are after a step at these velocities.
Points stopped(const Scene& scene, const Points& x, Points& v) {
  const VertexContacts contacts(scene);
  contacts.stop(x, kStep, kStep, Points::Ones(x.rows(), 3), v);
  return x + kStep * v;
}

Scene with_floor(double restitution, double friction) {
  Scene scene;
  model::PlaneCollider floor;
  floor.restitution = restitution;
  floor.friction = friction;
  scene.colliders.push_back(floor);
  return scene;
}

TEST(VertexContact, EndsOnTheFloorAndKeepsItsSlidingWithoutFriction) {
  Points x(1, 3), v(1, 3);
  x << 0.0, 0.01, 0.0;
  v << 2.0, -3.0, -1.0;
  const Points end = stopped(with_floor(0.0, 0.0), x, v);
  EXPECT_NEAR(end(0, 1), 0.0, 1e-16);
  EXPECT_EQ(v(0, 0), 2.0);
  EXPECT_EQ(v(0, 2), -1.0);
}

TEST(VertexContact, LeavesSeparatingAndDistantVerticesAloneToTheBit) {
  Points x(3, 3), v(3, 3);
  x << 0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 2.0, 0.0, 0.0;
  v << 0.3, 0.1, 0.0, 0.0, -3.0, 0.0, 1.0, 0.0, 0.0;
  const Points before = v;
  stopped(with_floor(0.0, 0.7), x, v);
  EXPECT_EQ(v, before);
}

TEST(VertexContact, LeavesWithItsRestitution) {
  for (double restitution : {0.3, 1.0}) {
    Points x(1, 3), v(1, 3);
    x << 0.0, 0.001, 0.0;
    v << 0.0, -3.0, 0.0;
    stopped(with_floor(restitution, 0.0), x, v);
    EXPECT_NEAR(v(0, 1), 3.0 * restitution, 1e-14);
  }
}

TEST(VertexContact, FrictionTakesAtMostItsShareOfTheNormalImpulse) {
  Points x = Points::Zero(2, 3), v(2, 3);
  v << 2.0, -1.0, 0.0, 0.3, -1.0, 0.0;
  stopped(with_floor(0.0, 0.5), x, v);
  EXPECT_NEAR(v(0, 0), 1.5, 1e-15);
  EXPECT_NEAR(v(1, 0), 0.0, 1e-15);
}

TEST(VertexContact, FollowsABallThatMoves) {
  Scene scene;
  model::RigidBody ball;
  ball.shape.radius = 0.5;
  ball.velocity = {0.0, 2.0, 0.0};
  scene.rigid_bodies.push_back(ball);
  Points x(1, 3), v = Points::Zero(1, 3);
  x << 0.3, 0.4, 0.0;
  const Points end = stopped(scene, x, v);
  EXPECT_NEAR((Vector3(end.row(0)) - Vector3(0.0, 2.0 * kStep, 0.0)).norm(), 0.5, 1e-4);
  EXPECT_GE((Vector3(end.row(0)) - Vector3(0.0, 2.0 * kStep, 0.0)).norm(), 0.5 - 1e-15);
}

TEST(VertexContact, IsDraggedByTheSurfaceOfABallThatSpins) {
  Scene scene;
  model::RigidBody ball;
  ball.shape.radius = 0.5;
  ball.angular_velocity = {0.0, 0.0, 2.0};
  ball.friction = 10.0;
  scene.rigid_bodies.push_back(ball);
  Points x(1, 3), v(1, 3);
  x << 0.0, 0.5, 0.0;
  v << 0.0, -1.0, 0.0;
  stopped(scene, x, v);
  EXPECT_NEAR(v(0, 0), -2.0 * 0.49, 1e-14);  // ω × r where the vertex would end, 1 cm inside
  EXPECT_NEAR(v(0, 1), 0.0, 1e-14);
}

TEST(VertexContact, OnRollersMeetsAnObstacleByWhatIsFree) {
  Scene scene;
  model::PlaneCollider slope;
  slope.normal = Vector3(0.0, 3.0, 4.0) / 5.0;
  slope.friction = 0.5;
  scene.colliders.push_back(slope);
  Points x(1, 3), v(1, 3), is_free(1, 3);
  x << 0.0, 0.01, 0.0;
  v << 2.0, -3.0, 0.7;
  is_free << 1.0, 1.0, 0.0;
  const Vector3 before = v.row(0);
  const auto found = VertexContacts(scene).stop(x, kStep, kStep, is_free, v);
  EXPECT_NEAR(slope.normal.dot((x + kStep * v).row(0)), 0.0, 1e-16);
  EXPECT_EQ(v(0, 2), 0.7);
  EXPECT_NEAR(before[0] - v(0, 0), 0.5 * (v(0, 1) - before[1]) / 0.6, 1e-14);  // the roller takes the rest of N
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].normal[1], 1.0, 1e-15);
  EXPECT_NEAR(found[0].obstacle_speed, -0.7 * 0.8 / 0.6, 1e-14);  // rises by as much as z moves it up the slope
}

TEST(VertexContact, EndsOutsideBothPlanesOfAGroove) {
  for (const double opening : {30.0, 60.0, 90.0, 150.0})
    for (const bool is_turned : {false, true}) {
      Scene scene;
      for (const int side : {-1, 1}) {
        model::PlaneCollider plane;
        const double half = 0.5 * opening * std::numbers::pi / 180.0;
        plane.normal = {(is_turned ? -side : side) * std::cos(half), std::sin(half), 0.0};
        scene.colliders.push_back(plane);
      }
      for (const double aside : {-0.02, 0.001, 0.02}) {
        Points x(1, 3), v(1, 3);
        x << 0.0, 0.03, 0.0;
        v << aside / kStep, -8.0, 1.0;
        const Points end = stopped(scene, x, v);
        for (const model::PlaneCollider& plane : scene.colliders)
          EXPECT_GT(plane.normal.dot(end.row(0)), -1e-12) << opening << ", " << aside;
        EXPECT_EQ(v(0, 2), 1.0);
      }
    }
}

TEST(FilteredSolve, IsTheDenseSolveOfWhatIsFree) {
  numerics::RandomStream random(3);
  const int n = 5;
  Eigen::MatrixXd root(3 * n, 3 * n);
  for (double* value = root.data(); value != root.data() + root.size(); ++value) *value = random.uniform(-1.0, 1.0);
  const Eigen::MatrixXd dense = root * root.transpose() + Eigen::MatrixXd::Identity(3 * n, 3 * n);
  Points is_free = Points::Ones(n, 3);
  is_free.row(1).setZero();
  const Vector3 normal = Vector3(1.0, 2.0, -0.5).normalized();
  Eigen::VectorXd b(3 * n), v(3 * n);
  for (int i = 0; i < 3 * n; ++i) b[i] = random.uniform(-1.0, 1.0), v[i] = random.uniform(-1.0, 1.0);
  const Eigen::VectorXd given = v;
  const FilteredResult result =
      filtered_solve(dense.sparseView(), b, Filter(is_free, {{3, normal, 0.0}}), 1e-14, 200, v);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(v.segment<3>(3), given.segment<3>(3));
  EXPECT_NEAR(normal.dot(v.segment<3>(9) - given.segment<3>(9)), 0.0, 1e-14);
  // A basis of the free directions.
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(3 * n, 3 * n - 4);
  int column = 0;
  for (int i : {0, 2, 4})
    for (int c = 0; c < 3; ++c) basis(3 * i + c, column++) = 1.0;
  const Vector3 first = normal.cross(Vector3::UnitZ()).normalized();
  basis.block<3, 1>(9, column++) = first;
  basis.block<3, 1>(9, column++) = normal.cross(first);
  const Eigen::VectorXd exact =
      given + basis * (basis.transpose() * dense * basis).llt().solve(basis.transpose() * (b - dense * given));
  EXPECT_LT((v - exact).norm(), 1e-11);
}

TEST(FilteredSolve, WithNothingFreeIsDoneAtOnce) {
  // Three contacts hold a vertex whose force is large: what the filter leaves of it is rounding.
  const Eigen::SparseMatrix<double> a = Eigen::MatrixXd::Identity(3, 3).sparseView();
  Eigen::VectorXd b(3), v = Eigen::VectorXd::Zero(3);
  b << 1e3, -2e3, 0.7e3;
  std::vector<VertexContact> contacts;
  for (const Vector3& normal : {Vector3(1.0, 2.0, 3.0), Vector3(-1.0, 2.0, 0.5), Vector3(0.3, 0.1, -1.0)})
    contacts.push_back({0, normal.normalized(), 0.0});
  const FilteredResult result = filtered_solve(a, b, Filter(Points::Ones(1, 3), contacts), 1e-12, 1000, v);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_TRUE(v.isZero(0.0));
}

TEST(FilteredSolve, OfANumberThatIsNotFiniteHasNoFiniteSolution) {
  Eigen::VectorXd b = Eigen::VectorXd::Ones(6), v = Eigen::VectorXd::Zero(6);
  b[3] = std::numeric_limits<double>::infinity();
  const Eigen::SparseMatrix<double> a = Eigen::MatrixXd::Identity(6, 6).sparseView();
  EXPECT_FALSE(filtered_solve(a, b, Filter(Points::Ones(2, 3), {}), 1e-12, 100, v).converged);
  EXPECT_FALSE(v.array().isFinite().any());
}

/// Two particles and a spring along x, let go from a stretch.
double stretch_after(const char* scheme, int steps, double h, double damping) {
  Scene scene;
  scene.particles.rest_positions = Points::Zero(2, 3);
  scene.particles.rest_positions(1, 0) = 1.0;
  scene.particles.masses = Eigen::VectorXd::Ones(2);
  scene.initial_positions = scene.particles.rest_positions;
  scene.initial_positions(1, 0) = 1.01;
  model::PositionConstraint spring;
  spring.vertices = {0, 1, -1, -1};
  spring.rest_value = 1.0;
  spring.compliance = 2.0;  // ω = 1/s
  scene.constraints.push_back(spring);
  scene.time_step = h;
  const Parameters parameters(
      cloth_parameters(),
      {{"substeps", 1LL}, {"scheme", std::string(scheme)}, {"stretch_damping_s", damping}, {"solver_tolerance", 1e-14}},
      "test");
  ClothSimulation simulation(scene, cloth_options(parameters), {});
  for (int n = 0; n < steps; ++n) simulation.step();
  const auto x = simulation.state().positions;
  return (x.row(1) - x.row(0)).norm() - 1.0;
}

TEST(HalfStep, IsOfSecondOrderWithAndWithoutDamping) {
  for (double damping : {0.0, 0.4}) {
    const double zeta = 0.5 * damping, turn = std::sqrt(1.0 - zeta * zeta), time = 4.0;
    const double exact = 0.01 * std::exp(-zeta * time) * (std::cos(turn * time) + zeta / turn * std::sin(turn * time));
    const double coarse = std::abs(stretch_after("half_step", 40, 0.1, damping) - exact);
    const double fine = std::abs(stretch_after("half_step", 80, 0.05, damping) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << damping;
  }
}

TEST(HalfStep, IsThatOfTheConstrainedSchemeWhereNothingIsStopped) {
  EXPECT_EQ(stretch_after("half_step", 40, 0.1, 0.4), stretch_after("half_step_constrained", 40, 0.1, 0.4));
}

/// Two particles at ±V against a wall, and a damper between them; speeds after a step in which the first is stopped.
std::array<double, 2> speeds_after_impact(const char* scheme, double strength) {
  Scene scene;
  scene.particles.rest_positions = Points::Zero(2, 3);
  scene.particles.rest_positions(1, 0) = 1.0;
  scene.particles.masses = Eigen::VectorXd::Ones(2);
  scene.initial_velocities = Points::Zero(2, 3);
  scene.initial_velocities.col(0).setConstant(-0.1);
  model::PositionConstraint spring;
  spring.vertices = {0, 1, -1, -1};
  spring.rest_value = 1.0;
  spring.compliance = 1e12;
  scene.constraints.push_back(spring);
  model::PlaneCollider wall;
  wall.normal = Vector3::UnitX();
  scene.colliders.push_back(wall);
  scene.time_step = 0.01;
  const Parameters parameters(cloth_parameters(),
                              {{"substeps", 1LL},
                               {"scheme", std::string(scheme)},
                               {"stretch_damping_s", strength * 2.0 / 0.01 * 1e12},
                               {"solver_tolerance", 1e-14}},
                              "test");
  ClothSimulation simulation(scene, cloth_options(parameters), {});
  simulation.step();
  const auto v = simulation.state().velocities;
  return {v(0, 0) / -0.1, v(1, 0) / -0.1};
}

TEST(HalfStep, CouplesWhatCollidedWithTheRest) {
  // (1 + s) a − s b = 0, (1 + s) b − s a = 1; constrained: a = 0, (1 + s) b = 1.
  const double s = 0.7;
  const auto plain = speeds_after_impact("half_step", s), constrained = speeds_after_impact("half_step_constrained", s);
  EXPECT_NEAR(plain[0], s / (1.0 + 2.0 * s), 1e-10);
  EXPECT_NEAR(plain[1], (1.0 + s) / (1.0 + 2.0 * s), 1e-10);
  EXPECT_NEAR(constrained[0], 0.0, 1e-14);
  EXPECT_NEAR(constrained[1], 1.0 / (1.0 + s), 1e-10);
}

TEST(StrainLimits, DoNotPullALayerThroughAnother) {
  // A spring through a held triangle would pull a corner of the free one, 0.1 m above it, to 0.45 m below.
  Scene scene;
  scene.cloth.rest_positions.resize(9, 3);
  scene.cloth.rest_positions << -2, -2, 0, 2, -2, 0, 0, 3, 0,  // held, between
      0, 0, 0.1, 0.3, 0, 0.2, 0, 0.3, 0.2,                     // free, above
      0, 0, -1, 0.3, 0, -1.1, 0, 0.3, -1.1;                    // held, below
  scene.cloth.triangles.resize(3, 3);
  scene.cloth.triangles << 0, 1, 2, 3, 4, 5, 6, 7, 8;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 1, 2, 6, 7, 8};
  model::PositionConstraint spring;
  spring.vertices = {3, 6, -1, -1};
  spring.rest_value = 0.5;
  spring.compliance = 1e12;
  scene.constraints.push_back(spring);
  const auto corner_after = [&](const char* detection) {
    const Parameters parameters(cloth_parameters(),
                                {{"substeps", 1LL},
                                 {"stretch_stiffness_n_per_m", 0.0},
                                 {"strain_limit", 0.1},
                                 {"collision_detection", std::string(detection)}},
                                "test");
    ClothSimulation simulation(scene, cloth_options(parameters), {});
    simulation.step();
    return double(simulation.state().positions(3, 2));
  };
  EXPECT_NEAR(corner_after("none"), -0.45, 1e-12);
  EXPECT_GT(corner_after("both"), 0.0);
}

TEST(StrainLimits, AreNotUndoneByADetectionThatFindsNothing) {
  // A strip of two squares that hangs from one side and swings: nothing meets.
  Scene scene;
  scene.cloth.rest_positions.resize(6, 3);
  scene.cloth.rest_positions << 0, 0, 0, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0, 0.1, 0.2, 0, 0, 0.2, 0, 0.1;
  scene.cloth.triangles.resize(4, 3);
  scene.cloth.triangles << 0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 1};
  scene.time_step = 1e-3;
  scene.gravity = {0, -9.81, 0};
  for (const std::array<int, 2> edge : {std::array{0, 2}, {1, 3}, {1, 2}, {2, 3}, {2, 4}, {3, 5}, {3, 4}, {4, 5}}) {
    model::PositionConstraint spring;
    spring.vertices = {edge[0], edge[1], -1, -1};
    spring.rest_value = (scene.cloth.rest_positions.row(edge[0]) - scene.cloth.rest_positions.row(edge[1])).norm();
    spring.compliance = 1.0;
    scene.constraints.push_back(spring);
  }
  for (const char* scheme : {"symplectic", "half_step", "half_step_constrained", "implicit"})
    for (const char* form : {"positions", "positions_and_velocities"}) {
      const auto after = [&](const char* detection) {
        const Parameters parameters(cloth_parameters(),
                                    {{"substeps", 1LL},
                                     {"scheme", std::string(scheme)},
                                     {"stretch_stiffness_n_per_m", 1.0},
                                     {"strain_limit", 0.1},
                                     {"strain_limit_form", std::string(form)},
                                     {"strain_limit_sweeps", 50LL},
                                     {"collision_detection", std::string(detection)}},
                                    "test");
        ClothSimulation simulation(scene, cloth_options(parameters), {});
        for (int k = 0; k < 200; ++k) simulation.step();
        return Points(simulation.state().positions);
      };
      const Points without = after("none");
      EXPECT_GT((without - scene.cloth.rest_positions).cwiseAbs().maxCoeff(), 0.05);
      EXPECT_LT((after("both") - without).cwiseAbs().maxCoeff(), 1e-10) << scheme << ", " << form;
    }
}

TEST(StrainLimits, LeaveNothingInsideAnObstacle) {
  // A chain over a ball, its ends held below: limits pull the middle into the ball.
  Scene scene;
  Points& rest = scene.particles.rest_positions;
  rest.resize(21, 3);
  for (int i = 0; i <= 20; ++i) rest.row(i) << 0.1 * (i - 10), 0.51, 0.0;
  scene.particles.masses = Eigen::VectorXd::Constant(21, 0.1);
  for (int i = 0; i < 20; ++i) {
    model::PositionConstraint link;
    link.vertices = {i, i + 1, -1, -1};
    link.rest_value = 0.1;
    link.compliance = 1e-3;
    scene.constraints.push_back(link);
  }
  model::RigidBody ball;
  ball.shape.radius = 0.5;
  scene.rigid_bodies.push_back(ball);
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 20};
  scene.prescribed[0].translation = {0.0, -0.4, 0.0};
  scene.prescribed[0].ramp.end = 0.5;
  scene.gravity = {0, -9.81, 0};
  scene.time_step = 1e-2;
  const Parameters parameters(cloth_parameters(), {{"strain_limit", 0.05}, {"strain_limit_sweeps", 50LL}}, "test");
  ClothSimulation simulation(scene, cloth_options(parameters), {});
  double nearest = 1.0;
  for (int k = 0; k < 100; ++k) {
    simulation.step();
    nearest = std::min(nearest, simulation.state().positions.middleRows(1, 19).rowwise().norm().minCoeff());
  }
  EXPECT_LT(nearest, 0.5 + 1e-6);  // it lies on the ball
  EXPECT_GT(nearest, 0.5 - 1e-5);  // to first order of a step's slide along the surface
}

TEST(ImplicitStep, IsThatOfImplicitEulerForALinearSpring) {
  // u⁺ = (u + h w) / (1 + h d + h²), w⁺ = (u⁺ − u) / h with ω = 1.
  const double h = 0.3, damping = 0.4;
  double u = 0.01, w = 0.0;
  for (int n = 0; n < 20; ++n) {
    w = (w - h * u) / (1.0 + h * damping + h * h);
    u += h * w;
  }
  EXPECT_NEAR(stretch_after("implicit", 20, h, damping), u, 1e-12);
}

}  // namespace
}  // namespace deformbench::cloth
