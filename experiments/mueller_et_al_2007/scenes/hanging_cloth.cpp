// SPDX-License-Identifier: BSD-3-Clause
// A square cloth that starts level and swings down, hung by two corners of one side: the scene of the speed benchmarks.
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_hanging_cloth(const Parameters& p) {
  Scene scene = cloth_hung_by_corners("hanging_cloth", p);
  const int n = int(p.integer("vertices_across"));
  std::vector<int> free_edge;
  for (int i = 0; i < n; ++i) free_edge.push_back(n * (n - 1) + i);
  scene.vertex_sets["free_edge"] = free_edge;
  disturb_start(scene, p);
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor hanging_cloth() {
  ClothDefaults defaults;
  defaults.friction = 0.0;
  defaults.start_noise = 0.0;
  return {"hanging_cloth", "A square cloth, level at first, hung by two corners of one side.",
          square_parameters(defaults, 20, {}), build_hanging_cloth};
}

}  // namespace deformbench::scenes
