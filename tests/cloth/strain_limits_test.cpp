// SPDX-License-Identifier: BSD-3-Clause
// One spring is at its limit and at rest along itself when it has been visited; momenta stay. [B05] §6
#include "methods/cloth/strain_limiting/strain_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/numerics/random.hpp"

namespace deformbench::cloth {
namespace {

/// A spring in space with masses of different sizes and any velocities.
struct Pair {
  explicit Pair(std::uint64_t seed) : random(seed) {
    masses << random.uniform(0.01, 1.0), random.uniform(0.01, 1.0);
    for (double* value = x.data(); value != x.data() + 6; ++value) *value = random.uniform(-1.0, 1.0);
    for (double* value = v.data(); value != v.data() + 6; ++value) *value = random.uniform(-3.0, 3.0);
    const double length = (x.row(1) - x.row(0)).norm();
    springs = {{{0, 1}, length / random.uniform(1.2, 2.0), 0.0}};
  }
  double strain(const Points& at) const { return (at.row(1) - at.row(0)).norm() / springs[0].rest_length - 1.0; }
  double rate(const Points& at) const { return (v.row(1) - v.row(0)).dot((at.row(1) - at.row(0)).normalized()); }
  Vector3 momentum() const { return v.transpose() * masses; }
  Vector3 turn(const Points& at) const {
    Vector3 sum = Vector3::Zero();
    for (int i = 0; i < 2; ++i) sum += masses[i] * Vector3(at.row(i)).cross(Vector3(v.row(i)));
    return sum;
  }
  double kinetic() const { return 0.5 * masses.dot(v.rowwise().squaredNorm()); }
  StrainLimits limits(StrainLimitOptions options) const { return {options, masses.cwiseInverse()}; }

  numerics::RandomStream random;
  Eigen::VectorXd masses = Eigen::VectorXd::Ones(2);
  Points x = Points::Zero(2, 3), v = Points::Zero(2, 3);
  std::vector<Spring> springs;
};

StrainLimitOptions once(LimitForm form) {
  return {0.1, 0.0, 1, SweepOrder::Listed, form};
}

TEST(StrainLimits, BringASpringToItsLimitWithoutStrainRateAndWithItsMomentum) {
  const double h = 0.01;
  for (LimitForm form : {LimitForm::Positions, LimitForm::PositionsAndVelocities})
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      Pair pair(seed);
      const Vector3 momentum = pair.momentum(), centre = pair.x.transpose() * pair.masses;
      const Points before = pair.v;
      const double kinetic = pair.kinetic();
      pair.limits(once(form)).limit(pair.springs, h, pair.x, pair.v);
      EXPECT_NEAR(pair.strain(pair.x), 0.1, 1e-13);
      EXPECT_NEAR(pair.rate(pair.x), 0.0, 1e-12);
      EXPECT_LT((pair.momentum() - momentum).norm(), 1e-12);
      EXPECT_LT((pair.x.transpose() * pair.masses - centre).norm(), 1e-13);
      EXPECT_LE(pair.kinetic(), kinetic * (1.0 + 1e-14)) << "what moves along the spring, its strain rate takes again";
      // Impulses act along the spring where it ends up.
      const Vector3 turn = pair.turn(pair.x);
      pair.v = before;
      EXPECT_LT((pair.turn(pair.x) - turn).norm(), 1e-12);
    }
}

TEST(StrainLimits, LeaveASpringWithinItsLimitsAlone) {
  Pair pair(7);
  pair.springs[0].rest_length = (pair.x.row(1) - pair.x.row(0)).norm();
  const Points x = pair.x, v = pair.v;
  pair.limits({0.1, 0.1, 5, SweepOrder::Listed, LimitForm::Positions}).limit(pair.springs, 0.01, pair.x, pair.v);
  EXPECT_EQ(pair.x, x);
  EXPECT_EQ(pair.v, v);
}

TEST(StrainLimits, LengthenASpringThatIsTooShortToTheCloserLimit) {
  Pair pair(3);
  pair.springs[0].rest_length = 2.0 * (pair.x.row(1) - pair.x.row(0)).norm();
  pair.limits({0.1, 0.2, 1, SweepOrder::Listed, LimitForm::Positions}).limit(pair.springs, 0.01, pair.x, pair.v);
  EXPECT_NEAR(pair.strain(pair.x), -0.2, 1e-13);
}

TEST(StrainLimits, LeaveABrokenSpringAlone) {
  Pair pair(5);
  pair.springs[0].is_broken = true;
  const Points x = pair.x, v = pair.v;
  pair.limits(once(LimitForm::Positions)).limit(pair.springs, 0.01, pair.x, pair.v);
  EXPECT_EQ(pair.x, x);
  EXPECT_EQ(pair.v, v);
}

TEST(StrainLimits, DoNotMoveAHeldVertex) {
  for (LimitForm form : {LimitForm::Positions, LimitForm::PositionsAndVelocities}) {
    Pair pair(5);
    pair.v.row(0).setZero();
    const Points start = pair.x;
    Eigen::VectorXd inverse = pair.masses.cwiseInverse();
    inverse[0] = 0.0;
    StrainLimits(once(form), inverse).limit(pair.springs, 0.01, pair.x, pair.v);
    EXPECT_EQ(pair.x.row(0), start.row(0));
    EXPECT_TRUE(pair.v.row(0).isZero(0.0));
    EXPECT_NEAR(pair.strain(pair.x), 0.1, 1e-13);
  }
}

TEST(StrainLimits, WhatMovesAVertexChangesItsVelocityWhereThatIsAskedFor) {
  for (LimitForm form : {LimitForm::Positions, LimitForm::PositionsAndVelocities}) {
    Points x = Points::Zero(3, 3), v = Points::Zero(3, 3);
    x(1, 0) = 2.0, x(2, 0) = 4.0;
    const std::vector<Spring> springs{{{0, 1}, 1.0, 0.0}, {{1, 2}, 1.0, 0.0}};
    StrainLimits({0.1, 0.0, 1, SweepOrder::Listed, form}, Eigen::VectorXd::Ones(3)).limit(springs, 0.5, x, v);
    EXPECT_EQ(v.isZero(0.0), form == LimitForm::Positions);
    if (form == LimitForm::Positions) continue;
    // Moves 0.45, 0.225, −0.675; velocities over 0.5 s: 0.9, 0.45, −1.35; the first spring's mean 0.675, then the
    // second's.
    EXPECT_NEAR(v(0, 0), 0.675, 1e-14);
    EXPECT_NEAR(v(1, 0), (0.675 - 1.35) / 2.0, 1e-14);
    EXPECT_NEAR(v(2, 0), (0.675 - 1.35) / 2.0, 1e-14);
  }
}

TEST(StrainLimits, TheLastSpringOfASweepIsTheOneAtItsLimit) {
  for (SweepOrder order : {SweepOrder::Listed, SweepOrder::Reverse}) {
    Points x = Points::Zero(3, 3), v = Points::Zero(3, 3);
    x(1, 0) = 1.5, x(2, 0) = 3.0;
    const std::vector<Spring> springs{{{0, 1}, 1.0, 0.0}, {{1, 2}, 1.0, 0.0}};
    StrainLimits({0.1, 0.0, 1, order, LimitForm::Positions}, Eigen::VectorXd::Ones(3)).limit(springs, 0.01, x, v);
    const double first = x(1, 0) - x(0, 0) - 1.1, second = x(2, 0) - x(1, 0) - 1.1;
    EXPECT_NEAR(order == SweepOrder::Listed ? second : first, 0.0, 1e-15);
    EXPECT_GT(std::abs(order == SweepOrder::Listed ? first : second), 0.1);
  }
}

}  // namespace
}  // namespace deformbench::cloth
