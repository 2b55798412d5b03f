// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of position based dynamics against the algorithm itself, written out here for one or two coordinates.
#include "reference_data/closed_forms/position_based.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

using namespace deformbench::references;

namespace {

constexpr double kGravity = 9.81;

/// [MHHR07] §3.1 for a mass under a fixed point, extension counted downwards.
double settled(double k, int iterations, double dt, long steps, double gravity, double start = 0.0) {
  double x = start, v = 0;
  for (long n = 0; n < steps; ++n) {
    double p = x + dt * (v + dt * gravity);
    for (int i = 0; i < iterations; ++i) p -= k * p;
    v = (p - x) / dt;
    x = p;
  }
  return x;
}

/// Ratio of the errors before and after many sweeps over a chain of unit masses; `held`: the first does not move.
double swept_radius(int links, bool held, bool jacobi, int sweeps) {
  std::vector<double> x(std::size_t(links) + 1);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i == x.size() - 1 ? 0.1 : 0.0;  // rest length 0
  const auto error = [&] {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
    return std::sqrt(sum);
  };
  double before = 0;
  for (int s = 0; s < sweeps; ++s) {
    if (s == sweeps - 2) before = error();
    std::vector<double> old = x;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const std::vector<double>& seen = jacobi ? old : x;
      const double c = seen[i + 1] - seen[i], first = held && i == 0 ? 0.0 : 0.5;
      x[i] += first * c;
      x[i + 1] -= (1 - first) * c;
    }
  }
  return std::sqrt(error() / before);  // two sweeps: Jacobi's slowest errors come in pairs ±ρ
}

}  // namespace

TEST(StiffnessLaw, PrimeLeavesOneMinusKAfterAllIterations) {
  for (const double k : {0.1, 0.5, 0.99})
    for (const int n : {1, 4, 16, 400}) {
      EXPECT_NEAR(std::pow(1 - iteration_stiffness(k, n), n), 1 - k, 1e-13);
      EXPECT_EQ(residual_share(k, n, StiffnessPer::Step), 1 - k);
      EXPECT_NEAR(residual_share(k, n, StiffnessPer::Iteration), std::pow(1 - k, n), 1e-300);
    }
  EXPECT_EQ(iteration_stiffness(1.0, 7), 1.0);
  EXPECT_EQ(iteration_stiffness(0.0, 7), 0.0);
}

TEST(HangingMass, HasTheWorkedExtensionsAndComesToRestThere) {
  const auto step = StiffnessPer::Step, iteration = StiffnessPer::Iteration;
  EXPECT_NEAR(hanging_extension(0.5, 1, step, kGravity, 0.01), 9.81e-4, 1e-15);
  EXPECT_NEAR(hanging_extension(0.5, 1, step, kGravity, 0.02), 3.924e-3, 1e-15);
  EXPECT_NEAR(hanging_extension(0.9, 1, step, kGravity, 0.01), 1.09e-4, 1e-15);
  EXPECT_NEAR(hanging_extension(0.5, 4, iteration, kGravity, 0.01), 6.54e-5, 1e-15);
  for (const int n : {1, 4}) {
    EXPECT_NEAR(settled(0.3, n, 0.01, 2000, kGravity), hanging_extension(0.3, n, iteration, kGravity, 0.01), 1e-15);
    EXPECT_NEAR(settled(iteration_stiffness(0.3, n), n, 0.01, 2000, kGravity),
                hanging_extension(0.3, n, step, kGravity, 0.01), 1e-15);
  }
  EXPECT_THROW(hanging_extension(0.0, 1, step, kGravity, 0.01), std::domain_error);
}

TEST(HangingMass, EffectiveStiffnessIsWeightOverExtensionAndTheCompliantOneHasNoTimeStep) {
  const double extension = hanging_extension(0.3, 4, StiffnessPer::Iteration, kGravity, 0.02);
  EXPECT_NEAR(effective_stiffness(0.3, 4, StiffnessPer::Iteration, 2.5, 0.02), 2.5 * kGravity / extension,
              1e-9 * 2.5 * kGravity / extension);
  EXPECT_THROW(effective_stiffness(1.0, 1, StiffnessPer::Step, 1, 0.01), std::domain_error);
  const double alpha = 1e-4, m = 2.0;
  for (const double dt : {0.005, 0.02})
    for (const int iterations : {1, 8}) {  // [MMC16] algorithm 1 in one coordinate
      double x = 0, v = 0;
      for (int n = 0; n < 4000; ++n) {
        double p = x + dt * (v + dt * kGravity), lambda = 0;
        for (int i = 0; i < iterations; ++i) {
          const double change = (-p - alpha / (dt * dt) * lambda) / (1 / m + alpha / (dt * dt));
          lambda += change;
          p += change / m;
        }
        v = (p - x) / dt;
        x = p;
      }
      EXPECT_NEAR(x, compliant_extension(alpha, m, kGravity), 1e-12);
    }
}

TEST(Spring, MultiplierAndExtensionAreThoseOfTheRecursion) {
  EXPECT_NEAR(2 * spring_multiplier(0.1).real(), 1.8, 1e-14);  // x_{n+1} = 1.8 x_n − 0.9 x_{n−1}
  EXPECT_NEAR(std::norm(spring_multiplier(0.1)), 0.9, 1e-14);
  for (const double k : {0.0, 0.1, 0.5, 0.9, 1.0})
    for (const long n : {0L, 1L, 2L, 7L, 60L})
      EXPECT_NEAR(spring_extension(k, n), settled(k, 1, 0.01, n, 0.0, 1.0), 1e-12) << k << " " << n;
}

TEST(ChainSweep, RadiiAreTheWorkedOnesAndThoseOfTheSweepItself) {
  EXPECT_NEAR(gauss_seidel_radius(10, false), .920627, 5e-7);
  EXPECT_NEAR(gauss_seidel_radius(20, false), .977786, 5e-7);
  EXPECT_NEAR(gauss_seidel_radius(40, false), .994140, 5e-7);
  EXPECT_NEAR(gauss_seidel_radius(10, true), .975528, 5e-7);
  EXPECT_NEAR(gauss_seidel_radius(20, true), .993844, 5e-7);
  EXPECT_NEAR(gauss_seidel_radius(40, true), .998459, 5e-7);
  for (const bool held : {false, true})
    for (const int links : {8, 10}) {  // as many sweeps as leave the slowest mode alone, well above rounding
      EXPECT_NEAR(swept_radius(links, held, false, 120), gauss_seidel_radius(links, held), 1e-9);
      EXPECT_NEAR(swept_radius(links, held, true, 240), jacobi_radius(links, held), 1e-9);
    }
}

TEST(Dumbbell, LosesTheWorkedAngularMomentumAndEnergy) {
  const double omega = 5, dt = 0.01;
  EXPECT_NEAR(dumbbell_momentum_ratio(omega, dt, 1), 0.99875, 5e-6);
  EXPECT_NEAR(dumbbell_momentum_ratio(omega, dt, 10), 0.97705, 5e-6);
  EXPECT_NEAR(dumbbell_momentum_ratio(omega, dt, 100), 0.81711, 5e-6);
  EXPECT_NEAR(dumbbell_energy_ratio(omega, dt, 100), 0.668, 5e-4);
  // The algorithm: one end about the centre at distance 1, projected to that distance.
  double x = 1, y = 0, vx = 0, vy = omega;
  for (int n = 1; n <= 100; ++n) {
    double px = x + dt * vx, py = y + dt * vy;
    const double length = std::hypot(px, py);
    px /= length, py /= length;
    vx = (px - x) / dt, vy = (py - y) / dt;
    x = px, y = py;
    ASSERT_NEAR((x * vy - y * vx) / omega, dumbbell_momentum_ratio(omega, dt, n), 1e-13) << n;
    ASSERT_NEAR((vx * vx + vy * vy) / (omega * omega), dumbbell_energy_ratio(omega, dt, n), 1e-12) << n;
  }
}

TEST(PrintedWeighting, HasTheWorkedOvershootsAndIsRightForEqualMassesOrGradients) {
  EXPECT_NEAR(vertex_triangle_overshoot({1. / 3, 1. / 3, 1. / 3}, 0, 1), 3.0, 1e-14);
  EXPECT_NEAR(vertex_triangle_overshoot({0.5, 0.5, 0}, 0, 1), 8.0 / 3, 1e-14);
  EXPECT_NEAR(vertex_triangle_overshoot({1, 0, 0}, 0, 1), 2.0, 1e-14);
  EXPECT_NEAR(vertex_triangle_overshoot({1. / 3, 1. / 3, 1. / 3}, 1, 0), 1.0 / 3, 1e-14);
  EXPECT_NEAR(printed_overshoot(std::array{0.2, 5.0}, std::array{1.0, 1.0}), 1.0, 1e-14);
  EXPECT_NEAR(printed_overshoot(std::array{2.0, 2.0, 2.0}, std::array{0.3, 1.0, 7.0}), 1.0, 1e-14);
  EXPECT_THROW(printed_overshoot(std::array{0.0, 0.0}, std::array{1.0, 1.0}), std::domain_error);
}
