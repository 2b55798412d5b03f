// SPDX-License-Identifier: BSD-3-Clause
// Hanging chain, pendulum, slope: against worked numbers, balance of forces and integration.
#include "reference_data/closed_forms/hanging_and_sliding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "reference_data/closed_forms/registry.hpp"

using namespace deformbench::references;

TEST(HungChain, HasTheWorkedSagsAndForces) {
  struct Row {
    double length, sag, force;
  };
  for (const Row& row : {Row{1.1, .200301, .595422}, Row{1.25, .331797, .338202}, Row{1.5, .502633, .205491},
                         Row{2, .796388, .114820}}) {
    const HungChain chain = catenary(row.length, 1);
    EXPECT_NEAR(chain.sag, row.sag, 5e-7);
    EXPECT_NEAR(chain.horizontal_force, row.force, 5e-7);
  }
  EXPECT_NEAR(linked_chain(1.5, 1, 10).sag, .505946, 5e-7);
  EXPECT_NEAR(linked_chain(1.5, 1, 20).sag, .503447, 5e-7);
  EXPECT_NEAR(linked_chain(1.5, 1, 40).sag, .502836, 5e-7);
}

TEST(HungChain, LinksTendToTheCatenaryAtSecondOrder) {
  const HungChain smooth = catenary(1.5, 1);
  double sag_error = 0, force_error = 0;
  for (const int links : {50, 100, 200}) {
    const HungChain chain = linked_chain(1.5, 1, links);
    // Its weight is that of the inner joints: W (N − 1)/N of the chain's.
    const double sag = chain.sag - smooth.sag,
                 force = chain.horizontal_force * (links - 1) / links - smooth.horizontal_force;
    if (sag_error != 0) {
      EXPECT_NEAR(sag_error / sag, 4.0, 0.1);
      EXPECT_NEAR(force_error / force, 4.0, 0.1);
    }
    sag_error = sag, force_error = force;
  }
}

TEST(HungChain, SagAndForceKeepTheSameBalanceAtEveryScale) {
  for (const double scale : {0.01, 7.0})
    EXPECT_NEAR(catenary(1.3 * scale, scale).sag, scale * catenary(1.3, 1).sag, 1e-12 * scale);
  for (const double length :
       {1.05, 1.5, 3.0}) {  // half the weight hangs on each end: tan of the end slope = 1/2H, and dy/dx = sinh
    const HungChain chain = catenary(length, 1);
    EXPECT_NEAR(std::sinh(1 / (2 * chain.horizontal_force * length)), 1 / (2 * chain.horizontal_force), 1e-9);
  }
  const HungChain two = linked_chain(1.5, 1, 2);  // a V
  EXPECT_NEAR(two.sag, std::sqrt(0.75 * 0.75 - 0.25), 1e-12);
  EXPECT_NEAR(two.horizontal_force, 0.5 * 0.5 / two.sag, 1e-12);
}

TEST(HungChain, RefusesWhatCannotHang) {
  EXPECT_THROW(catenary(1, 1), std::domain_error);
  EXPECT_THROW(linked_chain(3.5, 1, 3), std::domain_error);
  EXPECT_THROW(find("hung_chain").evaluate({{"length_m", 0.9}}), ReferenceError);
}

TEST(Pendulum, PeriodIsThatOfTheIntegratedSwing) {
  for (const double degrees : {10.0, 60.0, 120.0}) {
    const double start = degrees * std::numbers::pi / 180, dt = 1e-4;
    double angle = start, rate = 0, time = 0;  // ω0 = 1; Runge–Kutta to the lowest point, a quarter of the period
    while (angle > 0) {
      const auto f = [](double a, double r) { return std::array{r, -std::sin(a)}; };
      const auto k1 = f(angle, rate), k2 = f(angle + dt / 2 * k1[0], rate + dt / 2 * k1[1]),
                 k3 = f(angle + dt / 2 * k2[0], rate + dt / 2 * k2[1]), k4 = f(angle + dt * k3[0], rate + dt * k3[1]);
      angle += dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
      rate += dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
      time += dt;
    }
    time -= angle / rate;
    EXPECT_NEAR(4 * time / (2 * std::numbers::pi), pendulum_period_ratio(start), 1e-8);
  }
  EXPECT_NEAR(pendulum_period_ratio(0), 1.0, 1e-15);
}

TEST(Slope, HasTheWorkedAccelerationAndStop) {
  const double slope = std::numbers::pi / 6;
  EXPECT_NEAR(slope_acceleration(slope, 0.5, 9.81), .65715, 5e-6);
  EXPECT_NEAR(slope_stop_distance(slope, 0.6, 9.81, 2), 10.39, 5e-3);
  EXPECT_NEAR(slope_stop_distance(0, 0.5, 9.81, 3), 9 / (2 * 0.5 * 9.81), 1e-14);
  EXPECT_TRUE(std::isinf(slope_stop_distance(slope, 0.5, 9.81, 2)));
  EXPECT_EQ(find("sliding_particle").evaluate({{"friction", 0.58}}).at(1).value, 1.0);  // tan 30° = 0.577
  EXPECT_EQ(find("sliding_particle").evaluate({{"friction", 0.57}}).at(1).value, 0.0);
  EXPECT_EQ(bounce_height_ratio(0.5), 0.25);
}
