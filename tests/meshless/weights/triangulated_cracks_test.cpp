// SPDX-License-Identifier: BSD-3-Clause
// Segments against cracks: none slips through, depths are distances to the front, and growth is told. [PKAGDG05] §2.1,
// §3.1
#include "methods/meshless/weights/triangulated_cracks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "methods/meshless/weights/exact_side.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Vector3 random_vector(numerics::RandomStream& random, double size = 1.0) {
  return size * Vector3(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
}

TEST(ExactSide, IsTheSignOfTheDeterminant) {
  const Vector3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_EQ(exact_side(a, b, c, {0.3, 0.3, 1.0}), 1);
  EXPECT_EQ(exact_side(a, b, c, {0.3, 0.3, -1.0}), -1);
  EXPECT_EQ(exact_side(a, b, c, {7.0, -3.0, 0.0}), 0);
}

/// Points of a plane that no coordinates of 53 bits miss: 3 (x − ⅓) is off by a rounding of ⅓.
TEST(ExactSide, SeesASingleBit) {
  numerics::RandomStream random(3);
  for (int n = 0; n < 200; ++n) {
    const double s = std::ldexp(1.0, int(random.below(60)) - 30), far = std::ldexp(1.0, 20);
    const Vector3 a(far, 0, 0), b(far + 1, s, s), c(far, 1, 1);  // the plane y = z
    const double y = random.uniform(-1.0, 1.0);
    const double up = std::nextafter(y, 2.0);
    const Vector3 d(random.uniform(-1.0, 1.0), y, y), above(d.x(), y, up), below(d.x(), up, y);
    EXPECT_EQ(exact_side(a, b, c, d), 0);
    EXPECT_EQ(exact_side(a, b, c, above), -exact_side(a, b, c, below));
    EXPECT_NE(exact_side(a, b, c, above), 0);
    EXPECT_EQ(exact_side(b, a, c, above), -exact_side(a, b, c, above));
  }
}

TEST(ExactSide, TakesCoordinatesOfAnySize) {
  EXPECT_EQ(exact_side({0, 0, 0}, {1e-300, 0, 0}, {0, 1e-300, 0}, {0, 0, 1e-300}), 1);
  EXPECT_EQ(exact_side({0, 0, 0}, {1e100, 0, 0}, {0, 1e-200, 0}, {0, 0, -1e-300}), -1);
}

TEST(ExactSide, IsZeroOfPointsThatCoincideOrShareAPlaneAcrossAnAxis) {
  numerics::RandomStream random(5);
  const auto point = [&] { return Vector3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  for (int n = 0; n < 20; ++n) {
    std::array<Vector3, 4> p{point(), point(), point(), point()};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        auto q = p;
        q[i] = q[j];
        EXPECT_EQ(exact_side(q[0], q[1], q[2], q[3]), 0);
      }
    for (int k = 0; k < 3; ++k) {
      auto q = p;
      for (Vector3& x : q) x[k] = p[0][k];
      EXPECT_EQ(exact_side(q[0], q[1], q[2], q[3]), 0);
      q[3][k] = std::nextafter(p[0][k], 2.0);
      EXPECT_NE(exact_side(q[0], q[1], q[2], q[3]), 0);
    }
  }
}

/// A rough closed surface: triangles between points at random distances from the origin, on a sphere's grid.
std::vector<std::array<Vector3, 3>> rough_ball(int n, numerics::RandomStream& random) {
  std::vector<std::vector<Vector3>> grid;
  for (int i = 0; i <= n; ++i) {
    grid.emplace_back();
    for (int j = 0; j < 2 * n; ++j) {
      const double polar = std::numbers::pi * i / n, turn = std::numbers::pi * j / n;
      const double r = random.uniform(0.8, 1.2);
      grid.back().push_back(
          r * Vector3(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)));
    }
    if (i == 0 || i == n) std::fill(grid.back().begin(), grid.back().end(), Vector3(0, 0, i == 0 ? 1.0 : -1.0));
  }
  std::vector<std::array<Vector3, 3>> triangles;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const auto& p = grid[std::size_t(i)];
      const auto& q = grid[std::size_t(i + 1)];
      const auto k = std::size_t(j), next = std::size_t((j + 1) % (2 * n));
      if (i > 0) triangles.push_back({p[k], q[k], p[next]});
      if (i + 1 < n) triangles.push_back({q[k], q[next], p[next]});
    }
  return triangles;
}

/// From the middle to the outside through corners and points of edges, where tests that round let segments through.
TEST(TriangulatedCracks, LetNoSegmentThroughAnEdgeOrACorner) {
  numerics::RandomStream random(1);
  const auto triangles = rough_ball(12, random);
  TriangulatedCracks cracks;
  cracks.add_crack();
  cracks.add_triangles(0, triangles);
  const Vector3 middle(0.01, -0.02, 0.03);
  for (const auto& corners : triangles)
    for (int k = 0; k < 3; ++k) {
      const Vector3 &p = corners[std::size_t(k)], &q = corners[std::size_t((k + 1) % 3)];
      for (const double share : {0.0, 0.25, 1.0 / 3.0, 0.5, 0.9}) {
        const Vector3 target = p + share * (q - p);
        for (const double beyond : {1.5, 2.0, 7.0})
          EXPECT_TRUE(cracks.crossing_depth(middle, middle + beyond * (target - middle))) << share;
      }
    }
  for (int n = 0; n < 20000; ++n) {
    const Vector3 out = middle + 3.0 * random.direction();
    ASSERT_TRUE(cracks.crossing_depth(middle, out));
    ASSERT_TRUE(cracks.crossing_depth(out, middle));
  }
}

/// Lattice points and a surface with edges along the lattice's planes: every sign is 0 somewhere.
TEST(TriangulatedCracks, AreCrossedExactlyOnceOnALattice) {
  TriangulatedCracks cracks;
  cracks.add_crack();
  std::vector<std::array<Vector3, 3>> sheet;
  for (int i = -4; i < 4; ++i)
    for (int j = -4; j < 4; ++j) {
      const Vector3 a(i, j, 0), b(i + 1, j, 0), c(i + 1, j + 1, 0), d(i, j + 1, 0);
      sheet.push_back({a, b, c});
      sheet.push_back({a, c, d});
    }
  cracks.add_triangles(0, sheet);
  for (int x = -3; x <= 3; ++x)
    for (int y = -3; y <= 3; ++y)
      for (int u = -3; u <= 3; ++u)
        for (int v = -3; v <= 3; ++v) {
          EXPECT_TRUE(cracks.crossing_depth(Vector3(x, y, -1), Vector3(u, v, 1)));
          EXPECT_FALSE(cracks.crossing_depth(Vector3(x, y, 0.5), Vector3(u, v, 1)));
          // A point of the sheet lies on the side of the normal.
          EXPECT_FALSE(cracks.crossing_depth(Vector3(x, y, 0), Vector3(u, v, 1)));
          EXPECT_TRUE(cracks.crossing_depth(Vector3(x, y, 0), Vector3(u, v, -1)));
          EXPECT_FALSE(cracks.crossing_depth(Vector3(x, y, 0), Vector3(u, v, 0)));
        }
}

/// A half plane z = 0, x < 0 with a straight front along y.
TriangulatedCracks& half_plane(TriangulatedCracks& cracks) {
  const int crack = cracks.add_crack();
  const Vector3 a(-9, -9, 0), b(0, -9, 0), c(0, 9, 0), d(-9, 9, 0);
  cracks.add_triangles(crack, std::vector<std::array<Vector3, 3>>{{a, b, c}, {a, c, d}});
  cracks.set_fronts(crack, {{{b, Vector3(0, 0, 0), c}, false}});
  return cracks;
}

TEST(TriangulatedCracks, DepthIsTheDistanceOfTheCrossingFromTheFront) {
  TriangulatedCracks cracks;
  half_plane(cracks);
  numerics::RandomStream random(5);
  int crossed = 0;
  for (int n = 0; n < 2000; ++n) {
    const Vector3 a = random_vector(random, 2.0), b = random_vector(random, 2.0);
    const double share = a.z() / (a.z() - b.z()), x = a.x() + share * (b.x() - a.x());
    const auto depth = cracks.crossing_depth(a, b);
    EXPECT_EQ(depth.has_value(), a.z() * b.z() < 0.0 && x < 0.0);
    if (!depth) continue;
    ++crossed;
    EXPECT_NEAR(*depth, -x, 1e-12);
  }
  EXPECT_GT(crossed, 300);
}

TEST(TriangulatedCracks, DeepestOfSeveralCrossingsCountsAndOnlyTheOwnFront) {
  TriangulatedCracks cracks;
  half_plane(cracks);
  const int second = cracks.add_crack();  // z = 1, x < 1
  cracks.add_triangles(second,
                       std::vector<std::array<Vector3, 3>>{{Vector3(-9, -9, 1), Vector3(1, -9, 1), Vector3(1, 9, 1)},
                                                           {Vector3(-9, -9, 1), Vector3(1, 9, 1), Vector3(-9, 9, 1)}});
  cracks.set_fronts(second, {{{Vector3(1, -9, 1), Vector3(1, 9, 1)}, false}});
  EXPECT_NEAR(*cracks.crossing_depth({-0.5, 0.1, -1}, {-0.5, 0.1, 2}), 1.5, 1e-14);
  EXPECT_NEAR(*cracks.crossing_depth({-0.5, 0.1, -1}, {-0.5, 0.1, 0.5}), 0.5, 1e-14);
  EXPECT_NEAR(*cracks.crossing_depth({0.5, 0.1, -1}, {0.5, 0.1, 2}), 0.5, 1e-14);
  EXPECT_FALSE(cracks.crossing_depth({2, 0.1, -1}, {2, 0.1, 2}));
  cracks.set_fronts(second, {});
  EXPECT_EQ(*cracks.crossing_depth({-0.5, 0.1, -1}, {-0.5, 0.1, 2}), kInf);
}

TEST(TriangulatedCracks, ClosedFrontsAreJoinedAtTheirEnds) {
  const CrackFront ring{{Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, -1, 0)}, true};
  EXPECT_EQ(segments_of(ring).size(), 4u);
  TriangulatedCracks cracks;
  cracks.add_crack();
  cracks.set_fronts(0, {ring});
  EXPECT_NEAR(cracks.front_distance(0, {0.5, -0.5, 2.0}), 2.0, 1e-15);  // above the middle of the last segment
}

/// With a thousand triangles that are added a few at a time, and segments many times as long.
TEST(TriangulatedCracks, TheSearchStructureMissesNothing) {
  TriangulatedCracks cracks;
  numerics::RandomStream random(7);
  int crossed = 0;
  for (int batch = 0; batch < 60; ++batch) {
    const int crack = cracks.add_crack();
    std::vector<std::array<Vector3, 3>> triangles;
    for (int n = 0; n < 20; ++n) {
      const Vector3 a = random_vector(random);
      triangles.push_back({a, a + random_vector(random, 0.1), a + random_vector(random, 0.1)});
    }
    cracks.add_triangles(crack, triangles);
    cracks.set_fronts(crack, {{{random_vector(random), random_vector(random)}, false}});
    for (int n = 0; n < 50; ++n) {
      const Vector3 a = random_vector(random), b = a + random_vector(random, n % 2 == 0 ? 0.5 : 5.0);
      const auto depth = cracks.crossing_depth(a, b);
      EXPECT_EQ(depth, cracks.crossing_depth_of_all(a, b));
      crossed += depth.has_value();
    }
  }
  EXPECT_GT(crossed, 100);
}

TEST(TriangulatedCracks, TellWhatHasChangedOnce) {
  TriangulatedCracks cracks;
  half_plane(cracks);
  EXPECT_EQ(cracks.take_changes().surfaces.size(), 2u);
  EXPECT_TRUE(cracks.take_changes().empty());
  CrackFront front = cracks.fronts(0)[0];
  cracks.set_fronts(0, {front});
  EXPECT_TRUE(cracks.take_changes().empty());
  front.nodes.back().x() += 0.5;  // the last of two segments turns
  cracks.set_fronts(0, {front});
  const CrackChanges changes = cracks.take_changes();
  EXPECT_TRUE(changes.surfaces.empty());
  EXPECT_EQ(changes.fronts.size(), 2u);  // before and after
}

TEST(TriangulatedCracks, LeaveOutTrianglesWithoutArea) {
  TriangulatedCracks cracks;
  cracks.add_crack();
  const Vector3 a(0, 0, 0), b(1, 0, 0);
  cracks.add_triangles(0, std::vector<std::array<Vector3, 3>>{{a, b, a}, {a, b, 2.0 * b}});
  EXPECT_TRUE(cracks.triangles().empty());
}

}  // namespace
}  // namespace deformbench::meshless
