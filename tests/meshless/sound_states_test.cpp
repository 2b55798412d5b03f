// SPDX-License-Identifier: BSD-3-Clause
// Every scene of nodes, pulled apart while cracks cut it and nodes are inserted: states stay finite, masses positive.
// Scenes that start with cracks are left out: their fragments need steps that shrink with them (PAU-37).
// [PKAGDG05] §3, §4
#include <gtest/gtest.h>

#include "experiments/scenes/scene_registry.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

constexpr int kSteps = 8;
constexpr double kTime = 0.01;         // s
constexpr double kExpansion = 8.0;     // 1/s: a strain of a twelfth at the end
constexpr double kThreshold = 2500.0;  // Pa: a fortieth of Young's modulus

Scene expanding(const std::string& name, long long seed) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& descriptor = scenes.at(name);
  std::map<std::string, ParameterValue> settings{{"seed", seed}, {"time_step_s", kTime / kSteps}};
  for (const ParameterInfo& parameter : descriptor.parameters) {
    if (parameter.name == "nodes_across") settings["nodes_across"] = 6LL;
    if (parameter.name == "spacing_m") settings["spacing_m"] = 0.15;
    if (parameter.name == "octree_levels") settings["octree_levels"] = 4LL;
  }
  Scene scene = descriptor.build(Parameters(descriptor.parameters, settings, "scene '" + name + "'"));
  const Points& rest = scene.rest_positions();
  const Eigen::RowVector3d centre = rest.colwise().mean();
  scene.initial_velocities.resize(rest.rows(), 3);
  for (Eigen::Index i = 0; i < rest.rows(); ++i) scene.initial_velocities.row(i) = kExpansion * (rest.row(i) - centre);
  return scene;
}

std::vector<std::string> scenes_of_nodes() {
  const SceneRegistry scenes = builtin_scenes();
  std::vector<std::string> names;
  for (const SceneDescriptor& descriptor : scenes.all())
    if (const Scene scene = descriptor.build(Parameters(descriptor.parameters, {}, descriptor.id));
        scene.particles.is_solid() && scene.cracks.empty())
      names.push_back(descriptor.id);
  return names;
}

class EverySceneOfNodes : public testing::TestWithParam<std::string> {};

TEST_P(EverySceneOfNodes, StaysFiniteWithPositiveMassesWhileCracksCutIt) {
  for (long long seed = 1; seed <= 5; ++seed) {
    const Scene scene = expanding(GetParam(), seed);
    const MeshlessOptions options = options_with({{"crack_stress", std::string("nodes")},
                                                  {"crack_threshold_pa", kThreshold},
                                                  {"crack_speed_m_s_pa", 2e-3},
                                                  {"crack_surfel_radius_m", 0.1},
                                                  {"crack_raised_radius_m", 0.3},
                                                  {"rigid_pieces_below", 10LL},
                                                  {"resampling", std::string("cracks")}});
    MeshlessSimulation simulation(scene, options);
    const double mass = simulation.state().masses.sum();
    for (int step = 0; step < kSteps; ++step) {
      ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced) << "seed " << seed << ", step " << step;
      const StateView state = simulation.state();
      ASSERT_TRUE(state.positions.allFinite() && state.velocities.allFinite()) << "seed " << seed << ", step " << step;
      ASSERT_GT(state.masses.minCoeff(), 0.0) << "seed " << seed << ", step " << step;
    }
    EXPECT_NEAR(simulation.state().masses.sum(), mass, 1e-12 * mass) << "seed " << seed;
    if (scene.cracks.empty())
      EXPECT_GT(simulation.array("crack_starts").shape.at(0), 0u) << "seed " << seed << ": nothing has broken";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, EverySceneOfNodes, testing::ValuesIn(scenes_of_nodes()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace deformbench::meshless
