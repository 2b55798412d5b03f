// SPDX-License-Identifier: BSD-3-Clause
// Cracks that grow by the stress of the nodes, and what follows them: weights, new nodes, surfels. [PKAGDG05] §2.1, §3,
// §4
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "methods/meshless/nodes/kernels.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

/// A lattice of 12 × 6 × 6 nodes, 0.1 m apart, jittered, with the velocities of an even stretch along x.
Scene stretching_bar(double rate, std::uint64_t seed = 1) {
  Scene scene;
  scene.name = "stretching_bar";
  scene.materials = {model::Material{}};
  scene.materials[0].young_modulus = 1e5;
  scene.time_step = 2e-4;
  const Vector3 high(1.2, 0.6, 0.6);
  scene.skin = scenes::box_surface(Vector3::Zero(), high);
  numerics::RandomStream random(seed);
  const Eigen::Index count = 12 * 6 * 6;
  scene.particles.rest_positions.resize(count, 3);
  scene.initial_velocities = Points::Zero(count, 3);
  for (Eigen::Index row = 0; row < count; ++row) {
    const Vector3 cell(double(row / 36), double(row / 6 % 6), double(row % 6));
    for (int c = 0; c < 3; ++c)
      scene.particles.rest_positions(row, c) = 0.1 * (cell[c] + 0.5 + 0.25 * random.uniform(-1.0, 1.0));
    scene.initial_velocities(row, 0) = rate * (scene.particles.rest_positions(row, 0) - 0.6);
  }
  scene.particles.masses.setConstant(count, 1000.0 * 1.2 * 0.6 * 0.6 / double(count));
  scene.particles.supports.setConstant(count, 0.22);
  return scene;
}

/// A notch from above in the middle, a quarter of the height deep.
MeshlessOptions breaking(std::map<std::string, ParameterValue> more = {}) {
  std::map<std::string, ParameterValue> settings{
      {"crack_stress", std::string("nodes")},
      {"crack_speed_m_s_pa", 2e-3},
      {"crack_surfel_radius_m", 0.05},
      {"crack_front_threshold_pa", 1e3},
      {"crack_notches", std::vector<double>{0.61, 0.0, 0.45, 0.61, 0.6, 0.45, 0.0, 0.0, 0.2}},
      {"crack_nodes_start", false},
  };
  for (auto& [name, value] : more) settings[name] = value;
  return options_with(settings);
}

std::set<int> components(const MeshlessSimulation& simulation) {
  const auto pairs = simulation.array("pairs"), weights = simulation.array("pair_weights");
  const auto n = std::size_t(simulation.state().positions.rows());
  std::vector<int> label(n);
  std::iota(label.begin(), label.end(), 0);
  const auto root = [&](int i) {
    while (label[std::size_t(i)] != i) i = label[std::size_t(i)];
    return i;
  };
  for (std::size_t p = 0; p < weights.reals.size(); ++p)
    if (weights.reals[p] > 0.0) label[std::size_t(root(pairs.integers[2 * p]))] = root(pairs.integers[2 * p + 1]);
  std::set<int> roots;
  for (std::size_t i = 0; i < n; ++i) roots.insert(root(int(i)));
  return roots;
}

TEST(GrowingCracks, PartABarAndKeepItsMomentum) {
  MeshlessSimulation simulation(stretching_bar(8.0), breaking());
  const auto momentum = [&] {
    const StateView state = simulation.state();
    return Vector3((state.velocities.array().colwise() * state.masses.array()).colwise().sum().transpose());
  };
  const Vector3 before = momentum();
  int steps = 0;
  for (; steps < 400 && components(simulation).size() < 2; ++steps) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced) << steps;
    if (steps % 20 != 0) continue;
    // What the updates have left is what all triangles give, to the bit.
    const auto kept = simulation.array("pair_weights"), anew = simulation.array("pair_weights_anew");
    ASSERT_EQ(kept.reals, anew.reals) << steps;
  }
  EXPECT_GT(steps, 5);
  EXPECT_EQ(components(simulation).size(), 2u) << steps;
  EXPECT_LT((momentum() - before).norm(), 1e-10 * 432.0);
}

TEST(GrowingCracks, StayWhereTheThresholdOfFrontsIsHigh) {
  MeshlessSimulation simulation(stretching_bar(8.0), breaking({{"crack_front_threshold_pa", 1e9}}));
  const auto area = simulation.array("crack_triangles").integers;
  for (int k = 0; k < 50; ++k) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  EXPECT_EQ(simulation.array("crack_triangles").integers, area);
  EXPECT_EQ(components(simulation).size(), 1u);
}

TEST(GrowingCracks, NodesAreSplitBesideThemAndMayStartOthers) {
  MeshlessSimulation simulation(
      stretching_bar(8.0),
      breaking({{"resampling", std::string("cracks")}, {"crack_nodes_start", true}, {"omega_min", 12.0}}));
  const double mass = simulation.state().masses.sum();
  const Eigen::Index before = simulation.state().positions.rows();
  for (int k = 0; k < 150; ++k) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced) << k;
  const StateView state = simulation.state();
  EXPECT_GT(state.positions.rows(), before);
  EXPECT_NEAR(state.masses.sum(), mass, 1e-12 * mass);
  EXPECT_EQ(simulation.array("crack_samples").reals.size() / 6, std::size_t(state.positions.rows()));
  EXPECT_EQ(simulation.array("pair_weights").reals, simulation.array("pair_weights_anew").reals);
}

TEST(GrowingCracks, BothFacesHaveSurfels) {
  MeshlessSimulation simulation(stretching_bar(8.0), breaking({{"surfel_radius_m", 0.05}}));
  const auto count = [&] { return simulation.array("surfel_positions").reals.size() / 3; };
  const std::size_t before = count();
  for (int k = 0; k < 60; ++k) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  const std::size_t faces = simulation.array("crack_surfels").shape[0];
  EXPECT_GT(faces, 20u);
  // The faces of the last step are handed over at the start of the next one.
  EXPECT_GT(count(), before);
  EXPECT_EQ((count() - before) % 2, 0u);
  EXPECT_LE(count() - before, faces);
}

TEST(GrowingCracks, RaiseTheThresholdsBesideThem) {
  MeshlessSimulation simulation(stretching_bar(8.0), breaking({{"crack_notches", std::vector<double>{}},
                                                               {"crack_nodes_start", true},
                                                               {"crack_threshold_pa", 5e3},
                                                               {"crack_speed_m_s_pa", 0.0},
                                                               {"crack_raised_factor", 3.0},
                                                               {"crack_raised_radius_m", 0.15}}));
  while (simulation.array("crack_starts").shape[0] == 0) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  ASSERT_EQ(simulation.array("crack_starts").shape[0], 1u);
  const auto starts = simulation.array("crack_starts").reals, samples = simulation.array("crack_samples").reals;
  const Vector3 centre(starts[0], starts[1], starts[2]);
  int raised = 0;
  for (std::size_t k = 0; k < samples.size(); k += 6) {
    const double distance = (Vector3(samples[k], samples[k + 1], samples[k + 2]) - centre).norm();
    if (distance == 0.0) continue;  // the sample itself does not crack again
    EXPECT_DOUBLE_EQ(samples[k + 3], distance <= 0.15 ? 1.5e4 : 5e3);
    raised += distance <= 0.15;
  }
  EXPECT_GT(raised, 3);
}

TEST(NodalStress, IsAveragedWithTheWeightsOfTheNodes) {
  const Scene scene = jittered_block(4);
  NodeCloud cloud = make_node_cloud(scene, {});
  const MlsElasticity elasticity(cloud, {});
  const CrackWeights weights(scene, {}, cloud);
  NodalStress stress(cloud, weights);
  const Points x = cloud.rest + random_points(cloud.rest.rows(), 0.02, 3);
  stress.set(elasticity, x);
  const Vector3 place(0.41, 0.53, 0.37);
  Matrix3 sum = Matrix3::Zero();
  double total = 0.0;
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const double weight = mls_weight((cloud.rest.row(i).transpose() - place).norm() / cloud.supports[std::size_t(i)]);
    sum += weight * elasticity.stress(i, x);
    total += weight;
  }
  EXPECT_LT((stress.at(place) - sum / total).norm(), 1e-12 * sum.norm());
  EXPECT_GT((stress.nearest(place) - sum / total).norm(), 1e-3 * sum.norm() / total);
}

TEST(TriangulatedCracks, DepthsOfCracksThatHaveJoinedCountToBothFronts) {
  TriangulatedCracks cracks;
  const int left = cracks.add_crack(), right = cracks.add_crack();
  const auto strip = [](double from, double to) {
    const Vector3 a(from, -1, 0), b(to, -1, 0), c(to, 1, 0), d(from, 1, 0);
    return std::vector<std::array<Vector3, 3>>{{a, b, c}, {a, c, d}};
  };
  cracks.add_triangles(left, strip(0, 1));
  cracks.add_triangles(right, strip(1, 2));
  cracks.set_fronts(left, {{{{0, -1, 0}, {0, 1, 0}}, false}});
  cracks.set_fronts(right, {{{{2, -1, 0}, {2, 1, 0}}, false}});
  const Vector3 above(1.2, 0, 0.1), below(1.2, 0, -0.1);
  EXPECT_NEAR(*cracks.crossing_depth(above, below), 0.8, 1e-12);
  EXPECT_NEAR(*cracks.crossing_depth({0.8, 0, 0.1}, {0.8, 0, -0.1}), 0.8, 1e-12);
  cracks.set_fronts(right, {});
  EXPECT_TRUE(std::isinf(*cracks.crossing_depth(above, below)));
  cracks.take_changes();
  cracks.join(left, right);
  EXPECT_FALSE(cracks.take_changes().empty());
  EXPECT_NEAR(*cracks.crossing_depth(above, below), 1.2, 1e-12);
  cracks.join(right, left);
  EXPECT_TRUE(cracks.take_changes().empty());
}

}  // namespace
}  // namespace deformbench::meshless
