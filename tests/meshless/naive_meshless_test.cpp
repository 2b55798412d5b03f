// SPDX-License-Identifier: BSD-3-Clause
// The fast passes over pairs against the plain loop of the peers, which shares no code with them, and the layout of
// pairs against the cloud that it was made of.
#include <gtest/gtest.h>

#include <numeric>

#include "methods/meshless/meshless_simulation.hpp"
#include "methods/peers/register_peers.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

std::unique_ptr<Simulation> naive(const Scene& scene, const std::map<std::string, ParameterValue>& settings = {}) {
  Registry registry;
  peers::register_peers(registry);
  const MethodDescriptor& method = registry.at("naive_meshless");
  return method.create(scene, Parameters(method.parameters, settings, "naive_meshless"), {});
}

/// Nodes that are given, with supports that differ.
Scene scene_of_nodes(int n) {
  const Scene block = jittered_block(n, 0.3, 5);
  Scene scene;
  scene.name = "nodes";
  scene.materials = block.materials;
  scene.particles.rest_positions = block.tet_mesh.rest_positions;
  const Eigen::Index count = scene.particles.rest_positions.rows();
  scene.particles.masses.setConstant(count, 1000.0 / double(count));
  scene.particles.supports.resize(count);
  numerics::RandomStream random(6);
  for (Eigen::Index i = 0; i < count; ++i) scene.particles.supports[i] = random.uniform(2.0, 3.0) / n;
  return scene;
}

Scene two_materials(int n) {
  Scene scene = jittered_block(n);
  scene.materials.push_back({3e5, 0.2, 500.0});
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(int(e % 3 == 0));
  return scene;
}

TEST(NaiveMeshless, HasTheSameEnergyAndForces) {
  for (const Scene& scene : {jittered_block(4), two_materials(3), scene_of_nodes(4), scene_of_nodes(11)}) {
    const auto peer = naive(scene, {{"substeps", 1LL}});
    const NodeCloud cloud = make_node_cloud(scene, {});
    for (const int threads : {1, 2}) {
      const MlsElasticity elasticity(cloud, {}, threads);
      const Points x = cloud.rest + random_points(cloud.size(), 0.05, 4);
      const Points forces = elasticity.forces(x);
      const auto& theirs = facet_of<ElasticityFacet>(*peer);
      ASSERT_GT(forces.norm(), 1.0);
      EXPECT_LT((theirs.elastic_forces(x) - forces).norm(), 1e-13 * forces.norm());
      EXPECT_NEAR(theirs.elastic_energy(x) / elasticity.energy(x), 1.0, 1e-13);
      EXPECT_LT((peer->state().masses - Eigen::Map<const Eigen::VectorXd>(cloud.masses.data(), cloud.size())).norm(),
                1e-13 * peer->state().masses.norm());
    }
  }
}

TEST(NaiveMeshless, MovesAlikeBetweenHeldAndMovedNodesUnderLoads) {
  Scene scene = jittered_block(3);
  model::PrescribedMotion hold;
  hold.vertices = {0, 1, 2, 3};
  hold.components = {true, false, true};
  model::PrescribedMotion pull;
  pull.vertices = {60, 61, 62, 63};
  pull.translation = {0.1, 0.0, 0.02};
  pull.ramp.end = 0.02;
  scene.prescribed = {hold, pull};
  scene.gravity = {0, -9.81, 1};
  scene.point_loads = {{30, {1.0, 2.0, 3.0}, {}}};
  scene.point_loads[0].ramp.end = 0.01;
  scene.initial_positions = scene.rest_positions() + random_points(scene.vertex_count(), 0.01, 9);
  scene.initial_velocities = random_points(scene.vertex_count(), 0.1, 10);
  scene.time_step = 0.004;
  const auto peer = naive(scene, {{"substeps", 20LL}});
  MeshlessSimulation ours(scene, options_with({{"substeps", 20LL}}));
  for (int k = 0; k < 10; ++k) ours.step(), peer->step();
  const double moved = (ours.state().positions - scene.initial_positions).cwiseAbs().maxCoeff();
  EXPECT_GT(moved, 0.05);
  EXPECT_LT((ours.state().positions - peer->state().positions).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((ours.state().velocities - peer->state().velocities).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(NaiveMeshless, ChoosesStepsThatAreStable) {
  Scene scene = jittered_block(3);
  scene.time_step = 0.05;
  const auto peer = naive(scene);
  MeshlessSimulation ours(scene, {});
  EXPECT_NEAR(double(peer->step().substeps) / ours.step().substeps, 1.0, 0.1);
}

TEST(MlsElasticity, DoesNotDependOnTheNumberOfThreads) {
  const Scene scene = jittered_block(12);  // 2197 nodes: enough that four threads share them
  const NodeCloud cloud = make_node_cloud(scene, {});
  const Points x = cloud.rest + random_points(cloud.size(), 0.01, 4);
  const MlsElasticity one(cloud, {Strain::Green, 1e4}, 1);
  const Points forces = one.forces(x);
  for (const int threads : {2, 3, 4}) {
    const MlsElasticity several(cloud, {Strain::Green, 1e4}, threads);
    ASSERT_EQ(several.threads(), threads);
    EXPECT_EQ(several.forces(x), forces);
    EXPECT_EQ(several.energy(x), one.energy(x));
    EXPECT_EQ(several.stiffness_times(x), one.stiffness_times(x));
  }
  EXPECT_EQ(MlsElasticity(make_node_cloud(jittered_block(3), {}), {}, 4).threads(), 1);
}

TEST(PairLayout, HoldsEveryPairOnce) {
  for (const Scene& scene : {jittered_block(3), scene_of_nodes(4), scene_of_nodes(11)}) {
    const NodeCloud cloud = make_node_cloud(scene, {});
    const PairLayout layout(cloud, 16);
    EXPECT_EQ(layout.slots() % 16, 0u);
    EXPECT_EQ(layout.blocks.size() > 1, cloud.size() > 1000);
    std::map<std::pair<int, int>, double> pairs, held;
    for (int i = 0; i < int(cloud.size()); ++i)
      for (std::size_t p = cloud.first[std::size_t(i)]; p < cloud.first[std::size_t(i) + 1]; ++p)
        pairs[{i, cloud.neighbours[p]}] = cloud.weights[p];
    for (std::size_t place = 0; place < layout.slots(); ++place) {
      const PairLayout::Block& block = layout.block_of(place);
      const PairLayout::Range row = layout.row(place);
      if (place < layout.size()) EXPECT_EQ(layout.place_of[std::size_t(layout.node_of[place])], place);
      for (std::size_t p = row.low; p < row.high; p += PairLayout::kRows) {
        const std::size_t other = layout.place_in(block, layout.others[p]);
        if (other == place)
          EXPECT_EQ(layout.weights[p], 0.0);
        else
          held[{layout.node_of[place], layout.node_of[other]}] += layout.weights[p];
      }
    }
    EXPECT_EQ(held, pairs);
    EXPECT_EQ(layout.pair_count(), pairs.size());
    EXPECT_LT(double(layout.others.size()), 1.2 * double(pairs.size()));
  }
}

/// What a block holds of a guest reaches the guest's own block, once.
TEST(PairLayout, KnowsWhereEveryGuestIsAtHome) {
  const PairLayout layout(make_node_cloud(scene_of_nodes(11), {}), 8);
  ASSERT_GT(layout.blocks.size(), 2u);
  ASSERT_GT(layout.guests.size(), 500u);
  std::vector<int> found(layout.guests.size(), 0);
  std::size_t next = 0, first_guest = 0;
  for (const PairLayout::Block& block : layout.blocks) {
    EXPECT_EQ(block.low, next);
    EXPECT_EQ(block.guests.low, first_guest);
    next = block.high;
    first_guest = block.guests.high;
    for (const PairLayout::Range& range : block.elsewhere)
      for (std::size_t g = range.low; g < range.high; ++g) {
        ++found[g];
        EXPECT_EQ(&layout.block_of(layout.guests[g]), &block);
        EXPECT_FALSE(g >= block.guests.low && g < block.guests.high);
      }
  }
  EXPECT_EQ(next, layout.slots());
  EXPECT_EQ(first_guest, layout.guests.size());
  EXPECT_EQ(found, std::vector<int>(found.size(), 1));
}

/// Pairs across the plane x = 0.5 go, and those near it get half their weight: what a crack does.
void cut(NodeCloud& cloud, std::vector<int>& touched) {
  NodeCloud whole = cloud;
  cloud.first.assign(1, 0);
  cloud.neighbours.clear();
  cloud.weights.clear();
  cloud.gradients.clear();
  for (int i = 0; i < int(whole.size()); ++i) {
    const Vector3 x = whole.rest.row(i);
    bool is_touched = false;
    Matrix3 moment = Matrix3::Zero();
    for (std::size_t p = whole.first[std::size_t(i)]; p < whole.first[std::size_t(i) + 1]; ++p) {
      const Vector3 y = whole.rest.row(whole.neighbours[p]);
      const bool crosses = (x[0] - 0.5) * (y[0] - 0.5) < 0.0, is_near = std::abs(x[0] - 0.5) < 0.2 && y[1] > 0.5;
      is_touched = is_touched || crosses || is_near;
      if (crosses) continue;
      cloud.neighbours.push_back(whole.neighbours[p]);
      cloud.weights.push_back((is_near ? 0.5 : 1.0) * whole.weights[p]);
      moment += cloud.weights.back() * (y - x) * (y - x).transpose();
    }
    cloud.first.push_back(cloud.neighbours.size());
    if (is_touched) {
      touched.push_back(i);
      cloud.inverse_moments[std::size_t(i)] = moment.inverse();
      cloud.volumes[std::size_t(i)] *= 1.1;
    }
    for (std::size_t p = cloud.first[std::size_t(i)]; p < cloud.neighbours.size(); ++p)
      cloud.gradients.push_back(cloud.inverse_moments[std::size_t(i)] * cloud.weights[p] *
                                Vector3(cloud.rest.row(cloud.neighbours[p]) - cloud.rest.row(i)));
  }
}

TEST(MlsElasticity, FollowsACloudWhosePairsChange) {
  NodeCloud cloud = make_node_cloud(jittered_block(11), {});  // several blocks
  const NodeCloud whole = cloud;
  MlsElasticity listed(cloud, {}), anew(cloud, {});
  std::vector<int> touched;
  cut(cloud, touched);
  ASSERT_GT(touched.size(), 50u);
  ASSERT_LT(touched.size(), std::size_t(cloud.size()));
  const Points x = cloud.rest + random_points(cloud.size(), 0.02, 4);
  const Points before = listed.forces(x);
  listed.follow(touched);
  anew.follow();
  const Points forces = anew.forces(x);
  EXPECT_GT((forces - before).norm(), 0.1 * forces.norm());
  EXPECT_LT((listed.forces(x) - forces).norm(), 1e-13 * forces.norm());
  EXPECT_NEAR(listed.energy(x) / anew.energy(x), 1.0, 1e-13);
  for (Eigen::Index i = 0; i < cloud.size(); i += 7) {  // from d_ij, apart from the layout
    const Matrix3 f = anew.deformation_gradient(i, x);
    EXPECT_LT((f - listed.deformation_gradient(i, x)).norm(), 1e-15);
  }
  // Back again: pairs that the layout did not have any more, and pairs that it has kept with no weight.
  cloud = whole;
  listed.follow(touched);
  anew.follow(touched);
  EXPECT_LT((listed.forces(x) - before).norm(), 1e-13 * before.norm());
  EXPECT_LT((anew.forces(x) - before).norm(), 1e-13 * before.norm());
}

/// The energy that the passes report is that of F from d_ij, node by node.
TEST(MlsElasticity, HasTheGradientsOfTheCloud) {
  for (const Scene& scene : {jittered_block(3), flat_block(3), scene_of_nodes(3)}) {
    const NodeCloud cloud = make_node_cloud(scene, {.masses = NodeMasses::AsPrinted});
    const MlsElasticity elasticity(cloud, {Strain::Green, 2e4});
    const Points x = cloud.rest + random_points(cloud.size(), 0.1, 4);
    double sum = 0.0;
    for (Eigen::Index i = 0; i < cloud.size(); ++i) {
      const Matrix3 f = elasticity.deformation_gradient(i, x), &p = cloud.projections[std::size_t(i)];
      const Matrix3 strain = 0.5 * (f.transpose() * f - p);
      const model::Material& material = cloud.materials[std::size_t(i)];
      const double change = cloud.ranks[std::size_t(i)] == 3 ? f.determinant() - 1.0 : 0.0;
      sum += cloud.volumes[std::size_t(i)] *
             (material.lame_mu() * strain.squaredNorm() +
              0.5 * material.lame_lambda() * strain.trace() * strain.trace() + 0.5 * 2e4 * change * change);
    }
    EXPECT_NEAR(elasticity.energy(x) / sum, 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace deformbench::meshless
