// SPDX-License-Identifier: BSD-3-Clause
// Velocities of regions that move as one, and how they are merged. [B05] §12
#include "methods/collision/impact_zones.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

#include "methods/numerics/random.hpp"

namespace deformbench::collision {
namespace {

using numerics::RandomStream;

struct Cloud {
  Points x, v, is_free;
  Eigen::VectorXd m;
  std::vector<int> all;
};

/// `flat`: 0 in space, 1 in a plane, 2 on a line.
Cloud cloud(int count, std::uint64_t seed, int flat = 0, double offset = 0.0) {
  RandomStream random(seed);
  Cloud c{Points(count, 3), Points(count, 3), Points::Ones(count, 3), Eigen::VectorXd(count), {}};
  const Matrix3 turn = random.rotation();
  for (int i = 0; i < count; ++i) {
    Vector3 x(random.uniform(-1, 1), flat < 2 ? random.uniform(-1, 1) : 0.0, flat < 1 ? random.uniform(-1, 1) : 0.0);
    c.x.row(i) = (turn * x).transpose().array() + offset;
    c.v.row(i) = random.direction().transpose() * random.uniform();
    c.m[i] = std::pow(10.0, random.uniform(-2, 2));
    c.all.push_back(i);
  }
  return c;
}

Vector3 momentum(const Cloud& c, const Points& v) {
  return v.transpose() * c.m;
}
Vector3 angular_momentum(const Cloud& c, const Points& v, const Vector3& about) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < v.rows(); ++i)
    sum += c.m[i] * (Vector3(c.x.row(i).transpose()) - about).cross(Vector3(v.row(i).transpose()));
  return sum;
}
double kinetic(const Cloud& c, const Points& v) {
  return 0.5 * c.m.dot(v.rowwise().squaredNorm());
}

TEST(ImpactZones, KeepBothMomentaRigidAndAffineInSpaceInAPlaneAndOnALine) {
  for (const ZoneMotion motion : {ZoneMotion::Rigid, ZoneMotion::Affine})
    for (int flat = 0; flat < 3; ++flat)
      for (const double offset : {0.0, 1000.0}) {
        const Cloud c = cloud(30, 5, flat, offset);
        Points v = c.v;
        project_velocities(motion, c.all, {}, c.x, c.m, c.is_free, v);
        const double scale = c.m.dot(c.v.rowwise().norm());
        EXPECT_LE((momentum(c, v) - momentum(c, c.v)).norm(), 1e-13 * scale);
        const Vector3 about = c.x.row(0).transpose();
        EXPECT_LE((angular_momentum(c, v, about) - angular_momentum(c, c.v, about)).norm(), 1e-12 * scale);
        EXPECT_LT(kinetic(c, v), kinetic(c, c.v));
        Points again = v;
        project_velocities(motion, c.all, {}, c.x, c.m, c.is_free, again);
        EXPECT_LE((again - v).norm(), 1e-11 * v.norm());
      }
}

TEST(ImpactZones, ARigidMotionChangesNoDistanceAndAnAffineOneLosesLessEnergy) {
  const Cloud c = cloud(20, 6);
  Points rigid = c.v, affine = c.v;
  project_velocities(ZoneMotion::Rigid, c.all, {}, c.x, c.m, c.is_free, rigid);
  project_velocities(ZoneMotion::Affine, c.all, {}, c.x, c.m, c.is_free, affine);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NEAR((c.x.row(i) - c.x.row(j)).dot(rigid.row(i) - rigid.row(j)), 0.0, 1e-12);
  EXPECT_LT(kinetic(c, rigid), kinetic(c, affine));
}

TEST(ImpactZones, AStoppedZoneGoesOnAsPrescribed) {
  Cloud c = cloud(4, 9);
  c.is_free.row(1) << 1.0, 0.0, 1.0;
  ImpactZones zones(c.is_free);
  ASSERT_TRUE(zones.merge({0, 1, 2, 3}));
  ASSERT_TRUE(zones.stop({0, 1, 2, 3}));
  Points v = c.v;
  zones.project(ZoneMotion::Rigid, c.x, c.m, c.v, v, [](int) {});
  EXPECT_EQ(v(1, 1), c.v(1, 1));
  v(1, 1) = 0.0;
  EXPECT_EQ(v.norm(), 0.0);
}

// The best rigid motion with a vertex held turns about it; with two about the line; with three it does not move.
TEST(ImpactZones, TurnAboutWhatIsHeld) {
  for (int held = 1; held <= 3; ++held) {
    Cloud c = cloud(12, 7);
    std::vector<int> anchors, free;
    for (int i = 0; i < 12; ++i) (i < held ? anchors : free).push_back(i);
    for (const int i : anchors) {
      c.is_free.row(i).setZero();
      c.v.row(i).setZero();
    }
    Points v = c.v;
    project_velocities(ZoneMotion::Rigid, free, anchors, c.x, c.m, c.is_free, v);
    for (const int i : anchors) EXPECT_EQ(v.row(i).norm(), 0.0);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < i; ++j) EXPECT_NEAR((c.x.row(i) - c.x.row(j)).dot(v.row(i) - v.row(j)), 0.0, 1e-11);
    const Vector3 about = c.x.row(0).transpose();
    const Vector3 change = angular_momentum(c, v, about) - angular_momentum(c, c.v, about);
    if (held == 1) {
      EXPECT_LE(change.norm(), 1e-11);  // what holds a point gives no moment about it
    }
    if (held == 2) {
      EXPECT_NEAR(change.dot((c.x.row(1) - c.x.row(0)).transpose().normalized()), 0.0, 1e-11);
    }
    if (held < 3)
      EXPECT_GT(v.norm(), 0.01);
    else
      EXPECT_LE(v.norm(), 1e-10);
  }
}

TEST(ImpactZones, FollowAnchorsThatMoveAsOne) {
  Cloud c = cloud(10, 8);
  const Vector3 omega(0.3, -0.2, 0.5), velocity(1, 2, 3);
  std::vector<int> anchors{0, 1, 2}, free{3, 4, 5, 6, 7, 8, 9};
  for (const int i : anchors) {
    c.is_free.row(i).setZero();
    c.v.row(i) = (velocity + omega.cross(Vector3(c.x.row(i).transpose()))).transpose();
  }
  project_velocities(ZoneMotion::Rigid, free, anchors, c.x, c.m, c.is_free, c.v);
  for (const int i : free)
    EXPECT_NEAR((c.v.row(i).transpose() - velocity - omega.cross(Vector3(c.x.row(i).transpose()))).norm(), 0.0, 1e-10);
}

TEST(ImpactZones, KeepPrescribedComponentsOfRollers) {
  Cloud c = cloud(8, 9);
  c.is_free(2, 1) = c.is_free(5, 1) = 0.0;
  c.v(2, 1) = c.v(5, 1) = 0.0;
  project_velocities(ZoneMotion::Rigid, c.all, {}, c.x, c.m, c.is_free, c.v);
  EXPECT_EQ(c.v(2, 1), 0.0);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NEAR((c.x.row(i) - c.x.row(j)).dot(c.v.row(i) - c.v.row(j)), 0.0, 1e-10);
}

TEST(ImpactZones, AnchorsDoNotJoinZones) {
  Points is_free = Points::Ones(9, 3);
  is_free.row(8).setZero();
  ImpactZones zones(is_free);
  EXPECT_TRUE(zones.merge({0, 1, 2, 8}));
  EXPECT_TRUE(zones.merge({3, 4, 5, 8}));
  EXPECT_FALSE(zones.merge({5, 3, 4, 8}));
  ASSERT_EQ(zones.zones().size(), 2u);
  EXPECT_EQ(zones.zones()[0].anchors, std::vector<int>{8});
  EXPECT_TRUE(zones.stop({3, 4, 5, 8}));
  EXPECT_FALSE(zones.stop({3, 4, 5, 8}));
  EXPECT_TRUE(zones.merge({2, 3, 6, 7}));
  ASSERT_EQ(zones.zones().size(), 1u);
  EXPECT_EQ(zones.zones()[0].free.size(), 8u);
  EXPECT_EQ(zones.zones()[0].anchors.size(), 1u);
  EXPECT_TRUE(zones.zones()[0].is_stopped);
}

}  // namespace
}  // namespace deformbench::collision
