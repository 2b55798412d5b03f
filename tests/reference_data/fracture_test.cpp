// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/fracture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "reference_data/closed_forms/waves.hpp"

using namespace deformbench::references;

namespace {

const Isotropic kDragon{1e5, 0.33};
constexpr double kThreshold = 6e4;
const Creep kDragonCreep{0.1, 1.0, 1.0};

/// Axial strain at which the elastic stress of a creeping bar passes the threshold: the rule of [MG04] §3 on the strain
/// tensor (ε, ε_t, ε_t) of uniaxial stress, stepped.
double stepped_fracture_strain(const Isotropic& m, double threshold, const Creep& creep, double rate, double dt) {
  std::array<double, 3> plastic{};
  for (long n = 1; n < 50'000'000; ++n) {
    const double total = rate * double(n) * dt, e = total - plastic[0];
    if (m.young_modulus * e > threshold) return total;
    const std::array<double, 3> elastic{e, -m.poisson_ratio * e, -m.poisson_ratio * e};  // lateral faces free of stress
    if (std::hypot(elastic[0], elastic[1], elastic[2]) > creep.yield)
      for (int i = 0; i < 3; ++i) plastic[std::size_t(i)] += dt * creep.rate * elastic[std::size_t(i)];
    const double norm = std::hypot(plastic[0], plastic[1], plastic[2]);
    if (norm > creep.cap)
      for (double& p : plastic) p *= creep.cap / norm;
  }
  return -1;
}

}  // namespace

TEST(UniaxialFracture, OfTheDragonHasTheWorkedStrains) {
  EXPECT_NEAR(elastic_fracture_strain(kDragon, kThreshold), 0.6, 1e-15);
  EXPECT_NEAR(slow_plastic_fracture_strain(kDragon, kThreshold, 1.0), 1.506, 5e-4);
  EXPECT_EQ(plastic_fracture_strain(kDragon, kThreshold, kDragonCreep, 0.01),
            slow_plastic_fracture_strain(kDragon, kThreshold, 1.0));
}

TEST(UniaxialFracture, OfACreepingBarIsThatOfTheSteppedRuleAtAnyRate) {
  for (const double rate : {0.1, 0.59, 0.61, 1.0, 3.0, 20.0}) {
    const double dt = 2e-5;
    EXPECT_NEAR(plastic_fracture_strain(kDragon, kThreshold, kDragonCreep, rate),
                stepped_fracture_strain(kDragon, kThreshold, kDragonCreep, rate, dt), 5 * rate * dt + 1e-3 * (rate < 1))
        << rate;
  }
}

TEST(UniaxialFracture, ComesEarlierThanSlowlyOnlyWhenLoadedFasterThanItFlows) {
  const double slow = slow_plastic_fracture_strain(kDragon, kThreshold, 1.0);
  double last = slow;
  for (const double rate : {0.3, 0.6, 0.8, 1.0, 10.0}) {
    const double now = plastic_fracture_strain(kDragon, kThreshold, kDragonCreep, rate);
    EXPECT_LE(now, last);
    const bool is_slow = rate <= 0.6;
    EXPECT_TRUE(is_slow ? now == slow : now < slow) << rate;
    last = now;
  }
  EXPECT_GT(last, 0.6);
}

TEST(UniaxialFracture, WithoutFlowBelowTheThresholdIsElastic) {
  EXPECT_EQ(plastic_fracture_strain(kDragon, 5e3, kDragonCreep, 0.01), 0.05);
  EXPECT_THROW(plastic_fracture_strain(kDragon, kThreshold, kDragonCreep, 0.0), std::domain_error);
}

TEST(StepLoad, DoublesTheStressAtTheWall) {
  // The factor of one half is that of d'Alembert's solution, which the waves have.
  double largest = 0;
  for (int n = 0; n <= 400; ++n)
    largest = std::max(largest, step_load_on_bar(1e5, 1000, 1.0, 1e3, n * 1e-3).wall_stress);
  EXPECT_NEAR(largest, 2e3, 1e-9);
}

TEST(SplitCondition, BoundHoldsForAChainWhoseNodeIsSplit) {
  // Two springs k between three masses; the middle one is split into its two halves. Eigenvalues of M + Δt²K by hand:
  // 3×3 before (Jacobi rotations spared: symmetric chain), two free 2×2 blocks after.
  const double k = 1e3, end = 0.1, middle = 0.4, dt = 0.01, bound_k = 2 * 2 * k;  // Σ λ_max(K_e) = 2k each
  const double s = dt * dt * k;
  const auto pair = [&](double a, double b) {  // eigenvalues of [[a+s, −s], [−s, b+s]]
    const double mean = (a + b) / 2 + s, root = std::hypot((a - b) / 2, s);
    return std::array{mean - root, mean + root};
  };
  const auto split = pair(end, middle / 2);
  const double condition = split[1] / split[0];
  const double smallest = std::min(end, middle / 2), largest = std::max(end, middle);
  EXPECT_LE(condition, split_condition_bound(largest, bound_k, dt, smallest));
  EXPECT_GT(condition, 1);
  // A quarter left on one side: the bound grows by m_min / m_min′.
  EXPECT_NEAR(split_condition_bound(largest, bound_k, dt, 0.025) / split_condition_bound(largest, bound_k, dt, 0.1), 4,
              1e-12);
}

TEST(SpinStress, HasTheWorkedEstimates) {
  EXPECT_NEAR(centrifugal_stress(1000, 5, 0.1), 125, 1e-10);
  EXPECT_NEAR(centrifugal_stress(1000, 20, 0.1), 2000, 1e-9);
  EXPECT_NEAR(step_inflation_stress({1e5, 0.33}, 5, 0.01), 276, 0.5);
}

TEST(SpinStress, OfTheStepsOwnStretchIsThatOfPlaneStrain) {
  // Stretch √(1+w²) in both directions of the plane, none along the axis: σ = 2(λ+μ)(√(1+w²) − 1) → (λ+μ)w².
  const Isotropic m{1e5, 0.33};
  for (const double w : {0.01, 0.05}) {
    const double e = std::sqrt(1 + w * w) - 1, stress = m.lambda() * 2 * e + 2 * m.mu() * e;
    EXPECT_NEAR(step_inflation_stress(m, w / 0.01, 0.01) / stress, 1, w * w);
  }
}
