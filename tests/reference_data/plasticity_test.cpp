// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of the creep rule against the rule itself, stepped here, and against small-step limits.
#include "reference_data/closed_forms/plasticity.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tests/reference_data/oracles.hpp"

using namespace deformbench::references;

namespace {

constexpr double kNoCap = 1e9;

/// [MG04] §3, word for word, for one component.
double stepped(double total, double plastic, const Creep& c, double dt) {
  const double elastic = total - plastic;
  if (std::abs(elastic) > c.yield) plastic += dt * c.rate * elastic;
  if (std::abs(plastic) > c.cap) plastic *= c.cap / std::abs(plastic);
  return plastic;
}

oracle::Matrix sheared(double shear, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const oracle::Matrix turn{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  const oracle::Matrix strain{{{0, shear / 2, 0}, {shear / 2, 0, 0}, {0, 0, 0}}};
  return oracle::times(oracle::times(turn, strain), oracle::transpose(turn));
}

}  // namespace

TEST(HeldStrain, StopsAfterTheWorkedNumberOfStepsWithTheWorkedResidual) {
  struct Row {
    double rate;
    long steps;
    double residual, time;
  };
  for (const Row& row :
       {Row{1, 161, .019827, 1.609}, Row{10, 16, .018530, .1609}, Row{50, 3, .0125, .0322}, Row{100, 1, 0, .0161}}) {
    const Creep creep{0.02, row.rate, kNoCap};
    EXPECT_EQ(held_flow_steps(creep, 0.1, 0.01), row.steps);
    EXPECT_NEAR(held_elastic_strain(creep, 0.1, 0.01, 1000), row.residual, 5e-7);  // printed digits
    EXPECT_NEAR(std::log(5.0) / row.rate, row.time, 5.1e-4 / row.rate * 10);
  }
}

TEST(HeldStrain, IsTheSteppedRuleWithAndWithoutACap) {
  for (const double rate : {1.0, 10.0, 50.0, 100.0})
    for (const double cap : {kNoCap, 0.05}) {
      const Creep creep{0.02, rate, cap};
      double plastic = 0;
      for (long n = 1; n <= 300; ++n) {
        plastic = stepped(0.1, plastic, creep, 0.01);
        ASSERT_NEAR(held_elastic_strain(creep, 0.1, 0.01, n), 0.1 - plastic, 1e-14) << rate << " " << cap << " " << n;
      }
    }
}

TEST(HeldStrain, DoesNotFlowBelowTheYield) {
  const Creep creep{0.02, 10, kNoCap};
  EXPECT_EQ(held_flow_steps(creep, 0.02, 0.01), 0);
  EXPECT_EQ(held_elastic_strain(creep, 0.02, 0.01, 50), 0.02);
  EXPECT_EQ(held_elastic_strain_continuous(creep, 0.02, 5.0), 0.02);
}

TEST(HeldStrain, ExponentialFlowDoesNotDependOnTheTimeStepWhilePrintedFlowConvergesAtFirstOrder) {
  const double time = 0.08, exact = held_elastic_strain_continuous({0.02, 10, kNoCap}, 0.1, time);
  EXPECT_NEAR(exact, 0.1 * std::exp(-0.8), 1e-15);
  double error = 0;
  for (const double dt : {0.02, 0.01, 0.005}) {
    const long n = std::lround(time / dt);
    EXPECT_NEAR(held_elastic_strain({0.02, 10, kNoCap, FlowRate::Exponential}, 0.1, dt, n), exact, 1e-14);
    const double now = std::abs(held_elastic_strain({0.02, 10, kNoCap}, 0.1, dt, n) - exact);
    if (error > 0) {
      EXPECT_GT(error / now, 1.8);
      EXPECT_LT(error / now, 2.3);
    }
    error = now;
  }
}

TEST(HeldStrain, RadialReturnEndsOnTheYieldSurfaceInOneStepWhateverTheRate) {
  for (const double rate : {1.0, 100.0}) {
    const Creep creep{0.02, rate, kNoCap, FlowRate::RadialReturn};
    EXPECT_EQ(held_flow_steps(creep, 0.1, 0.01), 1);
    EXPECT_EQ(held_elastic_strain(creep, 0.1, 0.01, 1), 0.02);
  }
  EXPECT_NEAR(held_elastic_strain({0.02, 1, 0.05, FlowRate::RadialReturn}, 0.1, 0.01, 9), 0.05, 1e-16);
}

TEST(HeldStrain, RefusesToGoBeyondTheRangeThatThePaperGives) {
  EXPECT_THROW(held_flow_steps({0.02, 150, kNoCap}, 0.1, 0.01), std::domain_error);
  EXPECT_NO_THROW(held_flow_steps({0.02, 150, kNoCap, FlowRate::Exponential}, 0.1, 0.01));
}

TEST(ConstantLoad, FlowsLinearlyUntilTheCap) {
  const Creep creep{0.01, 20, 0.3};
  EXPECT_NEAR(constant_load_plastic_strain(creep, 0.1, 0.15), 0.3, 1e-15);
  EXPECT_NEAR(constant_load_plastic_strain(creep, 0.1, 0.075), 0.15, 1e-15);
  EXPECT_EQ(constant_load_plastic_strain(creep, 0.01, 5), 0);
  double plastic = 0;  // the rule, with the total strain carried along
  for (int n = 1; n <= 30; ++n) {
    plastic = stepped(0.1 + plastic, plastic, creep, 0.01);
    EXPECT_NEAR(plastic, constant_load_plastic_strain(creep, 0.1, 0.01 * n), 1e-14);
  }
}

TEST(ConstantRate, IsTheLimitOfTheSteppedRule) {
  const Creep creep{0.01, 20, 0.4};
  double error = 0;
  for (const int steps : {2000, 4000, 8000}) {
    const double dt = 1.0 / steps;
    double plastic = 0, worst = 0;
    for (int n = 1; n <= steps; ++n) {
      plastic = stepped(1.0 * n * dt, plastic, creep, dt);
      worst = std::fmax(worst, std::abs(n * dt - plastic - constant_rate_elastic_strain(creep, 1.0, n * dt)));
    }
    if (error > 0) {
      EXPECT_NEAR(error / worst, 2.0, 0.3);
    }
    error = worst;
  }
  EXPECT_LT(error, 3e-3 * 0.05);
  EXPECT_NEAR(constant_rate_elastic_strain({0.01, 20, kNoCap}, 1.0, 3.0), 0.05, 1e-12);  // r / c
  EXPECT_NEAR(constant_rate_elastic_strain(creep, 1.0, 1.0), 0.6, 1e-12);                // all beyond the cap
}

TEST(Dissipation, IsTheWorkOfTheMeanStressOnThePlasticStrain) {
  const double modulus = 7.0, e0 = 0.1;
  for (const double rate : {10.0, 50.0, 100.0, 150.0}) {
    const Creep creep{0.0, rate, kNoCap};
    const double e1 = e0 * (1 - 0.01 * rate), work = modulus * (e0 + e1) / 2 * (e0 - e1);
    EXPECT_NEAR(dissipated_share(creep, 0.01), work / (modulus * e0 * e0 / 2), 1e-14);
    EXPECT_GT(dissipated_share(creep, 0.01), 0);
  }
  EXPECT_LT(dissipated_share({0, 250, kNoCap}, 0.01), 0);  // beyond cΔt = 2 energy is made
}

TEST(YieldNorm, OfTheSixVectorChangesByRootTwoBetween0And45DegreesAndFrobeniusNotAtAll) {
  EXPECT_NEAR(engineering_norm_of_shear(0.3, 0), 0.3, 1e-15);
  EXPECT_NEAR(engineering_norm_of_shear(0.3, std::numbers::pi / 4), 0.3 / std::sqrt(2.0), 1e-15);
  for (double angle = 0; angle < 3; angle += 0.1) {
    const oracle::Matrix e = sheared(0.3, angle);
    const double six = std::sqrt(e[0][0] * e[0][0] + e[1][1] * e[1][1] + e[2][2] * e[2][2] + 4 * e[0][1] * e[0][1] +
                                 4 * e[1][2] * e[1][2] + 4 * e[2][0] * e[2][0]);
    EXPECT_NEAR(engineering_norm_of_shear(0.3, angle), six, 1e-15);
    EXPECT_NEAR(std::sqrt(oracle::trace(oracle::times(e, e))), 0.3 / std::sqrt(2.0), 1e-15);
  }
}

TEST(CreepingBar, HasTheWorkedValuesWithBothSignsWithAndWithoutTheDamper) {
  struct Row {
    int sign;
    double damping, held, residual, tolerance;
  };
  for (const Row& row : {Row{1, 2, 0.400, 0.300, 1e-12}, Row{-1, 2, 0.050, -1.268e-5, 5e-9},
                         Row{1, 0, 0.400, 0.28845, 5e-6}, Row{-1, 0, 0.05145, -1.39e-3, 5e-6}}) {
    CreepingBar bar;
    bar.plastic_sign = row.sign;
    bar.damping = row.damping;
    EXPECT_NEAR(creeping_bar(bar, 100).position, row.held, row.sign > 0 ? 1e-12 : 2e-5)
        << row.sign << " " << row.damping;
    EXPECT_NEAR(creeping_bar(bar, 400).position, row.residual, row.tolerance) << row.sign << " " << row.damping;
  }
}

TEST(CreepingBar, RestsWhereThePlasticStrainSaysOrAtItsNegativeWithTheListingsSign) {
  for (const int sign : {1, -1}) {
    CreepingBar bar;
    bar.plastic_sign = sign;
    const BarState end = creeping_bar(bar, 1000);
    EXPECT_NEAR(end.velocity, 0, 1e-12);
    EXPECT_NEAR(end.position, sign * end.plastic_strain, 1e-12);
  }
}

TEST(CreepingBar, WithoutFlowIsTheImplicitOscillator) {
  CreepingBar bar;
  bar.creep.yield = 1e9;
  bar.damping = 0;
  double x = 0, v = 0;
  for (int n = 1; n <= 50; ++n) {
    // The whole step as one 2×2 linear system, solved by Cramer's rule: v⁺ + (Δt k/m) x⁺ = v + Δt F/m, x⁺ − Δt v⁺ = x.
    const double a = 0.01 * 100 / 0.01, rhs = v + 0.01 * 10 / 0.01, det = 1 + a * 0.01;
    const double next_v = (rhs - a * x) / det;
    x = (x + 0.01 * rhs) / det;
    v = next_v;
    EXPECT_NEAR(creeping_bar(bar, n).position, x, 1e-13);
  }
}

TEST(CreepingBar, AnotherOrderOfTheLoopGivesAnotherMotion) {
  CreepingBar bar, other;
  other.force_before_flow = true;
  double largest = 0;
  for (long n = 1; n < 100; ++n)
    largest = std::fmax(largest, std::abs(creeping_bar(bar, n).position - creeping_bar(other, n).position));
  EXPECT_GT(largest, 1e-3);
}
