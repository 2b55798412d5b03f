// SPDX-License-Identifier: BSD-3-Clause
// The tables are those of the literature; the second route is a finite-difference or Runge–Kutta boundary value solve
// that shares nothing with the elliptic integrals or with the shooting from the free end.
#include "reference_data/closed_forms/elastica.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "reference_data/closed_forms/isotropic.hpp"

using namespace deformbench::references;

namespace {

/// θ″ = −load(s) cos θ, θ(0) = 0, θ′(1) = 0 by Newton on central differences with n intervals; error O(n⁻²).
/// Returns tip angle, drop, reach (trapezoidal sums, same order).
ElasticaTip finite_difference_elastica(const std::function<double(double)>& load, int n) {
  const double h = 1.0 / n;
  std::vector<double> theta(n + 1);
  // Continuation in the load, as Newton from the straight beam fails for large loads.
  for (int level = 1; level <= 40; ++level) {
    for (int iteration = 0; iteration < 30; ++iteration) {
      // Row i: θ_{i−1} − 2θ_i + θ_{i+1} + h² q cos θ_i = 0; at the tip θ_{n+1} = θ_{n−1}.
      std::vector<double> lower(n + 1), diagonal(n + 1), upper(n + 1), rhs(n + 1);
      diagonal[0] = 1;
      for (int i = 1; i <= n; ++i) {
        const double q = load(i * h) * level / 40.0;
        lower[i] = i == n ? 2 : 1;
        upper[i] = i == n ? 0 : 1;
        diagonal[i] = -2 - h * h * q * std::sin(theta[i]);
        rhs[i] =
            -(lower[i] * theta[i - 1] - 2 * theta[i] + (i == n ? 0 : theta[i + 1]) + h * h * q * std::cos(theta[i]));
      }
      for (int i = 1; i <= n; ++i) {
        const double f = lower[i] / diagonal[i - 1];
        diagonal[i] -= f * upper[i - 1];
        rhs[i] -= f * rhs[i - 1];
      }
      double change = 0;
      for (int i = n; i >= 0; --i) {
        rhs[i] = (rhs[i] - (i < n ? upper[i] * rhs[i + 1] : 0)) / diagonal[i];
        theta[i] += rhs[i];
        change = std::max(change, std::abs(rhs[i]));
      }
      if (change < 1e-13) break;
    }
  }
  double drop = 0, reach = 0;
  for (int i = 0; i <= n; ++i) {
    const double weight = i == 0 || i == n ? h / 2 : h;
    drop += weight * std::sin(theta[i]);
    reach += weight * std::cos(theta[i]);
  }
  return {theta[n], drop, reach};
}

ElasticaTip extrapolated(const std::function<double(double)>& load, int n) {
  const ElasticaTip a = finite_difference_elastica(load, n), b = finite_difference_elastica(load, 2 * n);
  return {b.angle + (b.angle - a.angle) / 3, b.drop + (b.drop - a.drop) / 3, b.reach + (b.reach - a.reach) / 3};
}

struct Row {
  double load, angle, drop, reach;
};

}  // namespace

TEST(ElasticaTipLoad, HasTheTabulatedValues) {
  const Row table[] = {{.25, .124292, .082746, .995882}, {.5, .244534, .162144, .984081},
                       {1, .461352, .301721, .943567},   {2, .781750, .493457, .839358},
                       {3, .986017, .603253, .745580},   {4, 1.121239, .669964, .671059},
                       {5, 1.215368, .713792, .612372},  {6, 1.283697, .744571, .565411},
                       {8, 1.374432, .784982, .495172},  {10, 1.430286, .810609, .445004}};
  for (const Row& row : table) {
    const ElasticaTip tip = elastica_tip_load(row.load);
    EXPECT_NEAR(tip.angle, row.angle, 6e-7) << row.load;  // printed digits
    EXPECT_NEAR(tip.drop, row.drop, 6e-7) << row.load;
    EXPECT_NEAR(tip.reach, row.reach, 6e-7) << row.load;
  }
}

TEST(ElasticaTipLoad, SolvesTheBoundaryValueProblem) {
  for (double alpha : {0.05, 1.0, 6.0, 20.0}) {
    const ElasticaTip tip = elastica_tip_load(alpha), other = extrapolated([alpha](double) { return alpha; }, 1600);
    EXPECT_NEAR(tip.angle, other.angle, 1e-9) << alpha;  // Richardson of second order: h⁴ λ⁴, below 1e-10 here
    EXPECT_NEAR(tip.drop, other.drop, 1e-9) << alpha;
    EXPECT_NEAR(tip.reach, other.reach, 1e-9) << alpha;
  }
}

TEST(ElasticaTipLoad, TendsToTheLinearBeamForSmallLoads) {
  // δ/L = α/3 − (11/315)·α³·… : the relative gap falls as α².
  const double a = elastica_tip_load(1e-2).drop / (1e-2 / 3) - 1, b = elastica_tip_load(5e-3).drop / (5e-3 / 3) - 1;
  EXPECT_LT(std::abs(a), 1e-4);
  EXPECT_NEAR(a / b, 4.0, 0.01);
}

TEST(ElasticaTipLoad, BalancesMomentsAtTheClamp) {
  // First integral: θ′² / 2 = α (sin θ₀ − sin θ), and the clamp's moment is the load times the reach.
  for (double alpha : {0.5, 4.0, 50.0}) {
    const ElasticaTip tip = elastica_tip_load(alpha);
    EXPECT_NEAR(std::sqrt(2 * alpha * std::sin(tip.angle)), alpha * tip.reach, 1e-11 * alpha);
  }
}

TEST(ElasticaSelfWeight, HasTheTabulatedValues) {
  const Row table[] = {
      {.5, 4.763, .062306, .997779},   {1, 9.460, .123471, .991246},    {2, 18.426, .238507, .966893},
      {3, 26.559, .339648, .931511},   {5, 39.935, .495905, .846657},   {8, 53.865, .640631, .724425},
      {10, 60.312, .700200, .656354},  {15, 70.750, .786043, .529566},  {20, 76.748, .829881, .445232},
      {30, 82.972, .873092, .342764},  {50, 87.459, .907917, .245015},  {75, 89.087, .926887, .189484},
      {100, 89.617, .937524, .159223}, {200, 89.974, .956769, .107420}, {500, 90.000, .973117, .065890},
      {1000, 90.000, .981141, .045986}};
  for (const Row& row : table) {
    const ElasticaTip tip = elastica_self_weight(row.load);
    EXPECT_NEAR(degrees(tip.angle), row.angle, 6e-4) << row.load;
    EXPECT_NEAR(tip.drop, row.drop, 6e-7) << row.load;
    EXPECT_NEAR(tip.reach, row.reach, 6e-7) << row.load;
  }
}

TEST(ElasticaSelfWeight, SolvesTheBoundaryValueProblemToOneInABillion) {
  for (double gamma : {0.5, 10.0, 100.0}) {
    const ElasticaTip tip = elastica_self_weight(gamma),
                      other = extrapolated([gamma](double s) { return gamma * (1 - s); }, 4000);
    EXPECT_NEAR(tip.angle, other.angle, 1e-9) << gamma;
    EXPECT_NEAR(tip.drop, other.drop, 1e-9) << gamma;
    EXPECT_NEAR(tip.reach, other.reach, 1e-9) << gamma;
  }
}

TEST(ElasticaSelfWeight, HasTheLimitsOfLightAndHeavyBeams) {
  EXPECT_NEAR(elastica_self_weight(1e-2).drop, 1e-2 / 8, 1e-7);
  // Boundary layer under root tension: reach → √(2/Γ), from above.
  const double wide = elastica_self_weight(500).reach / std::sqrt(2 / 500.0),
               narrow = elastica_self_weight(2000).reach / std::sqrt(2 / 2000.0);
  EXPECT_GT(narrow, 1.0);
  EXPECT_LT(narrow, wide);
  EXPECT_NEAR(narrow, 1.0, 0.03);
}

TEST(Elastica, RefusesLoadsThatAreNotPositive) {
  EXPECT_THROW(elastica_tip_load(0), std::domain_error);
  EXPECT_THROW(elastica_self_weight(-1), std::domain_error);
}
