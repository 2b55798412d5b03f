// SPDX-License-Identifier: BSD-3-Clause
// Worked numbers: E = 1e5 Pa, ν = 0.33. The second route is a minimisation or a 3×3 computation, not the formula.
#include "reference_data/closed_forms/homogeneous_states.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/reference_data/oracles.hpp"

using namespace deformbench::references;

namespace {

constexpr Isotropic kStretched{1e5, 0.33};
constexpr double kRelative = 1e-12;  // double precision formulas of a few operations

/// Least St. Venant–Kirchhoff or linear energy over the lateral stretch at a given axial stretch, by golden section.
template <class Energy>
double least_over_lateral(Energy energy) {
  double low = 0.05, high = 1.6;
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 90; ++i) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    (energy(a) < energy(b) ? high : low) = energy(a) < energy(b) ? b : a;
  }
  return energy((low + high) / 2);
}

double least_st_venant_kirchhoff_energy(double stretch) {
  return least_over_lateral([&](double lateral) {
    oracle::Matrix green{};
    green[0][0] = (stretch * stretch - 1) / 2;
    green[1][1] = green[2][2] = (lateral * lateral - 1) / 2;
    return oracle::isotropic_energy(green, kStretched.lambda(), kStretched.mu());
  });
}

}  // namespace

TEST(IsotropicConstants, HaveTheWorkedValuesOfTheDefaultMaterial) {
  EXPECT_NEAR(kStretched.lambda(), 72976.56, 0.005);
  EXPECT_NEAR(kStretched.mu(), 37593.98, 0.005);
  EXPECT_NEAR(kStretched.bulk(), 98039.2, 0.05);
}

TEST(UniaxialBar, StVenantKirchhoffStressHasTheWorkedValues) {
  const double stretches[] = {0.8, 1.2, 1.5, 2.0}, linear[] = {-20000, 20000, 50000, 100000},
               cubic[] = {-14400, 26400, 93750, 300000};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(uniaxial_linear(kStretched, stretches[i]).nominal_stress, linear[i], kRelative * 3e5);
    EXPECT_NEAR(uniaxial_st_venant_kirchhoff(kStretched, stretches[i]).nominal_stress, cubic[i], kRelative * 3e5);
  }
  EXPECT_NEAR(uniaxial_linear(kStretched, 2.0).lateral_stretch, 0.67, kRelative);
  EXPECT_NEAR(uniaxial_st_venant_kirchhoff(kStretched, 2.0).lateral_stretch, 0.1, 1e-12);
}

TEST(UniaxialBar, StressIsTheDerivativeOfTheEnergyMinimisedOverTheLateralStretch) {
  for (double stretch : {0.7, 0.9, 1.2, 1.7}) {
    const double h = 1e-4;  // central differences of a polynomial energy: error ~ h² E, below 1e-3 Pa
    const double slope =
        (least_st_venant_kirchhoff_energy(stretch + h) - least_st_venant_kirchhoff_energy(stretch - h)) / (2 * h);
    const UniaxialState state = uniaxial_st_venant_kirchhoff(kStretched, stretch);
    EXPECT_NEAR(state.nominal_stress, slope, 2e-3);
    EXPECT_NEAR(state.energy_density, least_st_venant_kirchhoff_energy(stretch), 1e-9 * 1e5);
  }
}

TEST(UniaxialBar, StVenantKirchhoffSoftensAtOneOverRootThree) {
  const double at = 1 / std::sqrt(3.0);
  const double least = uniaxial_st_venant_kirchhoff(kStretched, at).nominal_stress;
  EXPECT_NEAR(least, -0.19245 * 1e5, 0.01 * 1e3 / 2);
  EXPECT_GT(uniaxial_st_venant_kirchhoff(kStretched, at - 1e-3).nominal_stress, least);
  EXPECT_GT(uniaxial_st_venant_kirchhoff(kStretched, at + 1e-3).nominal_stress, least);
}

TEST(UniaxialBar, StVenantKirchhoffSectionCollapsesBeyondTheLimit) {
  EXPECT_NO_THROW(uniaxial_st_venant_kirchhoff(kStretched, 2.0075));
  EXPECT_THROW(uniaxial_st_venant_kirchhoff(kStretched, 2.0077), std::domain_error);
}

TEST(SimpleShear, EnergiesAgreeWithPolarDecompositionAndGreenStrainOfTheMatrix) {
  for (double shear : {-1.3, 0.01, 0.5, 2.0}) {
    oracle::Matrix f = oracle::identity();
    f[0][1] = shear;
    const oracle::Matrix r = oracle::polar_rotation(f);
    oracle::Matrix stretch = oracle::times(oracle::transpose(r), f), green = oracle::times(oracle::transpose(f), f);
    for (int i = 0; i < 3; ++i) {
      stretch[i][i] -= 1;
      for (int j = 0; j < 3; ++j) green[i][j] = (green[i][j] - (i == j)) / 2;
    }
    const ShearState state = simple_shear(kStretched, shear);
    const double lambda = kStretched.lambda(), mu = kStretched.mu();
    const double scale = kRelative * 10 * mu * (1 + std::pow(shear, 4));
    EXPECT_NEAR(std::tan(state.polar_angle), r[0][1] / r[0][0], kRelative * 10);
    EXPECT_NEAR(state.stretch_trace_excess, oracle::trace(stretch), kRelative * 10);
    EXPECT_NEAR(state.corotational_energy, oracle::isotropic_energy(stretch, lambda, mu), scale);
    EXPECT_NEAR(state.st_venant_kirchhoff_energy, oracle::isotropic_energy(green, lambda, mu), scale);
  }
}

TEST(SimpleShear, HasTheWorkedValuesAtOneHalf) {
  const ShearState state = simple_shear(kStretched, 0.5);
  EXPECT_NEAR(degrees(state.polar_angle), 14.036, 5e-4);
  EXPECT_NEAR(state.stretch_trace_excess, 0.061553, 5e-7);
  EXPECT_NEAR(state.linear_energy, 4699.25, 0.005);
  EXPECT_NEAR(state.corotational_energy, 4908.71, 0.005);
  EXPECT_NEAR(state.st_venant_kirchhoff_energy, 5856.78, 0.005);
}

TEST(HydrostaticStretch, StressIsAThirdOfTheEnergySlope) {
  EXPECT_NEAR(hydrostatic_stretch(kStretched, 2.0).st_venant_kirchhoff_stress, 882352.9, 0.05);
  for (double s : {0.5, 1.3, 2.0}) {
    const double h = 1e-5;
    const HydrostaticState up = hydrostatic_stretch(kStretched, s + h), down = hydrostatic_stretch(kStretched, s - h),
                           at = hydrostatic_stretch(kStretched, s);
    // Central differences: truncation ~ h² W''' ~ 1e-4 Pa, cancellation ~ 1e-16 W / h ~ 1e-5 Pa.
    EXPECT_NEAR(3 * at.st_venant_kirchhoff_stress,
                (up.st_venant_kirchhoff_energy - down.st_venant_kirchhoff_energy) / (2 * h), 1e-2);
    EXPECT_NEAR(3 * at.linear_stress, (up.linear_energy - down.linear_energy) / (2 * h), 1e-2);
  }
}

TEST(PatchTest, UniaxialStrainGivesTheWorkedStress) {
  const auto stress = stress_of_strain(kStretched, {1e-3, 0, 0, 0, 0, 0});
  EXPECT_NEAR(stress[0], 148.1645, 5e-4);
  EXPECT_NEAR(stress[1], 72.97656, 5e-5);
  EXPECT_NEAR(stress[2], stress[1], 1e-14 * 100);
  EXPECT_NEAR(stress_of_strain(kStretched, {0, 0, 0, 1e-3, 0, 0})[3], 37.59398, 5e-5);
}

TEST(RegularTetrahedron, ModesHaveTheWorkedFrequencies) {
  const TetrahedronModes modes = regular_tetrahedron_modes(kStretched, 1000, 0.1 * std::sqrt(2.0));
  EXPECT_NEAR(modes.dilation, 342.997, 5e-4);
  EXPECT_NEAR(modes.deviatoric, 173.42, 5e-3);
}

TEST(RegularTetrahedron, BreathingFrequencyFollowsFromEnergyAtTheTurningPointAndSpeedAtRest) {
  // Vertices at (±h, ±h, ±h) with an even number of minus signs: edge 2√2 h, r² = 3h².
  const double h = 0.05, edge = 2 * std::sqrt(2.0) * h, volume = 8 * h * h * h / 3, q = 0.01;
  oracle::Matrix strain{};
  for (int i = 0; i < 3; ++i) strain[i][i] = q;
  const double potential = volume * oracle::isotropic_energy(strain, kStretched.lambda(), kStretched.mu());
  const double inertia = 1000 * volume * 3 * h * h;  // kinetic energy ½ inertia q̇²
  EXPECT_NEAR(regular_tetrahedron_modes(kStretched, 1000, edge).dilation, std::sqrt(2 * potential / inertia) / q,
              kRelative * 1e3);
}
