// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/linear_rotation.hpp"

#include <gtest/gtest.h>

#include "tests/reference_data/oracles.hpp"

using namespace deformbench::references;

namespace {

constexpr Isotropic kTurned{1e5, 0.33};
constexpr double kRounding = 1e-12;

oracle::Matrix rotation_about(std::array<double, 3> a, double angle) {
  const double n = std::hypot(a[0], a[1], a[2]), c = std::cos(angle), s = std::sin(angle);
  for (double& x : a) x /= n;
  oracle::Matrix r{{{0, -a[2] * s, a[1] * s}, {a[2] * s, 0, -a[0] * s}, {-a[1] * s, a[0] * s, 0}}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] += (1 - c) * a[i] * a[j] + (i == j ? c : 0);
  return r;
}

}  // namespace

TEST(RotatedLinearBody, EnergyIsThatOfTheSymmetrisedGradientAboutAnyAxis) {
  for (double angle : {0.2, 1.0, 2.5}) {
    for (const auto& axis : {std::array{0.0, 0.0, 1.0}, std::array{1.0, -2.0, 0.5}}) {
      const oracle::Matrix r = rotation_about(axis, angle), t = oracle::transpose(r);
      oracle::Matrix strain{};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) strain[i][j] = (r[i][j] + t[i][j]) / 2 - (i == j);
      const double energy = 0.027 * oracle::isotropic_energy(strain, kTurned.lambda(), kTurned.mu());
      EXPECT_NEAR(linear_energy_of_rotation(kTurned, 0.027, angle), energy, kRounding * 1e4);
    }
  }
}

TEST(RotatedLinearBody, EnergyHasTheWorkedValues) {
  const double angles[] = {10, 30, 45, 60, 90, 180}, joules[] = {1.3781, 107.171, 512.214, 1492.70, 5970.81, 23883.2};
  for (int i = 0; i < 6; ++i) {
    // Half a unit of the last printed digit.
    EXPECT_NEAR(linear_energy_of_rotation(kTurned, 0.027, radians(angles[i])), joules[i], 5e-5 * joules[i]);
  }
}

TEST(RootRotation, FarFieldIsTheGradientOfSineTimesTheCrossProduct) {
  for (double angle : {0.3, 1.1, 2.0, 3.0}) {
    oracle::Matrix f = oracle::identity();
    f[0][1] = -std::sin(angle);
    f[1][0] = std::sin(angle);
    const oracle::Matrix r = oracle::polar_rotation(f);
    const RootRotation far = linear_far_field(angle);
    EXPECT_NEAR(far.volume_ratio, oracle::determinant(f), kRounding);
    EXPECT_NEAR(far.apparent_angle, std::atan2(r[1][0], r[0][0]), kRounding);
    EXPECT_NEAR(far.stretch, oracle::times(oracle::transpose(r), f)[0][0], kRounding);
  }
}

TEST(RootRotation, ANinetyDegreeTurnDoublesTheVolumeAndShowsFortyFive) {
  const double angles[] = {30, 45, 60, 90, 135, 180}, ratios[] = {1.25, 1.5, 1.75, 2, 1.5, 1};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(linear_far_field(radians(angles[i])).volume_ratio, ratios[i], kRounding);
  EXPECT_NEAR(degrees(linear_far_field(radians(90)).apparent_angle), 45, 1e-10);
  EXPECT_NEAR(linear_far_field(radians(180)).apparent_angle, 0, 1e-12);
}

TEST(FreeSpin, VolumeOfTheLinearBodyIsTheDeterminantOfStraightLineMotion) {
  const double omega = 5, t = 1;
  oracle::Matrix f = oracle::identity();
  f[0][1] = -omega * t;
  f[1][0] = omega * t;
  EXPECT_NEAR(linear_free_spin_volume(omega, t), oracle::determinant(f), kRounding * 26);
  EXPECT_NEAR(linear_free_spin_volume(omega, t), 26.0, kRounding * 26);
}

TEST(FreeSpin, WarpedInflationHasTheWorkedSize) {
  // Σ m r² of the 2×2×2 alternating mesh of 0.1 m cells, summed here from its nodal masses: a node of even index sum
  // gets 1/24 of each adjacent cell, an odd one 5/24.
  double moment = 0;
  for (int i = 0; i <= 2; ++i)
    for (int j = 0; j <= 2; ++j)
      for (int k = 0; k <= 2; ++k) {
        const int cells = (i == 1 ? 2 : 1) * (j == 1 ? 2 : 1) * (k == 1 ? 2 : 1);
        const double mass = cells * ((i + j + k) % 2 ? 5 : 1) / 24.0;
        moment += mass * 0.01 * ((i - 1) * (i - 1) + (j - 1) * (j - 1));
      }
  EXPECT_NEAR(moment, 0.08, kRounding);
  EXPECT_NEAR(warped_free_spin_volume(kTurned, {5, 0.001, 0.008, moment}) - 1, 8.75e-4, 5e-7);
  EXPECT_NEAR(warped_free_spin_volume(kTurned, {5, 0.01, 0.008, moment}) - 1, 3.35e-3, 5e-6);
}

TEST(Torsion, VolumeOfTheLinearFieldIsTheMeanOfThePointwiseDeterminant) {
  for (double twist : {0.5, 1.0, 1.570796326794897}) {
    auto pointwise = [twist](double z) {
      oracle::Matrix f = oracle::identity();
      f[0][1] = -twist * z;
      f[1][0] = twist * z;
      f[0][2] = 0.3 * twist;  // −y φ′, x φ′ at some point: they do not enter the determinant
      f[1][2] = -0.2 * twist;
      return oracle::determinant(f);
    };
    // Simpson's rule is exact for the quadratic integrand.
    EXPECT_NEAR(linear_torsion_volume(twist), oracle::simpson(pointwise, 0, 1, 2), kRounding);
  }
  EXPECT_NEAR(linear_torsion_volume(0.5), 1.083333, 5e-7);
  EXPECT_NEAR(linear_torsion_volume(radians(90)), 1.822467, 5e-7);
}

TEST(Torsion, DrivenEndFaceInflatesByAThirdOfSineSquared) {
  EXPECT_NEAR(linear_driven_torsion_volume(radians(45)), 1.1667, 5e-5);
  EXPECT_NEAR(linear_driven_torsion_volume(radians(90)), 1.3333, 5e-5);
  EXPECT_NEAR(linear_driven_torsion_volume(radians(180)), 1, kRounding);
}

TEST(SpinningBar, CentralStrainBalancesTheCentrifugalForceOfOneHalf) {
  const double omega = 5, radius = 0.1, density = 1000;
  const double stress = oracle::simpson([&](double r) { return density * omega * omega * r; }, 0, radius, 2);
  EXPECT_NEAR(centrifugal_strain(1e5, density, omega, radius), stress / 1e5, kRounding);
  EXPECT_NEAR(centrifugal_strain(1e5, density, omega, radius), 1.25e-3, kRounding);
}

TEST(RotatedNormal, ErrorIsTheAngleToTheNormalOfTwoMappedTangents) {
  for (double stretch : {0.6, 1.2, 2.0}) {
    // A plane with normal (cos, sin, 0) holds the tangent (−sin, cos, 0), which maps to (−s sin, cos, 0).
    const double angle = radians(30), tx = -stretch * std::sin(angle), ty = std::cos(angle);
    const double cosine = (ty * std::cos(angle) - tx * std::sin(angle)) / std::hypot(tx, ty);
    EXPECT_NEAR(std::cos(rotated_normal_error(stretch, angle)), cosine, kRounding);
  }
  EXPECT_NEAR(degrees(rotated_normal_error(2.0, radians(45))), 18.43, 5e-3);
  EXPECT_NEAR(degrees(rotated_normal_error(1.2, radians(45))), 5.19, 5e-3);
}

TEST(ConditionBound, HoldsForTheOneDimensionalSpringChainAndIsNotSlackByMoreThanTwo) {
  // Chain of n springs k between n+1 masses, one end fixed: λ_max(K) < 4k is the elementwise bound (2k + 2k).
  const double k = 100, m = 2, dt = 0.1;
  const int n = 40;
  auto eigenvalue = [&](int j) {
    const double s = std::sin((2 * j - 1) * std::numbers::pi / (2 * (2 * n + 1)));
    return m + dt * dt * 4 * k * s * s;
  };
  const double condition = eigenvalue(n) / eigenvalue(1), bound = condition_number_bound(m, m, dt, 4 * k);
  EXPECT_LE(condition, bound);
  EXPECT_GT(condition, bound / 2);
}
