// SPDX-License-Identifier: BSD-3-Clause
// Distances of pairs [LFSLZPJK20] §2.1: against a search over all points of both primitives; derivatives against
// differences, in every region, and where edges are nearly parallel or the pair is very near.
#include "methods/collision/pair_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <set>

#include "methods/numerics/random.hpp"

namespace deformbench::collision {
namespace {

using Corners4 = std::array<Vector3, 4>;

Vector3 random_vector(numerics::RandomStream& random) {
  return {random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
}

double distance_at(PairKind kind, const Corners4& x) {
  return distance_between(x, closest_points(kind, x));
}

/// Least distance over a grid of both primitives, refined about its best point until the grid is fine.
double searched_distance(PairKind kind, const Corners4& x) {
  double s0 = 0.5, t0 = 0.5, half = 0.5, best = 1e300;
  for (int round = 0; round < 60; ++round, half *= 0.7) {
    double s1 = s0, t1 = t0;
    for (int i = -6; i <= 6; ++i)
      for (int j = -6; j <= 6; ++j) {
        double s = std::clamp(s0 + half * i / 6, 0.0, 1.0), t = std::clamp(t0 + half * j / 6, 0.0, 1.0);
        if (kind == PairKind::PointTriangle && s + t > 1.0) {
          const double over = 0.5 * (s + t - 1.0);
          s = std::clamp(s - over, 0.0, 1.0), t = 1.0 - s;
        }
        const Vector3 difference = kind == PairKind::PointTriangle
                                       ? Vector3(x[0] - x[1] - s * (x[2] - x[1]) - t * (x[3] - x[1]))
                                       : Vector3(x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2]));
        if (difference.norm() < best) best = difference.norm(), s1 = s, t1 = t;
      }
    s0 = s1, t0 = t1;
  }
  return best;
}

/// Least distance of two edges: that of a point of the first from the second is convex along the first.
double least_along_edge(const Corners4& x) {
  const auto from = [&](double s) {
    const Vector3 p = x[0] + s * (x[1] - x[0]), along = x[3] - x[2];
    const double t = std::clamp(along.dot(p - x[2]) / along.squaredNorm(), 0.0, 1.0);
    return (p - x[2] - t * along).norm();
  };
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 100; ++k) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (from(a) < from(b) ? high : low) = from(a) < from(b) ? b : a;
  }
  return std::min({from(low), from(0.0), from(1.0)});
}

/// Which weights are not 0, as bits.
int region(const Closest& closest) {
  int bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= closest.weights[i] != 0.0 ? 1 << i : 0;
  return bits;
}

TEST(PairDistance, IsTheLeastOverAllPointsOfBothInEveryRegion) {
  numerics::RandomStream random(11, 1);
  for (const PairKind kind : {PairKind::PointTriangle, PairKind::EdgeEdge}) {
    std::set<int> seen;
    for (int trial = 0; trial < 400; ++trial) {
      Corners4 x;
      for (Vector3& corner : x) corner = random_vector(random);
      if (kind == PairKind::PointTriangle) x[0] = 2.5 * x[0];
      seen.insert(region(closest_points(kind, x)));
      const double searched = searched_distance(kind, x);
      EXPECT_NEAR(distance_at(kind, x), searched, 1e-6 * (1.0 + searched));
    }
    EXPECT_EQ(seen.size(), kind == PairKind::PointTriangle ? 7u : 9u);
  }
}

TEST(PairDistance, OfNearlyParallelEdgesIsTheLeastToo) {
  numerics::RandomStream random(12, 1);
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12, 0.0})
    for (int trial = 0; trial < 40; ++trial) {
      const Vector3 along = random_vector(random).normalized();
      Corners4 x;
      x[0] = random_vector(random), x[1] = x[0] + along;
      x[2] = x[0] + 0.2 * random_vector(random);
      x[3] = x[2] + (trial % 2 ? 1.0 : -1.0) * along + angle * random_vector(random);
      EXPECT_NEAR(distance_at(PairKind::EdgeEdge, x), least_along_edge(x), 1e-9) << angle;
    }
}

/// Largest errors of gradient and Hessian against central differences, relative to the largest entry.
template <class Function>
std::array<double, 2> errors(const Function& derived, const Corners4& x, double h) {
  const TwiceDerived here = derived(x);
  std::array<double, 2> worst{};
  for (std::size_t n = 0; n < 12; ++n) {
    Corners4 more = x, less = x;
    more[n / 3][Eigen::Index(n % 3)] += h, less[n / 3][Eigen::Index(n % 3)] -= h;
    const TwiceDerived above = derived(more), below = derived(less);
    worst[0] = std::max(worst[0], std::abs((above.value - below.value) / (2 * h) - here.gradient[Eigen::Index(n)]));
    worst[1] = std::max(
        worst[1],
        ((above.gradient - below.gradient) / (2 * h) - here.hessian.col(Eigen::Index(n))).cwiseAbs().maxCoeff());
  }
  return {worst[0] / std::max(1e-300, here.gradient.cwiseAbs().maxCoeff()),
          worst[1] / std::max(1e-300, here.hessian.cwiseAbs().maxCoeff())};
}

TEST(PairDistance, HasItsDifferencesAsDerivativesInEveryRegion) {
  numerics::RandomStream random(13, 1);
  for (const PairKind kind : {PairKind::PointTriangle, PairKind::EdgeEdge}) {
    std::set<int> seen;
    for (int trial = 0; trial < 300; ++trial) {
      Corners4 x;
      for (Vector3& corner : x) corner = random_vector(random);
      if (kind == PairKind::PointTriangle) x[0] = 2.5 * x[0];
      const Closest closest = closest_points(kind, x);
      bool is_well_inside = true;  // of its region, and no degenerate one
      for (const double weight : closest.weights) is_well_inside &= weight == 0.0 || std::abs(weight) > 0.02;
      if (!is_well_inside || distance_between(x, closest) < 0.02) continue;
      if (kind == PairKind::EdgeEdge && (x[1] - x[0]).cross(x[3] - x[2]).norm() < 0.02) continue;
      seen.insert(region(closest));
      const auto worst =
          errors([&](const Corners4& at) { return distance_derivatives(at, closest_points(kind, at)); }, x, 1e-6);
      EXPECT_LT(worst[0], 1e-7);
      EXPECT_LT(worst[1], 1e-5);
      const TwiceDerived derived = distance_derivatives(x, closest);
      EXPECT_NEAR((derived.hessian - derived.hessian.transpose()).cwiseAbs().maxCoeff(), 0.0, 1e-12 / 0.02);
    }
    EXPECT_EQ(seen.size(), kind == PairKind::PointTriangle ? 7u : 9u);
  }
}

TEST(PairDistance, VeryNearAPairTheHessianIsThatOfTheSamePairFurtherAway) {
  // ∇²d of a face and of crossing edges hardly depends on d: at a millionth of the size nothing may cancel.
  const Vector3 lift = Vector3(0.1, -0.2, 1.0).normalized();
  for (const PairKind kind : {PairKind::PointTriangle, PairKind::EdgeEdge}) {
    Corners4 at = kind == PairKind::PointTriangle
                      ? Corners4{Vector3(0.3, 0.25, 0), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)}
                      : Corners4{Vector3(-1, 0.2, 0), Vector3(1, 0.1, 0), Vector3(0.1, -1, 0), Vector3(0.2, 1, 0)};
    const Matrix3 turn = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), lift).toRotationMatrix();
    for (Vector3& corner : at) corner = turn * corner;
    const auto raised = [&](double d) {
      Corners4 x = at;
      x[0] += d * lift;
      if (kind == PairKind::EdgeEdge) x[1] += d * lift;
      return distance_derivatives(x, closest_points(kind, x));
    };
    const TwiceDerived near = raised(1e-7), away = raised(1e-4);
    EXPECT_NEAR(near.value, 1e-7, 1e-15);
    EXPECT_LT((near.hessian - away.hessian).cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_GT(near.hessian.cwiseAbs().maxCoeff(), 0.1);
  }
}

TEST(EdgeMollifier, HasItsDifferencesAsDerivativesAndEndsSmoothly) {
  numerics::RandomStream random(14, 1);
  for (const double angle : {1e-1, 2e-2, 5e-3, 1e-4})
    for (int trial = 0; trial < 20; ++trial) {
      const Vector3 along = random_vector(random).normalized();
      Corners4 x;
      x[0] = random_vector(random), x[1] = x[0] + along;
      x[2] = random_vector(random), x[3] = x[2] + along + angle * random_vector(random);
      const double threshold = 1e-3, h = 1e-3 * angle;  // c is quadratic in the angle
      const auto derived = [&](const Corners4& at) { return edge_mollifier(at, threshold); };
      const double value = derived(x).value;
      EXPECT_GE(value, 0.0);
      EXPECT_LE(value, 1.0);
      if (value == 1.0) continue;
      const auto worst = errors(derived, x, h);
      EXPECT_LT(worst[0], 1e-4) << angle;
      EXPECT_LT(worst[1], 1e-4) << angle;
    }
  const Corners4 parallel = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(2, 1, 0)};
  EXPECT_EQ(edge_mollifier(parallel, 1e-3).value, 0.0);
  const Corners4 crossing = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 0, 1), Vector3(0, 1, 1)};
  EXPECT_EQ(edge_mollifier(crossing, 1e-3).value, 1.0);
}

}  // namespace
}  // namespace deformbench::collision
