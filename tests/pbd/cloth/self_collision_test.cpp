// SPDX-License-Identifier: BSD-3-Clause
// Which vertices of a cloth meet which triangles. [MHHR07] §4.3
#include "methods/pbd/cloth/self_collision.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>

#include "methods/pbd/cloth/point_triangle.hpp"
#include "tests/pbd/cloth/cloth_shapes.hpp"

namespace deformbench::pbd {
namespace {

using pbd_test::Cloth;
using pbd_test::join;
using pbd_test::shaken;
using pbd_test::sheet;

constexpr double kThickness = 0.1;

std::vector<SelfContact> contacts_of(SelfCollision& collision, const Points& x, const Points& p) {
  std::vector<SelfContact> contacts;
  collision.find(x, p, contacts);
  return contacts;
}

PointTriangle gather(const Points& points, int q, const Triangles& triangles, int t) {
  return {points.row(q).transpose(), points.row(triangles(t, 0)).transpose(), points.row(triangles(t, 1)).transpose(),
          points.row(triangles(t, 2)).transpose()};
}

double signed_volume(const PointTriangle& a) {
  return (a.q - a.p1).dot((a.p2 - a.p1).cross(a.p3 - a.p1));
}

// What the way x → p looks like in so many samples: closest distance at the ends, closest in the plane between them.
struct Way {
  double ends = 1e9, whole = 1e9, through = 1e9;
};

Way sampled_way(const Points& x, const Points& p, int q, const Triangles& triangles, int t, int samples) {
  const PointTriangle from = gather(x, q, triangles, t), to = gather(p, q, triangles, t);
  const auto at = [&](double s) {
    return PointTriangle{from.q + s * (to.q - from.q), from.p1 + s * (to.p1 - from.p1), from.p2 + s * (to.p2 - from.p2),
                         from.p3 + s * (to.p3 - from.p3)};
  };
  Way way;
  for (int i = 0; i <= samples; ++i) {
    const Separation here = separation(at(double(i) / samples));
    way.whole = std::min(way.whole, here.distance);
    if ((i == 0 || i == samples) && 2.0 * std::abs(here.height) > here.beside)
      way.ends = std::min(way.ends, here.distance);
    if (i == 0) continue;
    double a = double(i - 1) / samples, b = double(i) / samples;
    const bool sign = signed_volume(at(a)) < 0.0;
    if (sign == (signed_volume(at(b)) < 0.0)) continue;
    for (int step = 0; step < 40; ++step) {
      const double middle = 0.5 * (a + b);
      ((signed_volume(at(middle)) < 0.0) == sign ? a : b) = middle;
    }
    way.through = std::min(way.through, separation(at(a)).distance);
  }
  return way;
}

TEST(SelfCollision, NoPairThatBruteForceSeesIsMissed) {
  numerics::RandomStream random(11);
  int through = 0, near = 0, found = 0;
  for (int round = 0; round < 30; ++round) {
    const Cloth cloth = join(sheet(4, 4, 0.4), sheet(4, 4, 0.4));
    Points x = shaken(cloth.positions, 0.25, random);
    x.bottomRows(25).col(2).array() += 0.3;
    // From gentle motion to one that throws every vertex through the whole of the cloth.
    const double speed = std::pow(10.0, -2.0 + 0.1 * round);
    Points p = shaken(x, speed, random);
    p.rowwise() += Eigen::RowVector3d(10.0 * speed, 0.0, -speed);
    SelfCollision collision(cloth.triangles, x.rows(), kThickness);
    std::set<std::pair<int, int>> pairs;  // (vertex, first corner…): triangles are told apart by their corners
    const auto contacts = contacts_of(collision, x, p);
    std::set<std::array<int, 4>> set;
    for (const auto& c : contacts)
      EXPECT_TRUE(set.insert({c.vertex, c.triangle[0], c.triangle[1], c.triangle[2]}).second);
    found += int(contacts.size());
    for (int t = 0; t < cloth.triangles.rows(); ++t) {
      for (int q = 0; q < x.rows(); ++q) {
        const auto corners = cloth.triangles.row(t);
        const std::array<int, 4> pair{q, corners[0], corners[1], corners[2]};
        if (q == corners[0] || q == corners[1] || q == corners[2]) {
          EXPECT_EQ(set.count(pair), 0u);
          continue;
        }
        const Way way = sampled_way(x, p, q, cloth.triangles, t, 64);
        if (way.through < 0.009 * kThickness) {
          ASSERT_EQ(set.count(pair), 1u) << "passes through, round " << round;
          ++through;
        }
        // Beside an edge by more than h at the end, or at the start only: nothing can come of it.
        const Separation after = separation(gather(p, q, cloth.triangles, t));
        if (after.distance < kThickness && 2.0 * std::abs(after.height) > after.beside) {
          ASSERT_EQ(set.count(pair), 1u) << "close at the end, round " << round;
          ++near;
        }
        // Nothing that is neither. Samples are a 64th of the way apart.
        if (set.count(pair) == 1 && speed < 1.0) {
          ASSERT_LT(way.whole, 1.5 * kThickness + 25.0 * speed / 64);
        }
      }
    }
  }
  EXPECT_GT(through, 300);
  EXPECT_GT(near, 300);
  EXPECT_LT(found, 20 * (through + near));
}

TEST(SelfCollision, MotionThatAllHaveInCommonChangesNothing) {
  numerics::RandomStream random(12);
  const Cloth cloth = sheet(8, 8, 0.2);
  const Points x = shaken(cloth.positions, 0.15, random), p = shaken(x, 0.1, random);
  Points moved = p;
  moved.rowwise() += Eigen::RowVector3d(512.0, -256.0, 128.0);
  SelfCollision one(cloth.triangles, x.rows(), 0.05), other(cloth.triangles, x.rows(), 0.05);
  const auto a = contacts_of(one, x, p), b = contacts_of(other, x, moved);
  ASSERT_GT(a.size(), 20u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].vertex, b[i].vertex);
    EXPECT_EQ(a[i].triangle, b[i].triangle);
    EXPECT_EQ(a[i].side, b[i].side);
  }
  // The boxes are those of the cloth without the common motion: no more candidates.
  EXPECT_NEAR(double(other.candidate_count()), double(one.candidate_count()), 0.05 * double(one.candidate_count()));
}

TEST(SelfCollision, OrderIsByTriangleThenVertexAndTheSameEveryTime) {
  numerics::RandomStream random(13);
  const Cloth cloth = sheet(10, 10, 0.1);
  const Points x = shaken(cloth.positions, 0.1, random), p = shaken(x, 0.05, random);
  SelfCollision one(cloth.triangles, x.rows(), 0.05), other(cloth.triangles, x.rows(), 0.05);
  const auto a = contacts_of(one, x, p), b = contacts_of(other, x, p);
  ASSERT_GT(a.size(), 100u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].vertex, b[i].vertex);
    EXPECT_EQ(a[i].side, b[i].side);
    EXPECT_EQ(a[i].thickness, b[i].thickness);
    if (i > 0 && a[i].triangle == a[i - 1].triangle) {
      EXPECT_LT(a[i - 1].vertex, a[i].vertex);
    }
  }
}

/// A triangle in the plane z = 0 and one far away, of which vertex 3 comes near.
struct OneVertex {
  Points x{6, 3};
  Triangles triangles{2, 3};
  OneVertex() {
    x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 0.5, 9, 9, 9, 9, 8, 9;
    triangles << 0, 1, 2, 3, 4, 5;
  }
  Points with(double px, double py, double pz) const {
    Points p = x;
    p.row(3) << px, py, pz;
    return p;
  }
};

TEST(SelfCollision, TheSideIsWhereTheVertexWasAtTheStart) {
  const OneVertex scene;
  for (const double z : {0.5, -0.5}) {
    SelfCollision collision(scene.triangles, 6, kThickness);
    const auto contacts = contacts_of(collision, scene.with(0.25, 0.25, z), scene.with(0.25, 0.25, -z));
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].vertex, 3);
    EXPECT_EQ(contacts[0].side, z > 0 ? 1.0 : -1.0);
  }
}

TEST(SelfCollision, APairThatStaysCloseKeepsItsSide) {
  const OneVertex scene;
  SelfCollision collision(scene.triangles, 6, kThickness);
  ASSERT_EQ(contacts_of(collision, scene.with(0.25, 0.25, 0.3), scene.with(0.25, 0.25, -0.02)).at(0).side, 1.0);
  // The iterations did not bring it back: it starts the next step below, and is still to go above.
  EXPECT_EQ(contacts_of(collision, scene.with(0.25, 0.25, -0.02), scene.with(0.25, 0.25, -0.04)).at(0).side, 1.0);
  EXPECT_EQ(collision.wrong_side_count(), 1);
  // Once it has been away, it is where it is.
  EXPECT_TRUE(contacts_of(collision, scene.with(0.25, 0.25, -0.5), scene.with(0.25, 0.25, -0.5)).empty());
  EXPECT_EQ(contacts_of(collision, scene.with(0.25, 0.25, -0.02), scene.with(0.25, 0.25, -0.02)).at(0).side, -1.0);
  EXPECT_EQ(collision.wrong_side_count(), 0);
}

TEST(SelfCollision, OfADistanceThatIsMissingAtTheStartNoMoreIsAskedForThanMayBeRegained) {
  const OneVertex scene;
  SelfCollision collision(scene.triangles, 6, kThickness);
  collision.regain_at_most(0.1 * kThickness);
  const auto start = scene.with(0.25, 0.25, 0.03);
  EXPECT_NEAR(contacts_of(collision, start, start).at(0).thickness, 0.04, 1e-12);
  const auto almost = scene.with(0.25, 0.25, 0.095);
  EXPECT_NEAR(contacts_of(collision, almost, almost).at(0).thickness, kThickness, 1e-12);
  // From outside of 1.5 h nothing is missing at the start.
  EXPECT_NEAR(contacts_of(collision, scene.with(0.25, 0.25, 0.5), start).at(0).thickness, kThickness, 1e-12);
}

TEST(SelfCollision, AVertexTakesItsSideAlongToTheNextTriangle) {
  Cloth cloth = join(sheet(1, 1, 1.0), sheet(1, 1, 1.0));
  cloth.positions.bottomRows(4).col(0).array() += 50.0;
  const auto with = [&](double x, double y, double z) {
    Points p = cloth.positions;
    p.row(4) << x, y, z;
    return p;
  };
  SelfCollision collision(cloth.triangles, 8, kThickness);
  ASSERT_EQ(contacts_of(collision, with(0.7, 0.3, 0.05), with(0.7, 0.3, -0.02)).at(0).side, 1.0);
  // It slides across the diagonal while it is below.
  for (const auto& c : contacts_of(collision, with(0.3, 0.7, -0.02), with(0.3, 0.7, -0.02))) EXPECT_EQ(c.side, 1.0);
}

TEST(SelfCollision, BesideAnEdgeLessHeightIsAskedFor) {
  const OneVertex scene;
  SelfCollision collision(scene.triangles, 6, kThickness);
  const auto contacts = contacts_of(collision, scene.with(0.5, -0.06, 0.5), scene.with(0.5, -0.06, 0.05));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].thickness, 0.08, 1e-12);  // 0.06² + 0.08² = h²
  // More beside than above.
  EXPECT_TRUE(contacts_of(collision, scene.with(0.5, -0.06, 0.02), scene.with(0.5, -0.06, 0.02)).empty());
}

TEST(SelfCollision, NeighboursCloserThanTheThicknessAtRestAreLeftOut) {
  const Cloth cloth = sheet(12, 12, 0.02);  // edges a fifth of h
  numerics::RandomStream random(14);
  const Points x = shaken(cloth.positions, 0.004, random);
  SelfCollision knowing(cloth.triangles, x.rows(), kThickness, cloth.positions),
      ignorant(cloth.triangles, x.rows(), kThickness);
  EXPECT_TRUE(contacts_of(knowing, x, x).empty() || [&] {  // whatever is left is farther apart than h at rest
    for (const auto& c : contacts_of(knowing, x, x)) {
      for (int t = 0; t < cloth.triangles.rows(); ++t) {
        if (cloth.triangles(t, 0) == c.triangle[0] && cloth.triangles(t, 1) == c.triangle[1] &&
            cloth.triangles(t, 2) == c.triangle[2] &&
            separation(gather(cloth.positions, c.vertex, cloth.triangles, t)).distance < kThickness) {
          return false;
        }
      }
    }
    return true;
  }());
  EXPECT_GT(contacts_of(ignorant, x, x).size(), 100u);
}

TEST(SelfCollision, TwoPiecesThatAreCloseAtRestKeepThatDistance) {
  Cloth cloth = join(sheet(2, 2, 0.5), sheet(2, 2, 0.5));
  cloth.positions.bottomRows(9).rowwise() += Eigen::RowVector3d(0.1, 0.2, 0.03);
  SelfCollision collision(cloth.triangles, 18, kThickness, cloth.positions);
  const auto contacts = contacts_of(collision, cloth.positions, cloth.positions);
  ASSERT_EQ(contacts.size(), 8u);  // four vertices of each piece lie over the other
  for (const auto& c : contacts) EXPECT_LE(c.thickness, 0.03 + 1e-12);
}

TEST(SelfCollision, PositionsThatAreNotFiniteHaveNoContacts) {
  const OneVertex scene;
  SelfCollision collision(scene.triangles, 6, kThickness);
  Points p = scene.with(0.25, 0.25, -0.5);
  p(5, 0) = std::nan("");
  EXPECT_TRUE(contacts_of(collision, scene.x, p).empty());
}

TEST(SelfCollision, ATornClothKeepsItsSides) {
  const OneVertex scene;
  SelfCollision collision(scene.triangles, 6, kThickness, scene.x);
  ASSERT_EQ(contacts_of(collision, scene.with(0.25, 0.25, 0.3), scene.with(0.25, 0.25, -0.02)).at(0).side, 1.0);
  Points rest(7, 3), x(7, 3);
  rest << scene.x, scene.x.row(5);
  x << scene.with(0.25, 0.25, -0.02), scene.x.row(5);
  Triangles triangles = scene.triangles;
  triangles(1, 2) = 6;
  collision.set_triangles(triangles, rest);
  EXPECT_EQ(contacts_of(collision, x, x).at(0).side, 1.0);
}

}  // namespace
}  // namespace deformbench::pbd
