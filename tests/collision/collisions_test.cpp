// SPDX-License-Identifier: BSD-3-Clause
// Surfaces without intersections stay without, however wildly they move; judged by exact signs.
// [B05] §12, §13
#include "methods/collision/collisions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "methods/collision/collision_totals.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/random.hpp"
#include "tests/collision/exact_pairs.hpp"

namespace deformbench::collision {
namespace {

using numerics::RandomStream;

struct Surface {
  Points x, v, is_free;
  Triangles triangles;
  Eigen::VectorXd m;
};

/// Sheets of n×n vertices one above the other, `gap` apart, with random velocities of size `speed`.
Surface sheets(int layers, int n, double gap, double speed, std::uint64_t seed) {
  const int each = n * n;
  Surface s{Points(layers * each, 3), Points(layers * each, 3), Points::Ones(layers * each, 3),
            Triangles(layers * 2 * (n - 1) * (n - 1), 3), Eigen::VectorXd(layers * each)};
  RandomStream random(seed);
  Eigen::Index t = 0;
  for (int l = 0; l < layers; ++l) {
    const Matrix3 turn = Eigen::AngleAxisd(random.uniform(0.0, 6.0), Vector3::UnitZ()).toRotationMatrix();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int at = l * each + j * n + i;
        s.x.row(at) =
            (turn * Vector3(i - 0.5 * (n - 1) + 0.1 * random.uniform(), j - 0.5 * (n - 1), 0.0)).transpose() * 0.1;
        s.x(at, 2) = l * gap + 0.3 * gap * random.uniform();
        s.v.row(at) = speed * random.direction().transpose();
        s.m[at] = std::pow(10.0, random.uniform(-1.0, 1.0));
        if (i + 1 < n && j + 1 < n) {
          s.triangles.row(t++) << at, at + 1, at + n;
          s.triangles.row(t++) << at + 1, at + n + 1, at + n;
        }
      }
  }
  return s;
}

Points end_of(const Surface& s, double h) {
  return s.x + h * s.v;
}
Vector3 momentum(const Surface& s, const Points& v) {
  return v.transpose() * s.m;
}
Vector3 angular_momentum(const Surface& s, const Points& v) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < v.rows(); ++i)
    sum += s.m[i] * Vector3(s.x.row(i).transpose()).cross(Vector3(v.row(i).transpose()));
  return sum;
}

CollisionOptions everything() {
  CollisionOptions options;
  options.detection = Detection::Both;
  options.sweeps = 5;
  return options;
}

TEST(Collisions, ASurfaceWithoutIntersectionsStaysWithout) {
  for (const double gap : {0.05, 1e-4, 1e-9}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      Surface s = sheets(3, 4, gap, 10.0, seed);
      Collisions collisions(s.m, s.triangles, everything());
      const double h = 0.02;
      ASSERT_EQ(exact_intersections(s.x, s.triangles), 0);
      EXPECT_GT(exact_intersections(end_of(s, h), s.triangles), 0);  // there is something to do
      for (int step = 0; step < 4; ++step) {
        Points end = end_of(s, h);
        const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, h, s.v, end);
        EXPECT_EQ(counts.unresolved, 0);
        // Also between: the surface moves on straight lines.
        for (const double part : {0.25, 0.5, 1.0})
          ASSERT_EQ(exact_intersections((1.0 - part) * s.x + part * end, s.triangles), 0)
              << gap << ' ' << seed << ' ' << step << ' ' << part;
        s.x = end;
        RandomStream random(seed, std::uint64_t(step));
        for (Eigen::Index i = 0; i < s.v.rows(); ++i) s.v.row(i) += 5.0 * random.direction().transpose();
      }
    }
  }
}

TEST(Collisions, ZonesAloneKeepBothMomenta) {
  Surface s = sheets(4, 4, 0.02, 5.0, 9);
  CollisionOptions options = everything();
  options.sweeps = 0;
  Collisions collisions(s.m, s.triangles, options);
  Points end = end_of(s, 0.01), v = s.v;
  const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, 0.01, v, end);
  EXPECT_GT(counts.zones, 0);
  EXPECT_EQ(counts.unresolved, 0);
  EXPECT_EQ(counts.stopped_vertices, 0);
  EXPECT_EQ(exact_intersections(end, s.triangles), 0);
  const double scale = s.m.dot(s.v.rowwise().norm());
  EXPECT_LE((momentum(s, v) - momentum(s, s.v)).norm(), 1e-12 * scale);
  EXPECT_LE((angular_momentum(s, v) - angular_momentum(s, s.v)).norm(), 1e-12 * scale);
}

// A plate of held vertices under the sheets, which falls, stands still, or is driven into them.
TEST(Collisions, HeldVerticesGoWhereTheyMustAndNothingGoesThrough) {
  for (const double lift : {0.0, 0.03}) {
    Surface s = sheets(3, 4, 0.02, 1.0, 11);
    s.is_free.topRows(16).setZero();
    s.v.col(2).array() -= 4.0;
    Collisions collisions(s.m, s.triangles, everything());
    Points end = end_of(s, 0.01);
    end.topRows(16) = s.x.topRows(16);
    end.topRows(16).col(2).array() += lift;
    const Points wanted = end.topRows(16);
    const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, 0.01, s.v, end);
    EXPECT_GT(counts.first_contacts, 0);
    EXPECT_EQ(counts.unresolved, 0);
    EXPECT_EQ(end.topRows(16), wanted);
    EXPECT_EQ(exact_intersections(end, s.triangles), 0);
  }
}

TEST(Collisions, PointsAndFacesAloneLetEdgesThrough) {
  // Two long triangles whose middle edges cross; no vertex meets a face.
  Surface s{Points(6, 3), Points::Zero(6, 3), Points::Ones(6, 3), Triangles(2, 3), Eigen::VectorXd::Ones(6)};
  s.x << -1, 0, 0, 1, 0, 0, 0, 0, -3, 0, -1, 0.5, 0, 1, 0.5, 0, 0, 3.5;
  s.triangles << 0, 1, 2, 3, 4, 5;
  s.v.bottomRows(3).col(2).setConstant(-1.0);
  for (const Detection detection : {Detection::None, Detection::PointFace, Detection::EdgeEdge, Detection::Both}) {
    CollisionOptions options = everything();
    options.detection = detection;
    Collisions collisions(s.m, s.triangles, options);
    Points v = s.v, end = end_of(s, 1.0);
    collisions.resolve(s.x, s.is_free, 1.0, v, end);
    const bool is_kept = detection == Detection::EdgeEdge || detection == Detection::Both;
    EXPECT_EQ(exact_intersections(end, s.triangles), is_kept ? 0 : 1);
  }
}

TEST(Collisions, WhatSweepsLeaveIsSaidToBeUnresolved) {
  Surface s = sheets(6, 3, 1e-4, 0.1, 12);
  for (Eigen::Index i = 0; i < s.v.rows(); ++i) s.v(i, 2) = -double(i / 9);
  CollisionOptions options = everything();
  options.sweeps = 2;
  options.zones = ZoneMotion::None;
  Collisions collisions(s.m, s.triangles, options);
  Points end = end_of(s, 0.02);
  const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, 0.02, s.v, end);
  EXPECT_EQ(counts.sweeps, 2);
  EXPECT_GT(counts.unresolved, 0);
  EXPECT_GT(exact_intersections(end, s.triangles), 0);
  CollisionTotals totals;
  totals.add(collisions);
  totals.add(collisions);
  ASSERT_EQ(totals.events().size(), 1u);
  EXPECT_EQ(totals.events()[0].kind, "collisions_unresolved");
  EXPECT_EQ(totals.events()[0].code, 2 * counts.unresolved);
  EXPECT_EQ(totals.array("collision_counts").integers[1], 4);
  EXPECT_EQ(totals.array("sweep_contacts").integers.size(), 6u);
  EXPECT_THROW(totals.array("contacts"), InputError);
}

TEST(Collisions, HeldVerticesThatMustMeetAreSaidToBeUnresolved) {
  Surface s = sheets(2, 3, 0.05, 0.0, 1);
  s.is_free.setZero();
  Collisions collisions(s.m, s.triangles, everything());
  for (const double way : {0.0, -0.01, -0.2}) {
    Points end = s.x;
    end.bottomRows(9).col(2).array() += way;
    const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, 0.01, s.v, end);
    EXPECT_EQ(counts.unresolved > 0, way == -0.2) << way;
  }
}

// A zone between two plates of held vertices that close in on it cannot move as a rigid body: it is said not to be
// resolved, and what is held goes where it must.
TEST(Collisions, LayersBetweenPlatesThatMeetAreSaidToBeUnresolved) {
  Surface s = sheets(3, 3, 0.1, 0.0, 13);
  s.v.setZero();
  s.is_free.topRows(9).setZero();
  s.is_free.bottomRows(9).setZero();
  Collisions collisions(s.m, s.triangles, everything());
  Points end = s.x;
  end.topRows(9).col(2).array() += 0.3;
  const Points wanted = end;
  const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, 0.01, s.v, end);
  EXPECT_GT(counts.unresolved, 0);
  EXPECT_EQ(end.topRows(9), wanted.topRows(9));
  EXPECT_EQ(end.bottomRows(9), wanted.bottomRows(9));
}

// Repulsions part sheets nearer than their thickness and leave others alone.
TEST(Collisions, RepulsionsPartLayersThatAreTooNear) {
  Surface s = sheets(2, 3, 0.01, 0.0, 14);
  s.v.setZero();
  for (const double thickness : {0.005, 0.05}) {
    CollisionOptions options = everything();
    options.detection = Detection::Proximity;
    options.thickness = thickness;
    Collisions collisions(s.m, s.triangles, options);
    Points v = s.v, end = s.x;
    const CollisionCounts& counts = collisions.resolve(s.x, s.is_free, 0.01, v, end);
    EXPECT_EQ(counts.repulsions > 0, thickness > 0.01);
    if (thickness > 0.01) {
      EXPECT_GT(v.bottomRows(9).col(2).mean(), v.topRows(9).col(2).mean());
    }
    EXPECT_LE(momentum(s, v).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace deformbench::collision
