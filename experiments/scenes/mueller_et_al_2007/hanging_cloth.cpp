// SPDX-License-Identifier: BSD-3-Clause
// A square cloth that starts level and swings down, hung by two corners of one side: the scene of the speed benchmarks.
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_hanging_cloth(const Parameters& p) {
  Scene scene = empty_cloth_scene("hanging_cloth", p);
  const int n = int(p.integer("vertices_across"));
  const double side = p.real("side_m");
  add_cloth(scene, cloth_grid(n, n, Vector3::Zero(), {side, 0, 0}, {0, 0, -side}));
  hold_vertices(scene, "corners", {0, n - 1});
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
          cloth_parameters(defaults, {positive_parameter("side_m", "m", 1.0, "Side of the square."),
                                      count_parameter("vertices_across", 20, 2, "N: the cloth has N × N vertices."),
                                      bounded_parameter()}),
          build_hanging_cloth};
}

}  // namespace deformbench::scenes
