// SPDX-License-Identifier: BSD-3-Clause
// Fronts of cracks: topology, resampling, snapping. [PKAGDG05] §3.3
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "methods/numerics/random.hpp"
#include "tests/meshless/crack_fixture.hpp"

namespace deformbench::meshless::tests {
namespace {

int count(const CrackSystem& cracks, CrackEventKind kind) {
  return int(std::count_if(cracks.events().begin(), cracks.events().end(),
                           [&](const CrackEvent& event) { return event.kind == kind; }));
}

CrackOptions options(double r) {
  CrackOptions chosen;
  chosen.surfel_radius = r;
  return chosen;
}

/// Points of the plane z = 0 inside the body that a segment across it meets no swept area at.
int holes(const CrackSystem& cracks, double half, double tilt, std::uint64_t seed) {
  numerics::RandomStream random(seed);
  int missed = 0;
  for (int k = 0; k < 4000; ++k) {
    const Vector3 x(random.uniform(-half, half), random.uniform(-half, half), 0.0);
    const Vector3 across(tilt * random.normal(), tilt * random.normal(), 0.1);
    if (!cracks.body().contains(x) || !cracks.body().contains(x + across) || !cracks.body().contains(x - across))
      continue;
    if (!cracks.area().first_hit(x - across, x + across, [](int) { return true; })) ++missed;
  }
  return missed;
}

}  // namespace

TEST(CrackFronts, APennyOfThreeNodesGrowsToACircle) {
  CrackSystem cracks(ball(10.0), options(0.05));
  ASSERT_TRUE(cracks.initiate(Vector3::Zero(), Vector3::UnitZ()));
  const UniformStress tension(2.0, Vector3::UnitZ());
  for (int k = 0; k < 40; ++k) cracks.step(0.0125, tension);
  ASSERT_EQ(cracks.fronts().size(), 1u);
  double mean = 0.0, largest = 0.0, least = 1e9;
  for (const CrackNode& node : cracks.fronts()[0].nodes) {
    const double radius = node.position.norm();
    mean += radius / double(cracks.fronts()[0].nodes.size());
    largest = std::max(largest, radius);
    least = std::min(least, radius);
    EXPECT_NEAR(node.position[2], 0.0, 1e-12);
  }
  EXPECT_NEAR(mean, 1.025, 0.01);
  EXPECT_LT(largest / least, 1.03);
  expect_legal(cracks, "penny");
}

TEST(CrackFronts, APennyCutsABallThrough) {
  for (const bool snapping : {true, false}) {
    CrackOptions chosen = options(0.1);
    chosen.snapping = snapping;
    CrackSystem cracks(ball(1.0), chosen);
    ASSERT_TRUE(cracks.initiate({0.31, 0.02, 0.0}, Vector3::UnitZ()));
    const UniformStress tension(1.0, Vector3::UnitZ());
    for (int k = 0; k < 60; ++k) {
      cracks.step(0.05, tension);
      expect_legal(cracks, "step " + std::to_string(k));
    }
    EXPECT_TRUE(cracks.fronts().empty()) << snapping;
    EXPECT_EQ(holes(cracks, 1.0, 0.05, 3), 0);
    EXPECT_GE(count(cracks, CrackEventKind::Split), 1);
  }
}

TEST(CrackFronts, ASurfaceCrackCutsABlockThrough) {
  for (const bool snapping : {true, false}) {
    CrackOptions chosen = options(0.1);
    chosen.snapping = snapping;
    CrackSystem cracks(block({1, 0.6, 0.5}), chosen);
    ASSERT_TRUE(cracks.initiate({1, 0.1, 0.0}, Vector3::UnitZ()));
    ASSERT_EQ(cracks.fronts().size(), 1u);
    EXPECT_FALSE(cracks.fronts()[0].is_closed);
    EXPECT_EQ(cracks.fronts()[0].nodes.size(), 3u);
    const UniformStress tension(1.0, Vector3::UnitZ());
    for (int k = 0; k < 80; ++k) {
      cracks.step(0.05, tension);
      expect_legal(cracks, "step " + std::to_string(k));
    }
    EXPECT_TRUE(cracks.fronts().empty()) << snapping;
    EXPECT_EQ(holes(cracks, 1.0, 0.05, 3), 0);
  }
}

TEST(CrackFronts, TwoPenniesInOnePlaneMergeWhereTheyMeet) {
  CrackSystem cracks(ball(2.0), options(0.1));
  ASSERT_TRUE(cracks.initiate({0.5, 0.01, 0.0}, Vector3::UnitZ()));
  ASSERT_TRUE(cracks.initiate({-0.5, 0.0, 0.0}, -Vector3::UnitZ()));
  const UniformStress tension(1.0, Vector3::UnitZ());
  for (int k = 0; k < 20; ++k) {
    cracks.step(0.05, tension);
    expect_legal(cracks, "step " + std::to_string(k));
  }
  EXPECT_EQ(cracks.fronts().size(), 1u);
  EXPECT_EQ(count(cracks, CrackEventKind::Crossing), 1);
  for (int k = 0; k < 60; ++k) cracks.step(0.05, tension);
  EXPECT_TRUE(cracks.fronts().empty());
  EXPECT_EQ(holes(cracks, 2.0, 0.05, 3), 0);
}

}  // namespace deformbench::meshless::tests
