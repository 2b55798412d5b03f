// SPDX-License-Identifier: BSD-3-Clause
// The sweep forward then backward, at rest: a symmetric map with eigenvalues in [0, 1], so that no motion grows, unlike
// with a fixed order (fixed_order_stability_test.cpp has the reasoning).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <complex>

#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

Scene flat_cloth() {
  Scene scene;
  scene.name = "flat_cloth";
  scene.cloth = square_cloth(5, 0.05, 1.0);
  return scene;
}

/// G by central differences of one step with one iteration; a displacement of 1 µm comes from a velocity.
Eigen::MatrixXd sweep_map(const char* order, double bend_stiffness) {
  const Scene rest = flat_cloth();
  const Eigen::Index count = 3 * rest.vertex_count();
  const double displacement = 1e-6;
  Eigen::MatrixXd map(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    Points ends[2];
    for (int side = 0; side < 2; ++side) {
      Scene scene = rest;
      scene.initial_velocities = Points::Zero(rest.vertex_count(), 3);
      scene.initial_velocities.data()[j] = (side == 0 ? 1.0 : -1.0) * displacement / scene.time_step;
      const auto simulation =
          make("pbd", scene, {{"iterations", 1LL}, {"order", std::string(order)}, {"bend_stiffness", bend_stiffness}});
      simulation->step();
      ends[side] = simulation->state().positions;
    }
    const Points change = (ends[0] - ends[1]) / (2 * displacement);
    map.col(j) = Eigen::Map<const Eigen::VectorXd>(change.data(), count);
  }
  return map;
}

/// Largest |z| of a step with this map: the growth factor of a motion per step.
double growth(const Eigen::MatrixXd& map) {
  double most = 0.0;
  const Eigen::VectorXcd eigenvalues = map.eigenvalues();
  for (const std::complex<double>& mu : eigenvalues) {
    const std::complex<double> root = std::sqrt(mu * mu - mu);
    most = std::max({most, std::abs(mu + root), std::abs(mu - root)});
  }
  return most;
}

/// Speed (m/s) after `steps` of a cloth at rest that is shaken with 1e-9 m/s.
double speed_after(const char* order, double bend_stiffness, long long iterations, int steps) {
  Scene scene = flat_cloth();
  numerics::RandomStream random(61);
  scene.initial_velocities = random_points(scene.vertex_count(), random, 1e-9);
  const auto simulation = make(
      "pbd", scene, {{"iterations", iterations}, {"order", std::string(order)}, {"bend_stiffness", bend_stiffness}});
  for (int k = 0; k < steps; ++k) simulation->step();
  return simulation->state().velocities.norm();
}

/// Eigenvalues 1 (what no constraint resists) are double in z: rounding of 1e-11 in G becomes its root.
constexpr double kRounding = 2e-5;

TEST(SymmetricSweep, LetsNothingGrowThatAFixedOrderLetsGrow) {
  EXPECT_GT(growth(sweep_map("forward", 1.0)), 1.05);
  EXPECT_GT(speed_after("forward", 1.0, 10, 2000), 1.0);
  for (const double bend_stiffness : {0.1, 1.0})
    EXPECT_LT(growth(sweep_map("symmetric", bend_stiffness)), 1.0 + kRounding);
  EXPECT_LT(speed_after("symmetric", 1.0, 1, 2000), 1e-8);
  EXPECT_LT(speed_after("symmetric", 1.0, 10, 2000), 1e-8);
}

TEST(SymmetricSweep, IsTheForwardOneAndTheReverseOne) {
  const Eigen::MatrixXd product = sweep_map("reverse", 1.0) * sweep_map("forward", 1.0);
  EXPECT_LT((sweep_map("symmetric", 1.0) - product).cwiseAbs().maxCoeff(), 1e-4);  // central differences of 1e-6 m
}

TEST(SymmetricSweep, LeavesOneMinusTheStiffnessToo) {
  Points x(2, 3);
  x << 0, 0, 0, 1.5, 0, 0;
  for (const long long iterations : {1LL, 4LL}) {
    Scene scene = particle_scene(x, Eigen::Vector2d(1, 3));
    scene.constraints = {distance_constraint(0, 1, 1.0, 0.7)};
    const auto simulation = make("pbd", scene, {{"iterations", iterations}, {"order", std::string("symmetric")}});
    simulation->step();
    const PointsView p = simulation->state().positions;
    EXPECT_NEAR(((p.row(1) - p.row(0)).norm() - 1.0) / 0.5, 0.3, 1e-14);
  }
}

}  // namespace
}  // namespace deformbench::pbd
