// SPDX-License-Identifier: BSD-3-Clause
// Two square sheets of cloth without gravity: the second already passes through the first, or flies towards it.
// [MHHR07] §4.3
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_crossed_sheets(const Parameters& p) {
  Scene scene = empty_cloth_scene("crossed_sheets", p);
  const int n = int(p.integer("vertices_across"));
  const double side = p.real("side_m"), half = side / 2;
  add_cloth(scene, cloth_grid(n, n, {-half, 0, half}, {side, 0, 0}, {0, 0, -side}));
  const bool crossed = p.text("start") == "crossed";
  // Shifted by a third of a cell: no vertex of one sheet lies in the other.
  const double shift = side / (3.0 * (n - 1)), gap = p.real("gap_m");
  const int first =
      crossed
          ? add_cloth(scene, cloth_grid(n, n, {-half + shift, -half + shift, shift}, {0.7 * side, 0, 0}, {0, side, 0}))
          : add_cloth(scene, cloth_grid(n, n, {-half + shift, gap, half + shift}, {side, 0, 0}, {0, 0, -side}));
  disturb_start(scene, p);
  if (crossed) return scene;
  scene.initial_velocities = Points::Zero(scene.cloth.vertex_count(), 3);
  for (Eigen::Index i = first; i < scene.initial_velocities.rows(); ++i)
    scene.initial_velocities(i, 1) = -p.real("speed_m_s");
  return scene;
}

}  // namespace

SceneDescriptor crossed_sheets() {
  ClothDefaults defaults;
  defaults.friction = 0.0;
  return {"crossed_sheets", "Two sheets of cloth, one through the other, or one flying towards the other.",
          cloth_parameters(
              defaults, {positive_parameter("side_m", "m", 0.5, "Of both squares."),
                         count_parameter("vertices_across", 11, 2, "Along their sides."),
                         choice_parameter("start", "crossed", {"crossed", "apart"}, "Tangled from the start, or not."),
                         positive_parameter("gap_m", "m", 0.1, "Between them when apart."),
                         positive_parameter("speed_m_s", "m/s", 1.0, "Of the second when apart.")}),
          build_crossed_sheets};
}

}  // namespace deformbench::scenes
