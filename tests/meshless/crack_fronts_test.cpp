// SPDX-License-Identifier: BSD-3-Clause
// Fronts that advance, end on surfaces, split, merge and snap, in given stresses. [PKAGDG05] §3.2, §3.3
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

TEST(LargestPrincipalStress, IsTheLargestTensionNotTheLargestMagnitude) {
  const Matrix3 stress = Vector3(1.0, -3.0, 0.5).asDiagonal();
  const PrincipalStress found = largest_principal_stress(stress);
  EXPECT_DOUBLE_EQ(found.value, 1.0);
  EXPECT_NEAR(std::abs(found.direction[0]), 1.0, 1e-12);
}

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

TEST(CrackFronts, ANewCrackHasThreeNodesWithTwoSurfelsEach) {
  for (const double depth : {0.0, 0.04, 0.05, 0.06, 0.5}) {
    CrackSystem cracks(ball(1.0), options(0.1));
    const Vector3 n = Vector3(1.0, 2.0, 0.5).normalized();
    ASSERT_TRUE(cracks.initiate({0.0, 0.0, 1.0 - depth}, n));
    ASSERT_EQ(cracks.fronts().size(), 1u);
    const std::vector<CrackNode>& nodes = cracks.fronts()[0].nodes;
    ASSERT_EQ(nodes.size(), 3u) << depth;
    ASSERT_EQ(cracks.surfels().size(), 6u);
    for (std::size_t k = 0; k < 3; ++k) {
      const CrackSurfel &one = cracks.surfels()[2 * k], &other = cracks.surfels()[2 * k + 1];
      EXPECT_EQ(one.position, nodes[k].position);
      EXPECT_EQ(other.position, one.position);
      EXPECT_NEAR(std::abs(one.normal.dot(n)), 1.0, 1e-12);
      EXPECT_EQ(other.normal, -one.normal);
      EXPECT_EQ(other.sheet, -one.sheet);
    }
  }
}

TEST(CrackFronts, NeighboursStayWithinASurfelAndSurfelsCoverWhatIsSwept) {
  CrackSystem cracks(ball(10.0), options(0.05));
  ASSERT_TRUE(cracks.initiate(Vector3::Zero(), Vector3::UnitZ()));
  const UniformStress tension(1.0, Vector3::UnitZ());
  for (int k = 0; k < 24; ++k) cracks.step(0.025, tension);
  ASSERT_EQ(cracks.fronts().size(), 1u);
  const std::vector<CrackNode>& nodes = cracks.fronts()[0].nodes;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const double gap = (nodes[(k + 1) % nodes.size()].position - nodes[k].position).norm();
    EXPECT_LE(gap, 0.05 * (1 + 1e-12)) << k;
    EXPECT_GE(gap, 0.0125 * (1 - 1e-12)) << k;
  }
  numerics::RandomStream random(5);
  for (int k = 0; k < 4000; ++k) {
    const Vector3 x(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0.0);
    if (x.norm() > 0.6) continue;
    const auto covers = [&](const Vector3& place) { return (place - x).norm() <= 0.05; };
    EXPECT_TRUE(std::any_of(cracks.surfels().begin(), cracks.surfels().end(),
                            [&](const CrackSurfel& surfel) { return covers(surfel.position); }) ||
                std::any_of(nodes.begin(), nodes.end(), [&](const CrackNode& node) { return covers(node.position); }))
        << x.transpose();
  }
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

TEST(CrackFronts, APennyInAStressThatTurnsStaysOneFront) {
  class Turning final : public StressField {
   public:
    Matrix3 stress(const Vector3& x) const override {
      const Vector3 v = Eigen::AngleAxisd(0.8 * x[0], Vector3::UnitY()) * Vector3::UnitZ();
      return v * v.transpose();
    }
    double threshold(const Vector3&) const override { return 0.0; }
  };
  CrackOptions chosen = options(0.05);
  CrackSystem cracks(ball(2.0), chosen);
  std::vector<Vector3> nodes;
  for (int k = 0; k < 12; ++k)
    nodes.push_back({0.1 * std::cos(k * std::numbers::pi / 6), 0.1 * std::sin(-k * std::numbers::pi / 6), 0.0});
  const std::vector<Vector3> centre{Vector3::Zero()};
  cracks.add_front(nodes, true, Vector3::UnitZ(), centre);
  for (int k = 0; k < 15; ++k) {
    cracks.step(0.05, Turning{});
    expect_legal(cracks, "step " + std::to_string(k));
  }
  ASSERT_EQ(cracks.fronts().size(), 1u);
  EXPECT_TRUE(cracks.fronts()[0].is_closed);
  EXPECT_EQ(cracks.events().size(), 1u);
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

/// Every front in the tension across its own crack: cracks keep to their planes, whatever these are.
class PlanesOfFronts final : public StressField {
 public:
  explicit PlanesOfFronts(const CrackSystem& cracks) : cracks_(cracks) {}
  Matrix3 stress(const Vector3& x) const override {
    for (const AdvancingFront& front : cracks_.fronts())
      for (const CrackNode& node : front.nodes)
        if (node.position == x) return node.normal * node.normal.transpose();
    return Matrix3::Zero();
  }
  double threshold(const Vector3&) const override { return 0.0; }

 private:
  const CrackSystem& cracks_;
};

TEST(CrackFronts, RandomCracksInABlockStayLegal) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    numerics::RandomStream random(seed);
    CrackOptions chosen = options(0.1);
    chosen.snapping = seed % 2 == 0;
    chosen.history = 1.0;
    CrackSystem cracks(block({1, 0.8, 0.6}), chosen);
    for (int k = 0; k < 4; ++k)
      cracks.initiate({random.uniform(-1, 1), random.uniform(-0.8, 0.8), random.uniform(-0.6, 0.6)},
                      random.direction());
    const PlanesOfFronts field(cracks);
    for (int k = 0; k < 60 && !cracks.fronts().empty(); ++k) {
      cracks.step(0.05, field);
      const std::string where = "seed " + std::to_string(seed) + " step " + std::to_string(k);
      expect_legal(cracks, where);
      EXPECT_FALSE(cracks.fault_of_any().has_value()) << where;
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(count(cracks, CrackEventKind::Forced), 0) << "seed " << seed;
  }
}

TEST(CrackFronts, ASurfaceCrackBecomesTwoAtACavityAndOneBehindIt) {
  const auto outside = std::make_shared<SphereSheet>(Vector3::Zero(), 1.0);
  const auto cavity = std::make_shared<SphereSheet>(Vector3::Zero(), 0.12, true);
  CrackSystem cracks(CrackBody({outside, cavity}), options(0.04));
  std::vector<Vector3> nodes, base;
  for (int k = 0; k <= 40; ++k) {
    nodes.push_back({0.6, -0.8 + 0.04 * k, 0.0});
    base.push_back(nodes.back() + Vector3(0.4, 0.0, 0.0));
  }
  cracks.add_front(nodes, false, (nodes.back() - nodes.front()).cross(Vector3(-1, 0, 0)), base);
  const UniformStress tension(1.0, Vector3::UnitZ());
  std::vector<std::size_t> fronts;
  for (int k = 0; k < 60; ++k) {
    cracks.step(0.015, tension);
    expect_legal(cracks, "step " + std::to_string(k));
    if (fronts.empty() || fronts.back() != cracks.fronts().size()) fronts.push_back(cracks.fronts().size());
  }
  EXPECT_EQ(fronts, (std::vector<std::size_t>{1, 2, 1}));
  EXPECT_EQ(count(cracks, CrackEventKind::Split), 1);
  EXPECT_EQ(count(cracks, CrackEventKind::Merge), 1);
  EXPECT_EQ(count(cracks, CrackEventKind::Forced), 0);
}

TEST(CrackFronts, WhatIsTakenBackLeavesNoTrace) {
  SweptArea area(0.1);
  const int a = area.add_vertex({0, 0, 0}), b = area.add_vertex({0.3, 0, 0}), c = area.add_vertex({0, 0.3, 0});
  area.add_triangle(a, b, c, 0);
  const SweptArea::Mark mark = area.mark();
  const int d = area.add_vertex({0.3, 0.3, 0});
  area.add_triangle(b, d, c, 0);
  const auto any = [](int) { return true; };
  EXPECT_TRUE(area.first_hit({0.25, 0.25, -0.1}, {0.25, 0.25, 0.1}, any).has_value());
  area.undo(mark);
  EXPECT_EQ(area.triangles().size(), 1u);
  EXPECT_EQ(area.vertices().size(), 3u);
  EXPECT_FALSE(area.first_hit({0.25, 0.25, -0.1}, {0.25, 0.25, 0.1}, any).has_value());
  EXPECT_TRUE(area.first_hit({0.1, 0.1, -0.1}, {0.1, 0.1, 0.1}, any).has_value());
}

TEST(CrackFronts, ACrackIsNotBornWhereAnotherFrontIs) {
  CrackSystem cracks(ball(1.0), options(0.1));
  ASSERT_TRUE(cracks.initiate(Vector3::Zero(), Vector3::UnitZ()));
  const Vector3 corner = cracks.fronts()[0].nodes[0].position, next = cracks.fronts()[0].nodes[1].position;
  const std::size_t triangles = cracks.area().triangles().size();
  // Its triangle would go through an edge of the first.
  EXPECT_FALSE(cracks.initiate(0.5 * (corner + next) + Vector3(0, 0, 0.002), (next - corner).normalized()));
  EXPECT_EQ(cracks.fronts().size(), 1u);
  EXPECT_EQ(cracks.area().triangles().size(), triangles);
  EXPECT_EQ(cracks.crack_count(), 1);
}

TEST(CrackState, AnIllegalChangeIsRolledBackCompletely) {
  CrackState state(ball(1.0), options(0.1));
  const auto add_front = [&](double length) {
    AdvancingFront front;
    front.is_closed = true;
    for (const Vector3& x : {Vector3(0, 0, 0), Vector3(0.1, 0, 0), Vector3(0, length, 0)})
      front.nodes.push_back(state.new_node(x, 0));
    state.add_surfels(front, state.add_crack());
    state.fronts().push_back(front);
  };
  EXPECT_FALSE(state.attempt([&] { add_front(1.5); }));  // its last node is outside
  EXPECT_TRUE(state.fronts().empty() && state.surfels().empty() && state.area().vertices().empty());
  EXPECT_TRUE(state.attempt([&] { add_front(0.3); }));
  EXPECT_EQ(state.crack_count(), 1);
  EXPECT_EQ(state.fronts()[0].nodes[0].id, 0);
  FrontResampling(state).resample(state.fronts()[0]);  // alone: edges are longer than a radius
  EXPECT_GT(state.fronts()[0].nodes.size(), 5u);
}

}  // namespace deformbench::meshless::tests
