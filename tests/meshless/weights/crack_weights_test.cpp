// SPDX-License-Identifier: BSD-3-Clause
// Weights of pairs and shape functions beside cracks, updated as cracks grow. [PKAGDG05] eq. 1, §2.1, §3.2, §4, §5
#include "methods/meshless/weights/crack_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "methods/meshless/meshless_simulation.hpp"
#include "methods/meshless/nodes/kernels.hpp"
#include "methods/meshless/weights/front_scans.hpp"
#include "methods/meshless/weights/point_shape.hpp"
#include "tests/meshless/weights/crack_fixture.hpp"

namespace deformbench::meshless {
namespace {

constexpr Weights kRules[] = {Weights::Plain, Weights::Visibility, Weights::Transparency};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
template <class Matrix>
bool same_bits(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Matrix)) == 0;
}

TEST(WeightRule, IsThePublishedFormula) {
  for (const double opacity : {0.5, 1.0, 2.0})
    for (const double depth : {0.0, 0.1, 0.2, 0.6}) {
      const double h = 1.7, distance = 0.4, way = distance / h + std::pow(2.0 * depth / (opacity * h), 2);
      EXPECT_NEAR((WeightRule{Weights::Transparency, opacity}.weight(distance, h, depth)), mls_weight(way), 1e-15);
    }
  EXPECT_EQ((WeightRule{Weights::Visibility, 1.0}.weight(0.1, 1.0, 0.0)), 0.0);
  EXPECT_EQ((WeightRule{Weights::Plain, 1.0}.weight(0.5, 1.0, 0.3)), 0.3125);
  for (const Weights kind : kRules) EXPECT_EQ((WeightRule{kind, 1.0}.weight(0.5, 1.0, {})), 0.3125);
  EXPECT_EQ((WeightRule{Weights::Transparency, 1.0}.weight(0.1, 1.0, std::numeric_limits<double>::infinity())), 0.0);
}

TEST(WeightRule, ComesApartAtTheSeparatingDepth) {
  const WeightRule rule{Weights::Transparency, 1.5};
  for (const double ratio : {0.25, 0.5, 0.75}) {
    const double depth = rule.separating_depth(2.0) * std::sqrt(1.0 - ratio);
    EXPECT_GT(rule.weight(2.0 * ratio, 2.0, 0.999 * depth), 0.0);
    EXPECT_EQ(rule.weight(2.0 * ratio, 2.0, 1.001 * depth), 0.0);
  }
}

/// Every step of a growing crack against all weights anew, and gradients against those of a cloud that never knew less.
TEST(NeighbourGraph, UpdatesLeaveTheBitsOfAFullComputation) {
  for (const Weights kind : kRules)
    for (const double opacity : {1.0, 1.6}) {
      Scene scene = node_scene(5);
      scene.cracks = {strip(-0.3, 0.9), strip(-0.45, 0.7, 3, Vector3(0.3, 0.2, 1.0))};
      for (Eigen::Index i = 0; i < scene.vertex_count(); ++i) scene.particles.supports[i] *= 1.0 + 0.2 * double(i % 3);
      NodeCloud cloud = make_node_cloud(scene, {});
      const WeightRule rule{kind, opacity};
      CrackWeights weights(scene, rule, cloud);
      std::int64_t changed = 0, tested = 0;
      for (int step = 1; step <= 25; ++step) {
        weights.advance_to(0.04 * step);
        EXPECT_TRUE(same_bits(cloud.weights, weights_of_all_pairs(cloud, rule, weights.cracks()))) << step;
        changed += weights.graph().counts().changed;
        tested += weights.graph().counts().tested;
      }
      if (kind == Weights::Plain) {
        EXPECT_EQ(changed, 0);
        continue;
      }
      EXPECT_GT(changed, 1000);
      EXPECT_LT(tested, 25 * weights.graph().counts().pairs);  // supports are half of the block
      NodeCloud fresh = make_node_cloud(scene, {});
      NeighbourGraph graph(fresh, rule);
      graph.recompute(weights.cracks());
      EXPECT_TRUE(same_bits(cloud.gradients, fresh.gradients));
      EXPECT_TRUE(same_bits(cloud.inverse_moments, fresh.inverse_moments));
      EXPECT_EQ(cloud.ranks, fresh.ranks);
    }
}

TEST(NeighbourGraph, CountsWhatChangedAndNothingWithoutAnAdvance) {
  Scene scene = node_scene(6);
  scene.cracks = {strip(-0.2, 0.1)};
  NodeCloud cloud = make_node_cloud(scene, {});
  CrackWeights weights(scene, {}, cloud);
  const std::vector<double> before = cloud.weights;
  EXPECT_FALSE(weights.advance_to(0.0));
  EXPECT_EQ(weights.graph().counts().tested, 0);
  EXPECT_TRUE(weights.advance_to(1.0));
  std::int64_t changed = 0;
  std::set<int> nodes;
  for (std::size_t i = 0; i + 1 < cloud.first.size(); ++i)
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
      if (cloud.weights[p] != before[p]) {
        ++changed;
        nodes.insert(int(i));
      }
  const WeightCounts& counts = weights.graph().counts();
  EXPECT_EQ(counts.changed, changed);
  EXPECT_EQ(counts.nodes, std::int64_t(nodes.size()));
  EXPECT_GE(counts.tested, counts.changed);
  EXPECT_LT(counts.tested, counts.pairs);
  const auto told = weights.graph().changed_nodes();
  EXPECT_TRUE(std::equal(told.begin(), told.end(), nodes.begin(), nodes.end()));
}

TEST(NeighbourGraph, OmegaCountsNodesWithoutACrackAndFewerBesideOne) {
  Scene scene = node_scene(5);
  NodeCloud cloud = make_node_cloud(scene, {});
  const CrackWeights none(scene, {}, cloud);
  const std::vector<double> plain = none.graph().normalised_sums();
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(plain[i], 1.0 + double(cloud.first[i + 1] - cloud.first[i])) << i;
  scene.cracks = {strip(0.1, 0.0)};
  NodeCloud blocked = make_node_cloud(scene, {});
  const CrackWeights some(scene, {}, blocked);
  const std::vector<double> omega = some.graph().normalised_sums();
  int fewer = 0;
  for (std::size_t i = 0; i < omega.size(); ++i) {
    EXPECT_LE(omega[i], plain[i]);
    fewer += omega[i] < plain[i];
  }
  EXPECT_GT(fewer, 50);
}

/// A crack through the body leaves two parts without a pair between them, and a field that is affine in each has its
/// exact gradients.
TEST(CrackWeights, ACutLeavesTwoBodiesWithGradientsOfTheirOwn) {
  Scene scene = node_scene(7);
  scene.cracks = {strip(3.0, 0.0)};
  NodeCloud cloud = make_node_cloud(scene, {});
  const CrackWeights weights(scene, {}, cloud);
  const Vector3 normal = Vector3(0.1, 1.0, 0.3).normalized();
  const auto side = [&](Eigen::Index i) {
    return normal.dot(Vector3(cloud.rest.row(i)) - Vector3::Constant(0.5)) > 0.0;
  };
  Matrix3 upper, lower;
  upper << 1.1, 0.2, 0, 0, 0.9, 0.1, 0.3, 0, 1;
  lower << 0.8, 0, 0.1, 0.2, 1.2, 0, 0, 0.1, 1.05;
  Points x(cloud.size(), 3);
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    x.row(i) = (side(i) ? upper : lower) * Vector3(cloud.rest.row(i)) + (side(i) ? Vector3(0, 1, 0) : Vector3(0, 0, 0));
    for (std::size_t p = cloud.first[std::size_t(i)]; p < cloud.first[std::size_t(i) + 1]; ++p)
      EXPECT_EQ(cloud.weights[p] > 0.0, side(i) == side(cloud.neighbours[p]));
  }
  const MlsElasticity elasticity(cloud, {});
  for (Eigen::Index i = 0; i < cloud.size(); ++i)
    if (cloud.ranks[std::size_t(i)] == 3) {
      EXPECT_LT((elasticity.deformation_gradient(i, x) - (side(i) ? upper : lower)).norm(), 1e-9) << i;
    }
}

TEST(CrackWeights, VolumesAndMassesStayThoseOfTheBodyWithoutCracks) {
  Scene scene = node_scene(5);
  const NodeCloud plain = make_node_cloud(scene, {});
  scene.cracks = {strip(0.1, 0.0)};
  NodeCloud cloud = make_node_cloud(scene, {});
  const CrackWeights weights(scene, {}, cloud);
  EXPECT_TRUE(same_bits(cloud.volumes, plain.volumes));
  EXPECT_TRUE(same_bits(cloud.masses, plain.masses));
  EXPECT_FALSE(same_bits(cloud.gradients, plain.gradients));
}

/// What a front sweeps continues its surface: same winding, no gap.
TEST(CrackWeights, GrowthContinuesTheSurface) {
  for (const bool is_turned : {false, true}) {
    Scene scene = node_scene(4);
    model::InitialCrack crack = strip(-0.2, 0.5);
    if (is_turned) std::reverse(crack.fronts[0].begin(), crack.fronts[0].end());
    scene.cracks = {crack};
    NodeCloud cloud = make_node_cloud(scene, {});
    CrackWeights weights(scene, {}, cloud);
    for (int step = 1; step <= 10; ++step) weights.advance_to(0.1 * step);
    const auto& triangles = weights.cracks().triangles();
    EXPECT_EQ(triangles.size(), std::size_t(crack.surface.triangle_count()) + 10 * 2 * 6);
    const auto normal = [](const CrackTriangle& t) {
      return (t.corners[1] - t.corners[0]).cross(t.corners[2] - t.corners[0]).normalized();
    };
    for (const CrackTriangle& t : triangles) EXPECT_GT(normal(t).dot(normal(triangles[0])), 0.999);
    const Vector3 front = weights.cracks().fronts(0)[0].nodes[2];
    const Vector3 start = crack.surface.positions.row(crack.fronts[0][2]);
    EXPECT_NEAR((front - start - crack.advance).norm(), 0.0, 1e-15);
  }
}

/// [PKAGDG05] eq. 1
TEST(PointShape, ReproducesLinearFieldsBesideACrack) {
  Scene scene = node_scene(6);
  scene.cracks = {strip(0.0, 0.0)};
  NodeCloud cloud = make_node_cloud(scene, {});
  const CrackWeights weights(scene, {}, cloud);
  numerics::RandomStream random(2);
  for (int n = 0; n < 200; ++n) {
    const Vector3 x(random.uniform(), random.uniform(), random.uniform());
    const PointShape shape =
        shape_functions_at(cloud, weights.graph().nodes_around(x), x, [&](int node, const Vector3& at) {
          return weights.graph().rule().weight(weights.cracks(), cloud.rest.row(node),
                                               cloud.supports[std::size_t(node)], at);
        });
    if (shape.rank < 4) continue;
    double sum = 0.0;
    Vector3 first = Vector3::Zero();
    for (std::size_t k = 0; k < shape.nodes.size(); ++k) {
      sum += shape.values[k];
      first += shape.values[k] * Vector3(cloud.rest.row(shape.nodes[k]));
    }
    EXPECT_NEAR(sum, 1.0, 1e-9);
    EXPECT_LT((first - x).norm(), 1e-9);
  }
}

double largest_jump(Scene scene, Weights kind) {
  NodeCloud cloud = make_node_cloud(scene, {});
  const CrackWeights weights(scene, {kind, 1.0}, cloud);
  const auto scans = scan_fronts(cloud, weights);
  EXPECT_GE(scans.size(), std::size_t(kScansOfBody));  // of either function half of the lines at least
  double largest = 0.0;
  for (const FrontScan& scan : scans) {
    EXPECT_LE((scan.right_share - scan.left_share) * (scan.to - scan.from).norm(), kScanWidth * 2.2 / 6);
    EXPECT_FALSE(weights.cracks().crossing_depth(scan.from, scan.to));
    largest = std::max(largest, std::abs(scan.right_value - scan.left_value));
  }
  return largest;
}

TEST(FrontScans, FindTheJumpsOfVisibilityAndNoneWithoutOne) {
  Scene scene = node_scene(6);
  scene.cracks = {strip(0.0, 0.0)};
  EXPECT_GT(largest_jump(scene, Weights::Visibility), 0.05);
  EXPECT_LT(largest_jump(scene, Weights::Plain), 1e-6);
  EXPECT_LT(largest_jump(scene, Weights::Transparency), 1e-4);  // nodes may be near the plane
  scene.cracks = {strip(3.0, 0.0)};
  EXPECT_LT(largest_jump(scene, Weights::Visibility), 1e-6);
}

/// A stretched block that is cut in two: no momentum passes from one half to the other any more.
TEST(CrackedSimulation, PartsDoNotPullAtEachOther) {
  Scene scene = node_scene(6);
  scene.cracks = {strip(-0.6, 2.2)};
  scene.cracks[0].ramp.end = 0.005;
  scene.time_step = 1e-3;
  scene.initial_positions = scene.particles.rest_positions;
  scene.initial_positions.col(1) *= 1.1;
  MeshlessSimulation simulation(scene, options_with({}));
  const Vector3 normal = Vector3(0.1, 1.0, 0.3).normalized();
  const auto force_on_upper = [&] {
    const Points forces = simulation.elastic_forces(simulation.state().positions);
    Vector3 sum = Vector3::Zero();
    double size = 0.0;
    for (Eigen::Index i = 0; i < forces.rows(); ++i)
      if (normal.dot(Vector3(scene.particles.rest_positions.row(i)) - Vector3::Constant(0.5)) > 0.0) {
        sum += forces.row(i);
        size += forces.row(i).norm();
      }
    return sum.norm() / size;
  };
  EXPECT_GT(force_on_upper(), 1e-3);
  for (int step = 0; step < 6; ++step) EXPECT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  EXPECT_LT(force_on_upper(), 1e-13);
}

}  // namespace
}  // namespace deformbench::meshless
