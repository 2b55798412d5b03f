// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/beams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "reference_data/closed_forms/torsion.hpp"
#include "tests/reference_data/oracles.hpp"

using namespace deformbench::references;

namespace {

constexpr Isotropic kMaterial{1e5, 0.33};
const SquareBar kBar{kMaterial, 1000, 1.0, 0.1};
const double kTurn = 2 * std::numbers::pi;

/// Smallest eigenfrequency of a Timoshenko cantilever of `n` linear elements with reduced integration of the shear
/// (consistent masses), by inverse iteration on the banded system: an independent discretisation, error O(n⁻²).
double timoshenko_cantilever_by_elements(const SquareBar& bar, int n) {
  const double h = bar.length / n, ei = bar.bending_stiffness(), ks = bar.shear_stiffness();
  const double ma = bar.density * bar.area(), mi = bar.density * bar.second_moment();
  const int size = 2 * (n + 1);
  std::vector<std::vector<double>> k(size, std::vector<double>(size)), m = k;
  for (int e = 0; e < n; ++e) {
    const int w0 = 2 * e, p0 = w0 + 1, w1 = w0 + 2, p1 = w0 + 3;
    // γ = (w1 − w0)/h − (φ0 + φ1)/2, φ' = (φ1 − φ0)/h.
    const int id[] = {w0, p0, w1, p1};
    const double shear[] = {-1 / h, -0.5, 1 / h, -0.5}, bend[] = {0, -1 / h, 0, 1 / h};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) k[id[a]][id[b]] += h * (ks * shear[a] * shear[b] + ei * bend[a] * bend[b]);
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        const double c = h / 6 * (a == b ? 2 : 1);
        m[w0 + 2 * a][w0 + 2 * b] += ma * c;
        m[p0 + 2 * a][p0 + 2 * b] += mi * c;
      }
  }
  // Clamped at the first node: unknowns 2 … size−1. Gaussian elimination in the band (half width 3).
  const int u = size - 2;
  auto solve = [&](std::vector<double> b) {
    std::vector<std::vector<double>> a(u, std::vector<double>(u));
    for (int i = 0; i < u; ++i)
      for (int j = std::max(0, i - 3); j < std::min(u, i + 4); ++j) a[i][j] = k[i + 2][j + 2];
    for (int i = 0; i < u; ++i)
      for (int r = i + 1; r < std::min(u, i + 4); ++r) {
        const double factor = a[r][i] / a[i][i];
        for (int j = i; j < std::min(u, i + 4); ++j) a[r][j] -= factor * a[i][j];
        b[r] -= factor * b[i];
      }
    for (int i = u - 1; i >= 0; --i) {
      for (int j = i + 1; j < std::min(u, i + 4); ++j) b[i] -= a[i][j] * b[j];
      b[i] /= a[i][i];
    }
    return b;
  };
  auto mass_times = [&](const std::vector<double>& x) {
    std::vector<double> y(u);
    for (int i = 0; i < u; ++i)
      for (int j = std::max(0, i - 3); j < std::min(u, i + 4); ++j) y[i] += m[i + 2][j + 2] * x[j];
    return y;
  };
  std::vector<double> x(u, 1.0);
  double omega_square = 0;
  for (int it = 0; it < 12; ++it) {
    const std::vector<double> mx = mass_times(x), y = solve(mx), my = mass_times(y);
    double top = 0, bottom = 0;
    for (int i = 0; i < u; ++i) top += y[i] * mx[i], bottom += y[i] * my[i];
    omega_square = top / bottom;
    for (int i = 0; i < u; ++i) x[i] = y[i] / std::sqrt(bottom);
  }
  return std::sqrt(omega_square);
}

}  // namespace

TEST(AxialBar, SelfWeightElongationIsTheIntegralOfTheWeightBelow) {
  const double strain_integral = oracle::simpson([](double x) { return 1000 * 9.81 * (1 - x) / 1e5; }, 0, 1, 2);
  EXPECT_NEAR(hanging_elongation(kBar, 9.81), strain_integral, 1e-14);
  EXPECT_NEAR(hanging_elongation(kBar, 9.81), 0.04905, 1e-14);
  EXPECT_NEAR(axial_elongation(kBar, 1.0), 1e-3, 1e-15);  // 1 N / (1e5 Pa · 0.01 m²) · 1 m
}

TEST(Cantilever, TipLoadHasTheWorkedDeflection) {
  EXPECT_NEAR(cowper_shear_coefficient(0.33), 0.850928, 5e-7);
  const TipDeflection tip = cantilever_tip_load(kBar, 1e-3);
  EXPECT_NEAR(tip.bending, 4.0000e-4, 1e-15);
  EXPECT_NEAR(tip.shear, 3.126e-6, 5e-10);
  EXPECT_NEAR(tip.total(), 4.0313e-4, 5e-9);
}

TEST(Cantilever, DeflectionsFollowFromTheVirtualWorkOfMomentsAndShearForces) {
  const double force = 1e-3, weight = 1000 * 9.81 * 0.01;
  const double ei = kBar.bending_stiffness(), ks = kBar.shear_stiffness();
  // A unit force at the tip has the moment 1 − x and the shear force 1. Integrands of degree ≤ 3: Simpson is exact.
  const double tip = oracle::simpson([&](double x) { return force * (1 - x) * (1 - x) / ei + force / ks; }, 0, 1, 2);
  const double own = oracle::simpson(
      [&](double x) { return weight * std::pow(1 - x, 3) / (2 * ei) + weight * (1 - x) / ks; }, 0, 1, 2);
  EXPECT_NEAR(cantilever_tip_load(kBar, force).total(), tip, 1e-13 * tip);
  EXPECT_NEAR(cantilever_self_weight(kBar, 9.81).total(), own, 1e-13 * own);
}

TEST(EulerBernoulliBeam, RootsHaveTheTabulatedValues) {
  const double clamped[] = {1.875104, 4.694091, 7.854757, 10.995541}, free[] = {4.730041, 7.853205, 10.995608};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(euler_bernoulli_root(BeamEnds::ClampedFree, k + 1), clamped[k], 5e-7);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(euler_bernoulli_root(BeamEnds::FreeFree, k + 1), free[k], 5e-7);
  EXPECT_THROW(euler_bernoulli_root(BeamEnds::FreeFree, 0), std::domain_error);
}

TEST(EulerBernoulliBeam, FirstCantileverFrequencyHasTheWorkedValue) {
  EXPECT_NEAR(euler_bernoulli_frequency(kBar, BeamEnds::ClampedFree, 1) / kTurn, 0.16154, 5e-6);
}

TEST(TimoshenkoBeam, FrequencyIsTheLimitOfAFiniteElementBeam) {
  const double exact = timoshenko_frequency(kBar, BeamEnds::ClampedFree, 1);
  const double coarse = timoshenko_cantilever_by_elements(kBar, 40), fine = timoshenko_cantilever_by_elements(kBar, 80);
  const double extrapolated = fine + (fine - coarse) / 3;
  EXPECT_NEAR(exact, extrapolated, 1e-6 * exact);  // Richardson: error O(n⁻⁴), (1/80)⁴ times a constant of some ten
  EXPECT_NEAR((coarse - exact) / (fine - exact), 4.0, 0.05);
}

TEST(TimoshenkoBeam, LowersTheFirstFrequencyByTheWorkedPercentage) {
  const double ratio =
      timoshenko_frequency(kBar, BeamEnds::ClampedFree, 1) / euler_bernoulli_frequency(kBar, BeamEnds::ClampedFree, 1);
  EXPECT_NEAR(ratio - 1, -0.0079, 5e-5);
}

TEST(TimoshenkoBeam, ApproachesEulerBernoulliAsTheSquareOfTheSlenderness) {
  for (BeamEnds ends : {BeamEnds::ClampedFree, BeamEnds::FreeFree}) {
    double gap[2];
    for (int i = 0; i < 2; ++i) {
      SquareBar bar = kBar;
      bar.side = i == 0 ? 0.02 : 0.01;
      gap[i] = 1 - timoshenko_frequency(bar, ends, 2) / euler_bernoulli_frequency(bar, ends, 2);
      EXPECT_GT(gap[i], 0);
    }
    EXPECT_NEAR(std::log2(gap[0] / gap[1]), 2.0, 0.05);
  }
}

TEST(TimoshenkoBeam, RefusesModesAboveTheSecondSpectrum) {
  SquareBar stocky = kBar;
  stocky.side = 0.8;
  EXPECT_THROW(timoshenko_frequency(stocky, BeamEnds::ClampedFree, 6), std::domain_error);
}

TEST(Torsion, ConstantAgreesWithTheDoubleSineSeriesOfPrandtlsFunction) {
  // ψ = Σ (32/(π⁴ m n (m²+n²r²))) …; J = 2∫ψ = (256/π⁶) a³b Σ 1/(m²n²(m² + n²(a/b)²)), m and n odd.
  for (double ratio : {1.0, 1.5, 3.0}) {
    const double a = ratio, b = 1.0, pi = std::numbers::pi;
    double sum = 0;
    for (int m = 1; m < 1200; m += 2)
      for (int n = 1; n < 1200; n += 2)
        sum += 1 / (double(m) * m * double(n) * n * (double(m) * m + double(n) * n * ratio * ratio));
    EXPECT_NEAR(torsion_constant(a, b), 256 / std::pow(pi, 6) * a * a * a * b * sum, 1e-7 * ratio);
  }
}

TEST(Torsion, HasTheTabulatedConstants) {
  EXPECT_NEAR(torsion_constant(0.1, 0.1), 1.40577e-5, 5e-11);
  const double ratios[] = {1, 1.5, 2, 3, 4, 10}, table[] = {.1406, .1958, .2287, .2633, .2808, .3123};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(torsion_constant(ratios[i], 1) / ratios[i], table[i], 5e-5);
    EXPECT_EQ(torsion_constant(ratios[i], 1), torsion_constant(1, ratios[i]));
  }
  EXPECT_NEAR(torsion_stress_per_torque(1, 1), 4.80388, 5e-5);
  EXPECT_NEAR(1e-3 / (kMaterial.mu() * torsion_constant(.1, .1)), 1.892e-3, 5e-7);
}

TEST(Torsion, ShorteningHasTheWorkedSize) {
  EXPECT_NEAR(torsion_shortening(0.1, 1.0, std::numbers::pi / 2), -2.06e-3, 5e-6);
}
