// SPDX-License-Identifier: BSD-3-Clause
// The continuous tests of pairs against exact arithmetic: they must find every contact, and no earlier time may be
// called free that is not. [B05] §10
#include "methods/collision/moving_pair.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "methods/numerics/random.hpp"
#include "tests/collision/exact_pairs.hpp"

namespace deformbench::collision {
namespace {

using numerics::RandomStream;

constexpr PairKind kKinds[] = {PairKind::PointTriangle, PairKind::EdgeEdge};

struct Tally {
  int meet = 0, apart = 0, undecided = 0, too_careful = 0;
};

void check(const MovingPair& pair, Tally& tally, int number) {
  const ExactAnswer exact = exact_contact(pair);
  const auto found = first_contact(pair);
  switch (exact.what) {
    case Exactly::Meet:
      ++tally.meet;
      ASSERT_TRUE(found) << "query " << number << " meets at " << exact.before;
      EXPECT_LE(found->time, exact.before) << "query " << number;
      break;
    case Exactly::Apart:
      ++tally.apart;
      tally.too_careful += found.has_value();
      break;
    case Exactly::Undecided:
      ++tally.undecided;
      break;
  }
  // Degenerate ones are looked at at many times.
  for (int k = 0; k <= 24; ++k)
    if (exactly_meet_at(pair, k, 24)) {
      ASSERT_TRUE(found) << "query " << number << " meets at " << k << "/24";
      EXPECT_LE(found->time, k / 24.0 + 1e-15) << "query " << number;
      break;
    }
}

TEST(MovingPair, FindsEveryContactOfRandomPairs) {
  for (const PairKind kind : kKinds) {
    Tally tally;
    for (int n = 0; n < 800; ++n) {
      RandomStream random(7, std::uint64_t(n));
      MovingPair pair{kind, {}, {}};
      for (std::size_t k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) {
          // Coordinates have 24 bits, so that the exact numbers stay short.
          pair.start[k][c] = std::ldexp(std::round(std::ldexp(random.uniform(-1.0, 1.0), 24)), -24);
          pair.end[k][c] = std::ldexp(std::round(std::ldexp(random.uniform(-1.0, 1.0), 24)), -24);
        }
      ASSERT_NO_FATAL_FAILURE(check(pair, tally, n));
    }
    EXPECT_GT(tally.meet, 40);
    EXPECT_GT(tally.apart, 400);
    EXPECT_EQ(tally.undecided, 0);
    EXPECT_EQ(tally.too_careful, 0);
  }
}

// Small integers: roots at 0 and 1, double roots, coplanar motion, parallel edges, triangles without area, points that
// pass through corners and along edges.
TEST(MovingPair, FindsEveryContactOfSmallIntegers) {
  for (const PairKind kind : kKinds) {
    Tally tally;
    for (int n = 0; n < 3000; ++n) {
      RandomStream random(8, std::uint64_t(n));
      const int size = 2 + n % 3, height = n % 5 == 0 ? 1 : size;  // every fifth is coplanar all the time
      MovingPair pair{kind, {}, {}};
      for (std::size_t k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) {
          const auto most = std::uint64_t(c == 2 ? height : size);
          pair.start[k][c] = double(random.below(most));
          pair.end[k][c] = double(random.below(most));
        }
      ASSERT_NO_FATAL_FAILURE(check(pair, tally, n));
    }
    EXPECT_GT(tally.meet, 500);
    EXPECT_GT(tally.apart, 300);
    EXPECT_GT(tally.undecided, 300);
    // Those that end or start in contact by rounding alone are none here: integers are apart by far more.
    EXPECT_EQ(tally.too_careful, 0);
  }
}

/// A pair that meets at time k/8 in a point with weights in eighths, both exactly; one that a rounding may part.
MovingPair constructed(PairKind kind, RandomStream& random, double offset, double sliver) {
  MovingPair pair{kind, {}, {}};
  const auto whole = [&](double most) { return std::floor(random.uniform(-most, most)); };
  const double time = double(random.below(9)) / 8.0, u = double(random.below(9)) / 8.0;
  const double w = double(random.below(std::uint64_t(9.0 - 8.0 * u))) / 8.0;
  std::array<Vector3, 4> at, velocity;
  for (std::size_t k = 0; k < 4; ++k)
    for (int c = 0; c < 3; ++c) {
      at[k][c] = 64.0 * whole(1000.0) * (c == 1 && k > 0 ? sliver : 1.0);
      velocity[k][c] = 64.0 * whole(1000.0);
    }
  if (kind == PairKind::PointTriangle) {
    at[0] = at[1] + u * (at[2] - at[1]) + w * (at[3] - at[1]);
  } else {
    const Vector3 on_second = at[2] + w * (at[3] - at[2]);
    const Vector3 along = at[1] - at[0];
    at[0] = on_second - u * along;
    at[1] = at[0] + along;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    pair.start[k] = (at[k] - time * velocity[k]).array() + offset;
    pair.end[k] = (at[k] + (1.0 - time) * velocity[k]).array() + offset;
  }
  return pair;
}

TEST(MovingPair, FindsContactsMadeToBeExactAlsoFarAwayAndOfSlivers) {
  for (const PairKind kind : kKinds)
    for (const double offset : {0.0, 0x1p40})
      for (const double sliver : {1.0, 0x1p-12, 0.0}) {
        for (int n = 0; n < 500; ++n) {
          RandomStream random(9, std::uint64_t(n));
          const MovingPair pair = constructed(kind, random, offset, sliver);
          bool meets = false;
          for (int k = 0; k <= 8; ++k) meets = meets || exactly_meet_at(pair, k, 8);
          ASSERT_TRUE(meets);  // the construction is exact
          EXPECT_TRUE(first_contact(pair)) << n << ' ' << offset << ' ' << sliver;
        }
      }
}

// A contact is moved by one last bit of one coordinate: some of these still meet and some do not.
TEST(MovingPair, FindsContactsThatOneBitDecides) {
  for (const PairKind kind : kKinds) {
    Tally tally;
    for (int n = 0; n < 200; ++n) {
      RandomStream random(10, std::uint64_t(n));
      MovingPair pair = constructed(kind, random, 0.0, 1.0);
      const std::size_t k = random.below(4);
      const int c = int(random.below(3));
      pair.end[k][c] = std::nextafter(pair.end[k][c], random.uniform() < 0.5 ? -1e9 : 1e9);
      ASSERT_NO_FATAL_FAILURE(check(pair, tally, n));
    }
    EXPECT_GT(tally.meet, 10);
  }
}

TEST(MovingPair, TheClosestPointsAreThoseOfDenseSamples) {
  for (const PairKind kind : kKinds)
    for (int n = 0; n < 300; ++n) {
      RandomStream random(11, std::uint64_t(n));
      std::array<Vector3, 4> x;
      for (Vector3& v : x) v = Vector3(random.uniform(), random.uniform(), random.uniform());
      const Closest closest = closest_points(kind, x);
      Vector3 difference = Vector3::Zero();
      double sum = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        difference += closest.weights[k] * x[k];
        sum += closest.weights[k];
      }
      EXPECT_NEAR((difference - closest.difference).norm(), 0.0, 1e-12);
      EXPECT_NEAR(sum, 0.0, 1e-14);
      double least = 10.0;
      constexpr int kSamples = 60;
      for (int i = 0; i <= kSamples; ++i)
        for (int j = 0; j <= kSamples; ++j) {
          const double s = double(i) / kSamples, t = double(j) / kSamples;
          if (kind == PairKind::PointTriangle) {
            if (s + t <= 1.0) least = std::min(least, (x[0] - x[1] - s * (x[2] - x[1]) - t * (x[3] - x[1])).norm());
          } else {
            least = std::min(least, (x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2])).norm());
          }
        }
      EXPECT_LE(closest.difference.norm(), least + 1e-12);
      EXPECT_GE(closest.difference.norm(), least - 0.05);
    }
}

TEST(MovingPair, TheNormalPointsToTheSideThatTheFirstComesFrom) {
  for (const double side : {1.0, -1.0}) {
    const Vector3 above(0, 0, side), below(0, 0, -3.0 * side), point(0.2, 0.3, 0.0);
    const std::array<Vector3, 3> corners{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
    const auto found = first_contact({PairKind::PointTriangle,
                                      {point + above, corners[0], corners[1], corners[2]},
                                      {point + below, corners[0], corners[1], corners[2]}});
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->time, 0.25, 1e-11);
    EXPECT_NEAR((found->normal - side * Vector3::UnitZ()).norm(), 0.0, 1e-12);
    EXPECT_NEAR(found->weights[2], -0.2, 1e-10);
    EXPECT_NEAR(found->weights[3], -0.3, 1e-10);
    const std::array<Vector3, 4> edges{Vector3(-1, 0, 0), Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 1, 0)};
    const auto crossing = first_contact({PairKind::EdgeEdge,
                                         {edges[0] + above, edges[1] + above, edges[2], edges[3]},
                                         {edges[0] + below, edges[1] + below, edges[2], edges[3]}});
    ASSERT_TRUE(crossing);
    EXPECT_NEAR((crossing->normal - side * Vector3::UnitZ()).norm(), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace deformbench::collision
