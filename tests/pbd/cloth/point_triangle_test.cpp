// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/cloth/point_triangle.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "methods/numerics/random.hpp"

namespace deformbench::pbd {
namespace {

Vector3 random_point(numerics::RandomStream& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

PointTriangle random_pair(numerics::RandomStream& random) {
  return {random_point(random), random_point(random), random_point(random), random_point(random)};
}

PointTriangle between(const PointTriangle& a, const PointTriangle& b, double t) {
  return {a.q + t * (b.q - a.q), a.p1 + t * (b.p1 - a.p1), a.p2 + t * (b.p2 - a.p2), a.p3 + t * (b.p3 - a.p3)};
}

double volume(const PointTriangle& a) {
  return (a.q - a.p1).dot((a.p2 - a.p1).cross(a.p3 - a.p1));
}

TEST(PointTriangle, DistanceIsTheLeastOverPointsOfTheTriangle) {
  numerics::RandomStream random(1);
  int inside = 0;
  for (int round = 0; round < 300; ++round) {
    const PointTriangle at = random_pair(random);
    const Separation s = separation(at);
    double least = 1e9;
    const int n = 150;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        least =
            std::min(least, (at.q - at.p1 - double(i) / n * (at.p2 - at.p1) - double(j) / n * (at.p3 - at.p1)).norm());
      }
    }
    EXPECT_LE(s.distance, least + 1e-12);
    EXPECT_GE(s.distance, least - 2.0 * 2.0 * 1.8 / n);  // samples are at most an edge (≤ 2√3)/n apart
    EXPECT_NEAR(std::hypot(s.height, s.beside), s.distance, 1e-12);
    inside += s.beside == 0.0;
  }
  EXPECT_GT(inside, 10);
  EXPECT_LT(inside, 290);
}

TEST(PointTriangle, WithoutAreaTheDistanceIsThatToTheLongestEdge) {
  const Separation s = separation({Vector3(0.25, 3, 4), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.5, 0, 0)});
  EXPECT_DOUBLE_EQ(s.distance, 5.0);
  EXPECT_EQ(s.height, 0.0);
}

// An independent look: the volume sampled finely; where it changes its sign the point is looked up by bisection.
bool passes_by_sampling(const PointTriangle& from, const PointTriangle& to, double tolerance, double& closest) {
  closest = 1e9;
  bool passes = false;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    double a = double(i) / n, b = double(i + 1) / n;
    const bool sign = volume(between(from, to, a)) < 0.0;
    if (sign == (volume(between(from, to, b)) < 0.0)) continue;
    for (int step = 0; step < 45; ++step) {
      const double t = 0.5 * (a + b);
      ((volume(between(from, to, t)) < 0.0) == sign ? a : b) = t;
    }
    const double distance = separation(between(from, to, a)).distance;
    closest = std::min(closest, distance);
    passes = passes || distance <= tolerance;
  }
  return passes;
}

TEST(PointTriangle, PassingThroughAgreesWithSampling) {
  numerics::RandomStream random(2);
  int passing = 0, twice = 0;
  for (int round = 0; round < 3000; ++round) {
    const PointTriangle from = random_pair(random), to = random_pair(random);
    double closest;
    const bool expected = passes_by_sampling(from, to, 1e-3, closest);
    if (std::abs(closest - 1e-3) < 1e-6) continue;  // undecided to rounding
    ASSERT_EQ(passes_through(from, to, 1e-3), expected) << round;
    passing += expected;
    twice += expected && (volume(from) < 0.0) == (volume(to) < 0.0);
  }
  EXPECT_GT(passing, 200);
  EXPECT_GT(twice, 10);  // out of the plane and back again, which the ends alone do not show
}

TEST(PointTriangle, FastStraightShotsAreNotMissed) {
  numerics::RandomStream random(3);
  for (int round = 0; round < 1000; ++round) {
    // Through a point inside the triangle, from and to places up to a million triangle sizes away.
    PointTriangle from = random_pair(random);
    const double a = random.uniform(0.05, 0.9), b = random.uniform(0.05, 0.95 - a),
                 speed = std::pow(10.0, random.uniform(-3, 6));
    const Vector3 target = from.p1 + a * (from.p2 - from.p1) + b * (from.p3 - from.p1);
    const Vector3 normal = (from.p2 - from.p1).cross(from.p3 - from.p1).normalized();
    Vector3 way = random.direction();
    if (std::abs(way.dot(normal)) < 0.1) way += normal;
    PointTriangle to = from;
    from.q = target - speed * random.uniform(0.1, 1.0) * way;
    to.q = target + speed * random.uniform(0.1, 1.0) * way;
    ASSERT_TRUE(passes_through(from, to, 1e-3)) << round;
  }
}

TEST(PointTriangle, RestingInThePlaneIsNoPassing) {
  const PointTriangle at{Vector3(0.2, 0.2, 0.0), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  EXPECT_FALSE(passes_through(at, at, 1e-3));
}

}  // namespace
}  // namespace deformbench::pbd
