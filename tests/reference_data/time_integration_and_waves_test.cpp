// SPDX-License-Identifier: BSD-3-Clause
// Discrete closed forms against the recursions themselves, stepped here.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "reference_data/closed_forms/time_integration.hpp"
#include "reference_data/closed_forms/waves.hpp"

using namespace deformbench::references;

namespace {

constexpr double kPi = std::numbers::pi;

struct Oscillator {
  double x = 1, v = 0;
  void implicit_step(const DampedMode& m, double dt) {
    // (1 + Δt(α+βω²) + Δt²ω²) v⁺ = v − Δt ω² x
    const double w2 = m.frequency * m.frequency;
    v = (v - dt * w2 * x) / (1 + dt * (m.mass_damping + m.stiffness_damping * w2) + dt * dt * w2);
    x += dt * v;
  }
  double energy(double frequency) const { return v * v + frequency * frequency * x * x; }
};

}  // namespace

TEST(ImplicitEuler, EnergyAfterOneSecondHasTheWorkedValues) {
  EXPECT_NEAR(implicit_euler_energy_ratio({2 * kPi}, 0.01, 100), 0.674349, 5e-7);
  EXPECT_NEAR(implicit_euler_energy_ratio({2 * kPi}, 0.1, 10), 0.035886, 5e-7);
  EXPECT_NEAR(implicit_euler_damping_ratio(2 * kPi, 0.01), 0.0314, 5e-5);
  EXPECT_NEAR(implicit_euler_damping_ratio(2 * kPi, 0.1), 0.2843, 5e-5);
}

TEST(ImplicitEuler, EnergyRatioIsThatOfTheSteppedRecursion) {
  for (const DampedMode& mode : {DampedMode{7}, DampedMode{7, 0.5, 0}, DampedMode{7, 0, 0.02}, DampedMode{7, 40, 0}}) {
    Oscillator o;
    const double start = o.energy(mode.frequency);
    for (int n = 0; n < 37; ++n) o.implicit_step(mode, 0.02);
    EXPECT_NEAR(implicit_euler_energy_ratio(mode, 0.02, 37), o.energy(mode.frequency) / start, 1e-12);
  }
}

TEST(ImplicitEuler, EnergyFallsByTheSameFactorInEveryUndampedStep) {
  const DampedMode mode{3.0};
  Oscillator o;
  for (int n = 0; n < 20; ++n) {
    const double before = o.energy(mode.frequency);
    o.implicit_step(mode, 0.1);
    EXPECT_NEAR(o.energy(mode.frequency) / before, 1 / (1 + 0.09), 1e-14);
  }
}

TEST(ImplicitEuler, MultiplierSolvesTheRecursionAndTurnsByTheArcTangent) {
  const double dt = 0.05;
  EXPECT_NEAR(std::abs(implicit_euler_multiplier({4}, dt)), 1 / std::sqrt(1 + 0.04), 1e-14);
  EXPECT_NEAR(std::arg(implicit_euler_multiplier({4}, dt)), std::atan(0.2), 1e-14);
  for (const DampedMode& mode : {DampedMode{4}, DampedMode{4, 1, 0.03}, DampedMode{4, 60, 0}}) {
    // x_n = zⁿ, v_n = (x_n − x_{n−1})/Δt must be one step of the scheme, for complex z by linearity.
    const std::complex<double> z = implicit_euler_multiplier(mode, dt), x0 = 1.0, v0 = (1.0 - 1.0 / z) / dt;
    const double w2 = 16;
    const std::complex<double> v1 =
        (v0 - dt * w2 * x0) / (1 + dt * (mode.mass_damping + mode.stiffness_damping * w2) + dt * dt * w2);
    EXPECT_LT(std::abs(x0 + dt * v1 - z), 1e-14);
  }
}

TEST(ImplicitEuler, OverdampedModeDecaysWithoutTurning) {
  const auto z = implicit_euler_multiplier({1.0, 100.0, 0.0}, 0.01);
  EXPECT_EQ(z.imag(), 0.0);
  EXPECT_GT(z.real(), 0.99);
  EXPECT_LT(z.real(), 1.0);
}

TEST(SymplecticEuler, FrequencyIsThatOfTheSteppedRecursion) {
  const double omega = 2 * kPi, dt = 0.05;
  double x = 1, v = 0, last = 1, first = 0, crossing = 0;
  int count = 0;
  for (int n = 1; count < 40; ++n) {
    v -= dt * omega * omega * x;
    x += dt * v;
    if ((x < 0) != (last < 0)) {
      crossing = dt * (n - 1 + last / (last - x));
      if (count++ == 0) first = crossing;
    }
    last = x;
  }
  // Linear interpolation of a zero crossing: relative error of some (ωΔt)² / 40.
  EXPECT_NEAR(symplectic_euler_frequency(omega, dt), kPi * 39 / (crossing - first), 2e-3);
  EXPECT_GT(symplectic_euler_frequency(omega, dt), omega * 1.003);
}

TEST(SymplecticEuler, RefusesStepsBeyondTheStabilityLimit) {
  EXPECT_THROW(symplectic_euler_frequency(20.0, 0.1), std::domain_error);
  EXPECT_NO_THROW(symplectic_euler_frequency(19.9, 0.1));
}

TEST(FreeFall, DiscreteFallIsThatOfTheSteppedRecursions) {
  double implicit = 0, forward = 0, v = 0;
  for (int n = 0; n < 100; ++n) {
    forward += 0.01 * v;
    v -= 0.01 * 9.81;
    implicit += 0.01 * v;
  }
  EXPECT_NEAR(free_fall_implicit(9.81, 0.01, 100), implicit, 1e-12);
  EXPECT_NEAR(free_fall_forward(9.81, 0.01, 100), forward, 1e-12);
  EXPECT_NEAR(implicit, -4.95405, 1e-10);
  EXPECT_NEAR(forward, -4.85595, 1e-10);
  EXPECT_NEAR(free_fall_continuous(9.81, 0.01, 100), -4.905, 1e-12);
}

TEST(Waves, SpeedsHaveTheWorkedValues) {
  const WaveSpeeds c = wave_speeds({1e5, 0.33}, 1000);
  EXPECT_NEAR(c.bar, 10, 1e-12);
  EXPECT_NEAR(c.dilatation, 12.172, 5e-4);
  EXPECT_NEAR(c.shear, 6.131, 5e-4);
}

TEST(Waves, StepLoadIsReproducedByLeapfrogAtTheCourantLimitWhereItIsExact) {
  // u_i^{n+1} = u_{i+1}^n + u_{i−1}^n − u_i^{n−1} carries d'Alembert's solution exactly at Δt = h/c.
  const int n = 50;
  const double h = 1.0 / n, dt = h / 10, strain = 1e3 / 1e5;
  std::vector<double> before(n + 1), now(n + 1), after(n + 1);
  for (int step = 1; step <= 5 * n; ++step) {
    for (int i = 1; i < n; ++i) after[i] = now[i + 1] + now[i - 1] - before[i];
    after[0] = 0;
    after[n] = 2 * now[n - 1] - before[n] + 2 * h * strain * (step == 1 ? 0.5 : 1);  // half a step of load first
    before = now;
    now = after;
    const StepLoad exact = step_load_on_bar(1e5, 1000, 1.0, 1e3, step * dt);
    ASSERT_NEAR(now[n], exact.tip_displacement, strain * h * 1.01) << step;  // half-step offset of the start
    const double phase = std::fmod(step * dt * 10, 4.0);
    if (std::abs(phase - 1) > 3 * h && std::abs(phase - 3) > 3 * h) {
      ASSERT_NEAR(1e5 * now[1] / h, exact.wall_stress, 1e-6 * 1e3) << step;
    }
  }
}

TEST(Waves, LumpedBarFrequencyIsTheLeastRayleighQuotientOfItsMode) {
  const int n = 20;
  const double h = 1.0 / n, k = 1e5 / h, m = 1000 * h, wave = kPi / 2 / n;
  for (int mode : {1, 2, 20}) {
    // Eigenvector sin((2k−1)π i / 2n): the residual of K u = ω² M u must vanish at every node.
    const double omega = lumped_bar_frequency(1e5, 1000, 1.0, n, mode);
    auto u = [&](int i) { return std::sin((2 * mode - 1) * wave * i); };
    for (int i = 1; i <= n; ++i) {
      const double force = i < n ? k * (2 * u(i) - u(i - 1) - u(i + 1)) : k * (u(n) - u(n - 1));
      EXPECT_NEAR(force, omega * omega * (i < n ? m : m / 2) * u(i), 1e-9 * k);
    }
  }
  EXPECT_THROW(lumped_bar_frequency(1e5, 1000, 1.0, 3, 4), std::domain_error);
}
