// SPDX-License-Identifier: BSD-3-Clause
// Position based cloth whose layers are kept apart by continuous tests, edges against edges among them. [B05] §10
#include <gtest/gtest.h>

#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"
#include "methods/surface/self_intersection.hpp"

namespace deformbench::pbd {
namespace {

/// Most pairs of triangles that cross after any step of two sheets that fly at each other.
std::size_t most_crossings(const std::string& method, const std::string& detection) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& sheets = scenes.at("crossed_sheets");
  const Scene scene = sheets.build(Parameters(
      sheets.parameters, {{"start", std::string("apart")}, {"vertices_across", 9LL}, {"time_step_s", 0.02}}, "scene"));
  const Registry registry = builtin_registry();
  const MethodDescriptor& descriptor = registry.at(method);
  const auto simulation = descriptor.create(
      scene, Parameters(descriptor.parameters, {{"collision_detection", detection}, {"iterations", 5LL}}, method), {});
  std::size_t most = 0;
  for (int step = 0; step < 60; ++step) {
    EXPECT_EQ(simulation->step().outcome, StepOutcome::Advanced);
    const model::TriangleMesh mesh{Points(simulation->state().positions), scene.cloth.triangles};
    most = std::max(most, surface::self_intersections(mesh).size());
  }
  return most;
}

class ContinuousCollision : public testing::TestWithParam<std::string> {};

TEST_P(ContinuousCollision, KeepsLayersApartThatPassThroughEachOtherWithout) {
  EXPECT_GT(most_crossings(GetParam(), "none"), 0u);
  EXPECT_EQ(most_crossings(GetParam(), "both"), 0u);
}

INSTANTIATE_TEST_SUITE_P(Methods, ContinuousCollision, testing::Values("pbd", "xpbd"),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace deformbench::pbd
