// SPDX-License-Identifier: BSD-3-Clause
// [MHHR07] §3.5: damping leaves the rigid motion and takes the rest (PBD-17), also where the inertia is singular
// (B-PBD-9).
#include "methods/pbd/damping.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

struct Cloud {
  Points x, v;
  Eigen::VectorXd masses;
  std::vector<int> all;
  Vector3 momentum() const { return v.transpose() * masses; }
  Vector3 angular() const {
    Vector3 sum = Vector3::Zero();
    for (const int i : all) sum += masses[i] * Vector3(x.row(i)).cross(Vector3(v.row(i)));
    return sum;
  }
  double kinetic() const { return 0.5 * masses.dot(v.rowwise().squaredNorm()); }
};

Cloud cloud(int count, std::uint64_t seed) {
  numerics::RandomStream random(seed);
  Cloud c{random_points(count, random), random_points(count, random), random_masses(count, random), {}};
  c.all.resize(std::size_t(count));
  std::iota(c.all.begin(), c.all.end(), 0);
  return c;
}

TEST(Damping, KeepsMomentaAndTakesTheSquareOfTheRestOfTheEnergy) {
  const Cloud start = cloud(20, 31);
  Cloud rigid = start;
  damp_velocities(rigid.all, rigid.x, rigid.masses, 1.0, rigid.v);
  for (const double k : {0.1, 0.5, 1.0}) {
    Cloud c = start;
    damp_velocities(c.all, c.x, c.masses, k, c.v);
    EXPECT_LT((c.momentum() - start.momentum()).norm(), 1e-12 * start.momentum().norm());
    EXPECT_LT((c.angular() - start.angular()).norm(), 1e-12 * start.angular().norm());
    const double before = start.kinetic() - rigid.kinetic(), after = c.kinetic() - rigid.kinetic();
    EXPECT_NEAR(after, (1 - k) * (1 - k) * before, 1e-12 * before) << k;
  }
}

TEST(Damping, OfFullStrengthLeavesARigidMotion) {
  Cloud c = cloud(20, 32);
  damp_velocities(c.all, c.x, c.masses, 1.0, c.v);
  for (const int i : c.all)
    for (const int j : c.all)  // d|x_i − x_j|/dt = 0
      EXPECT_NEAR((c.x.row(i) - c.x.row(j)).dot(c.v.row(i) - c.v.row(j)), 0.0, 1e-12);
}

TEST(Damping, DoesNothingToARigidMotion) {
  Cloud c = cloud(20, 33);
  for (const int i : c.all)
    c.v.row(i) = Eigen::RowVector3d(1, 2, 3) + Vector3(0.3, -0.2, 0.7).cross(Vector3(c.x.row(i))).transpose();
  const Points before = c.v;
  damp_velocities(c.all, c.x, c.masses, 1.0, c.v);
  EXPECT_LT((c.v - before).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Damping, OfPointsOnALineTurnsThemAboutEveryAxisButTheLine) {
  Cloud c = cloud(6, 34);
  const Vector3 direction = Vector3(1, 2, -1).normalized();
  for (const int i : c.all) c.x.row(i) = (0.3 * i + 0.1) * direction.transpose();
  const Vector3 linear = c.momentum(), angular = c.angular();
  damp_velocities(c.all, c.x, c.masses, 1.0, c.v);
  ASSERT_TRUE(c.v.allFinite());
  EXPECT_LT((c.momentum() - linear).norm(), 1e-12 * linear.norm());
  EXPECT_LT((c.angular() - angular).norm(), 1e-11 * angular.norm());
  for (const int i : c.all)
    for (const int j : c.all) EXPECT_NEAR((c.x.row(i) - c.x.row(j)).dot(c.v.row(i) - c.v.row(j)), 0.0, 1e-12);
}

TEST(Damping, OfASinglePointDoesNothing) {
  Cloud c = cloud(1, 35);
  const Points before = c.v;
  damp_velocities(c.all, c.x, c.masses, 1.0, c.v);
  EXPECT_LT((c.v - before).norm(), 1e-15);
}

TEST(Damping, TakesEveryPieceForItself) {
  Triangles two(2, 3);
  two << 0, 1, 2, 3, 4, 5;
  const auto components = free_components(two, {true, true, true, true, false, true});
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(components[1], (std::vector<int>{3, 5}));
}

TEST(Damping, ActsOnceInEveryStep) {
  Points x(2, 3);
  x << -100, 0, 0, 100, 0, 0;
  Scene scene = particle_scene(x, Eigen::Vector2d(1, 3));
  scene.initial_velocities.resize(2, 3);
  scene.initial_velocities << 4, 1, 0, -4, 1, 0;
  const auto simulation = make("pbd", scene, {{"damping", 0.25}});
  for (int k = 1; k <= 20; ++k) {
    simulation->step();
    const PointsView v = simulation->state().velocities;
    EXPECT_NEAR(v(0, 0) - v(1, 0), 8 * std::pow(0.75, k), 1e-10);  // x = 100 m carries 1e-14 m, over Δt
  }
}

}  // namespace
}  // namespace deformbench::pbd
