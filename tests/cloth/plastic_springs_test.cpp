// SPDX-License-Identifier: BSD-3-Clause
// Flow, creep and fracture of one spring against closed forms: [B05] §15, [B05] §16.
#include "methods/cloth/elements/plastic_springs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace deformbench::cloth {
namespace {

constexpr double kLength = 0.4;  // m

/// One spring that is brought to a strain at a time.
struct Driven {
  explicit Driven(const PlasticLaw& law) : springs{{{0, 1}, kLength, 250.0}}, history(springs, law) {}
  void strain(double value, double h = 0.01) {
    Points x = Points::Zero(2, 3);
    x(1, 0) = kLength * (1.0 + value);
    history.advance(x, h, springs);
    total = value;
  }
  double plastic() const { return springs[0].rest_length / kLength - 1.0; }
  double stress() const { return springs[0].stiffness == 0.0 ? 0.0 : total - plastic(); }

  std::vector<Spring> springs;
  PlasticSprings history;
  double total = 0.0;
};

TEST(PlasticSprings, KeepTheirRestLengthToTheBitBelowBothYieldStresses) {
  Driven spring({0.05, 0.03, 0.2});
  for (double strain : {0.049, -0.029, 0.02, 0.0499}) spring.strain(strain);
  EXPECT_EQ(spring.springs[0].rest_length, kLength);
}

TEST(PlasticSprings, HardenWithTheSlopeOfBothModuliInSeries) {
  Driven spring({0.05, 0.05, 0.2});
  spring.strain(0.11);
  EXPECT_NEAR(spring.stress(), 0.05 + 0.06 * 0.2 / 1.2, 1e-15);
  EXPECT_NEAR(spring.plastic(), 0.06 / 1.2, 1e-15);
}

TEST(PlasticSprings, YieldInCompressionByTheirOwnStress) {
  Driven spring({0.05, 0.02, 0.0});
  spring.strain(-0.1);
  EXPECT_NEAR(spring.stress(), -0.02, 1e-15);
  spring.strain(0.1);
  EXPECT_NEAR(spring.stress(), 0.05, 1e-15);
}

TEST(PlasticSprings, HardenWithAllFlowWhateverItsSign) {
  Driven spring({0.05, 0.05, 0.5});
  double flow = 0.0, stress = 0.0, before = 0.0;
  for (double strain : {0.15, -0.15, 0.15, -0.15}) {
    spring.strain(strain);
    const double trial = stress + strain - before;
    const double over = std::abs(trial) - 0.05 - 0.5 * flow;
    flow += over / 1.5;
    stress = std::copysign(0.05 + 0.5 * flow, trial);
    before = strain;
    EXPECT_NEAR(spring.stress(), stress, 1e-14);
  }
}

TEST(PlasticSprings, CreepByAShareOfTheElasticStretchInEveryStep) {
  PlasticLaw law;
  law.creep_rate = 2.0;
  Driven spring(law);
  for (int n = 1; n <= 50; ++n) {
    spring.strain(0.1, 0.05);
    EXPECT_NEAR(spring.stress(), 0.1 * std::pow(0.9, n), 1e-15);
  }
}

TEST(PlasticSprings, BreakByTheStressThatFlowLeaves) {
  PlasticLaw brittle;
  brittle.fracture = 0.09;
  Driven glass(brittle);
  glass.strain(0.0899);
  EXPECT_GT(glass.springs[0].stiffness, 0.0);
  glass.strain(0.0901);
  EXPECT_EQ(glass.springs[0].stiffness, 0.0);
  // σ_f is reached at ε = σ_f/E + (σ_f − σ_y)/H, far beyond the strain at which glass breaks.
  Driven ductile({0.05, 0.05, 0.2, 0.0, 0.09});
  ductile.strain(0.2899);
  EXPECT_GT(ductile.springs[0].stiffness, 0.0);
  ductile.strain(0.2901);
  EXPECT_EQ(ductile.springs[0].stiffness, 0.0);
  Driven perfect({0.05, 0.05, 0.0, 0.0, 0.09});
  perfect.strain(5.0);
  EXPECT_GT(perfect.springs[0].stiffness, 0.0) << "without hardening the stress never reaches that of fracture";
}

TEST(PlasticSprings, DoNotBreakInCompressionNorMendWhenBroken) {
  PlasticLaw brittle;
  brittle.fracture = 0.09;
  Driven glass(brittle);
  glass.strain(-0.5);
  EXPECT_GT(glass.springs[0].stiffness, 0.0);
  glass.strain(0.1);
  glass.strain(0.0);
  EXPECT_EQ(glass.springs[0].stiffness, 0.0);
}

}  // namespace
}  // namespace deformbench::cloth
