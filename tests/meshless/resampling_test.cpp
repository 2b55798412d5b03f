// SPDX-License-Identifier: BSD-3-Clause
// Nodes that are split where there are too few around them. [PKAGDG05] §4
#include "methods/meshless/sampling/resampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/facets.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::meshless {
namespace {

const IsAllowed kAnywhere = [](const Vector3&, const Vector3&) { return true; };

SampledNodes one_node(double support = 0.4, double mass = 0.7) {
  SampledNodes nodes;
  nodes.positions.resize(1, 3);
  nodes.positions << 0.1, -0.2, 0.3;
  nodes.supports = {support};
  nodes.masses = {mass};
  return nodes;
}

Resampled split_one(double sum, const ResamplingOptions& options, const IsAllowed& is_allowed = kAnywhere,
                    std::uint64_t seed = 1) {
  numerics::RandomStream random(seed);
  return resample(one_node(), {sum}, options, is_allowed, random);
}

TEST(SharesOf, SumToTheMassToTheBitInAnyOrder) {
  numerics::RandomStream random(4);
  for (int k = 0; k < 1000; ++k) {
    const double mass = std::exp(random.uniform(-20, 20));
    const int parts = 1 + int(random.below(15));
    std::vector<double> shares = shares_of(mass, parts);
    ASSERT_EQ(int(shares.size()), parts);
    for (int turn = 0; turn < parts; ++turn) {
      ASSERT_EQ(std::accumulate(shares.begin(), shares.end(), 0.0), mass) << parts;
      std::rotate(shares.begin(), shares.begin() + 1, shares.end());
    }
    for (const double share : shares) ASSERT_NEAR(share, mass / parts, 1e-14 * mass);
  }
}

TEST(Resampling, InsertsWhatIsMissingRoundedUp) {
  const ResamplingOptions options;
  const std::vector<std::pair<double, int>> cases{{9.0, 1}, {8.999, 2}, {7.5, 3}, {1.0, 9}, {9.9999, 1}};
  for (const auto& [sum, inserted] : cases) {
    const Resampled resampled = split_one(sum, options);
    ASSERT_EQ(resampled.splits.size(), 1u) << sum;
    EXPECT_EQ(resampled.splits[0].inserted, inserted) << sum;
    EXPECT_EQ(resampled.nodes.positions.rows(), 1 + inserted) << sum;
  }
  for (const double sum : {10.0, 10.5, 40.0}) EXPECT_TRUE(split_one(sum, options).splits.empty()) << sum;
}

TEST(Resampling, ReplacedNodesAreOneFewer) {
  const Resampled resampled = split_one(6.0, {.node = SplitNode::Replaced});
  EXPECT_EQ(resampled.splits[0].parts, 4);
  EXPECT_EQ(resampled.nodes.positions.rows(), 4);
  for (const double mass : resampled.nodes.masses) EXPECT_NEAR(mass, 0.7 / 4, 1e-15);
}

TEST(Resampling, DensityOfThePartsIsThatOfTheNode) {
  for (const SplitNode node : {SplitNode::Stays, SplitNode::Replaced}) {
    const Resampled resampled = split_one(6.0, {.node = node});
    const int parts = node == SplitNode::Stays ? 5 : 4;
    for (std::size_t k = 0; k < resampled.nodes.masses.size(); ++k) {
      EXPECT_NEAR(resampled.nodes.supports[k], 0.4 * std::pow(parts, -1.0 / 3), 1e-14);
      EXPECT_NEAR(resampled.nodes.masses[k] / std::pow(resampled.nodes.supports[k], 3), 0.7 / std::pow(0.4, 3), 1e-11);
    }
  }
  for (const double support : split_one(6.0, {.supports = SplitSupports::Kept}).nodes.supports) EXPECT_EQ(support, 0.4);
}

TEST(Resampling, BalancedPartsHaveTheirCentreAtTheNodeAndAreAllowed) {
  const Vector3 x(0.1, -0.2, 0.3);
  const IsAllowed is_allowed = [](const Vector3&, const Vector3& to) { return to.x() < 0.15 && to.z() > 0.25; };
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const double sum : {9.0, 8.0, 4.0, 1.0}) {
      const Resampled resampled = split_one(sum, {}, is_allowed, seed);
      ASSERT_EQ(resampled.splits.size(), 1u);
      const auto& positions = resampled.nodes.positions;
      EXPECT_LT((positions.colwise().mean().transpose() - x).norm(), 1e-15);
      for (Eigen::Index k = 0; k < positions.rows(); ++k) {
        EXPECT_LT((Vector3(positions.row(k)) - x).norm(), 0.4);
        EXPECT_TRUE(is_allowed(x, positions.row(k)));
      }
      if (sum < 9.0) EXPECT_EQ(Vector3(positions.row(0)), x);
    }
}

TEST(Resampling, AnywhereFillsTheWholeSupport) {
  double farthest = 0.0;
  int behind = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Resampled resampled = split_one(
        1.0, {.places = SplitPlaces::Anywhere}, [](const Vector3&, const Vector3&) { return false; }, seed);
    for (Eigen::Index k = 1; k < resampled.nodes.positions.rows(); ++k) {
      const Vector3 way = resampled.nodes.positions.row(k) - resampled.nodes.positions.row(0);
      farthest = std::max(farthest, way.norm());
      behind += way.norm() < 0.2;
    }
  }
  EXPECT_LT(farthest, 0.4);
  EXPECT_GT(farthest, 0.39);
  EXPECT_NEAR(behind / 360.0, 1.0 / 8, 0.06);  // uniform in the ball
}

TEST(Resampling, PartsSmallerThanAllowedAreNotMade) {
  const double parts = 5, limit = 0.4 * std::pow(parts, -1.0 / 3);
  EXPECT_EQ(split_one(6.0, {.least_support = 0.999 * limit}).splits.size(), 1u);
  const Resampled refused = split_one(6.0, {.least_support = 1.001 * limit});
  EXPECT_TRUE(refused.splits.empty());
  EXPECT_EQ(refused.too_small, std::vector<int>{0});
  EXPECT_EQ(refused.nodes.positions.rows(), 1);
}

/// A lattice of 6³ nodes in the unit cube, h = 1.6 spacings, cut through by the plane x = 0.5.
Scene cut_cube(bool is_cut) {
  Scene scene;
  scene.name = "cut_cube";
  scene.materials = {{1e5, 0.3, 1000.0}};
  scene.time_step = 1e-5;
  const int n = 6;
  auto& nodes = scene.particles;
  nodes.rest_positions.resize(n * n * n, 3);
  for (int k = 0; k < n * n * n; ++k)
    nodes.rest_positions.row(k) << (k % n + 0.5) / n, (k / n % n + 0.5) / n, (k / n / n + 0.5) / n;
  nodes.masses.setConstant(n * n * n, 1000.0 / (n * n * n));
  nodes.supports.setConstant(n * n * n, 1.6 / n);
  scene.initial_velocities.resize(n * n * n, 3);
  for (int k = 0; k < n * n * n; ++k)
    scene.initial_velocities.row(k) =
        Vector3(1, 2, 3) + Vector3(0.3, -0.5, 1.0).cross(Vector3(nodes.rest_positions.row(k)));
  for (int k = 0; k < n * n * n; k += n) scene.vertex_sets["face"].push_back(k);
  if (!is_cut) return scene;
  model::InitialCrack crack;
  crack.surface.positions.resize(4, 3);
  crack.surface.positions << 0.5, -1, -1, 0.5, 2, -1, 0.5, 2, 2, 0.5, -1, 2;
  crack.surface.triangles.resize(2, 3);
  crack.surface.triangles << 0, 1, 2, 0, 2, 3;
  scene.cracks = {crack};
  return scene;
}

MeshlessOptions resampled_options(Resampling where) {
  MeshlessOptions options;
  options.substeps = 1;
  options.resampling.where = where;
  return options;
}

struct Sums {
  double mass = 0.0;
  Vector3 momentum = Vector3::Zero(), angular = Vector3::Zero(), moment = Vector3::Zero();
};

Sums sums_of(const StateView& state) {
  Sums sums;
  for (Eigen::Index i = 0; i < state.positions.rows(); ++i) {
    const Vector3 x = state.positions.row(i), v = state.velocities.row(i);
    sums.mass += state.masses[i];
    sums.momentum += state.masses[i] * v;
    sums.moment += state.masses[i] * x;
    sums.angular += state.masses[i] * x.cross(v);
  }
  return sums;
}

TEST(NodeResampling, KeepsMassMomentaAndTheSceneInOrder) {
  const Scene scene = cut_cube(true);
  MeshlessSimulation simulation(scene, resampled_options(Resampling::Cracks));
  const auto& topology = facet_of<TopologyFacet>(simulation);
  const Sums start = sums_of(simulation.state());
  EXPECT_EQ(topology.topology_version(), 0);
  for (int step = 1; step <= 3; ++step) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
    const StateView state = simulation.state();
    ASSERT_EQ(state.positions.rows(), topology.current_scene().vertex_count());
    ASSERT_EQ(Eigen::Index(topology.parents().size()), state.positions.rows());
    ASSERT_NO_THROW(check_scene(topology.current_scene()));
    const Sums now = sums_of(state);
    EXPECT_NEAR(now.mass, start.mass, 1e-11 * start.mass);
    EXPECT_NEAR(topology.current_scene().particles.masses.sum(), 1000.0, 1e-10);
    EXPECT_LT((now.momentum - start.momentum).norm(), 1e-10 * start.momentum.norm());
    EXPECT_LT((now.angular - start.angular).norm(), 1e-10 * start.angular.norm());
    EXPECT_LT((now.moment - start.moment - 1e-5 * step * start.momentum).norm(), 1e-10 * start.moment.norm());
  }
  EXPECT_GT(simulation.state().positions.rows(), 216 + 20);
  EXPECT_GT(topology.topology_version(), 0);
  int in_face = 0, of_face = 0;
  const auto parents = topology.parents();
  for (const int parent : parents) of_face += parent % 6 == 0;
  in_face = int(topology.current_scene().vertex_sets.at("face").size());
  EXPECT_EQ(in_face, of_face);
  for (std::size_t k = 0; k < 216; ++k) EXPECT_EQ(parents[k], int(k));
}

TEST(NodeResampling, OnlyNodesAtACrackAreSplitUnlessAllAre) {
  for (const bool is_cut : {false, true}) {
    MeshlessSimulation simulation(cut_cube(is_cut), resampled_options(Resampling::Cracks));
    simulation.step();
    std::size_t splits = 0;
    for (const SimulationEvent& event : simulation.step_events()) {
      if (event.kind != "node_split") continue;
      ++splits;
      EXPECT_TRUE(event.code % 6 == 2 || event.code % 6 == 3) << event.code;  // the layers along the plane
    }
    EXPECT_EQ(splits > 0, is_cut);
  }
  MeshlessSimulation all(cut_cube(false), resampled_options(Resampling::All));
  all.step();
  std::size_t corners = 0;
  for (const SimulationEvent& event : all.step_events()) corners += event.kind == "node_split" && event.code == 0;
  EXPECT_EQ(corners, 1u);  // 7 nodes in the support of a corner
}

TEST(NodeResampling, TheCheckHoldsNoPairAgainstTheCracks) {
  std::vector<std::vector<int>> counts;
  for (const Resampling where : {Resampling::None, Resampling::Cracks, Resampling::All}) {
    MeshlessOptions options = resampled_options(where);
    options.resampling.rule.least_sum = 0.0;  // nothing is split
    MeshlessSimulation simulation(cut_cube(true), options);
    simulation.step();
    ASSERT_EQ(simulation.state().positions.rows(), 216);
    counts.push_back(simulation.array("weight_counts").integers);
  }
  ASSERT_EQ(counts[0].size(), 4u);
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[2], counts[0]);
}

TEST(NodeResampling, NewNodesFollowTheMotionAboutTheirNode) {
  Scene scene = cut_cube(true);
  const Matrix3 f = Vector3(1.1, 0.9, 1.05).asDiagonal();
  scene.initial_positions = scene.particles.rest_positions * f;
  scene.initial_velocities.setZero();
  MeshlessSimulation simulation(scene, resampled_options(Resampling::Cracks));
  simulation.step();
  const auto& topology = facet_of<TopologyFacet>(simulation);
  const Points moved = topology.current_scene().particles.rest_positions * f;
  ASSERT_GT(moved.rows(), 216 + 20);
  EXPECT_LT((Points(simulation.state().positions) - moved).rowwise().norm().maxCoeff(), 1e-4);  // what one step moves
}

}  // namespace
}  // namespace deformbench::meshless
