// SPDX-License-Identifier: BSD-3-Clause
// A small box falls onto a coarse cloth held at its border: all its corners land inside one triangle, away from
// vertices. [MHHR07] §4.2
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_box_on_net(const Parameters& p) {
  Scene scene = empty_cloth_scene("box_on_net", p);
  const int cells = int(p.integer("cells"));
  const double side = p.real("side_m"), half = side / 2, edge = side / cells;
  add_cloth(scene, cloth_grid(cells + 1, cells + 1, {-half, 0, half}, {side, 0, 0}, {0, 0, -side}));
  std::vector<int> border;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i) {
      if (i == 0 || j == 0 || i == cells || j == cells) border.push_back(j * (cells + 1) + i);
    }
  }
  hold_vertices(scene, "border", border);
  model::RigidBody box;
  box.name = "box";
  box.mass = p.real("mass_kg");
  box.friction = p.real("friction");
  box.shape.kind = model::ShapeKind::Box;
  box.shape.half_extents = Vector3::Constant(p.real("box_size_m") / 2);
  // Above the middle of a triangle next to the centre, for both directions of its cell's diagonal.
  box.start.position = Vector3(0.5 * edge * (cells % 2 == 0) + 0.02 * edge, p.real("height_m"),
                               -0.5 * edge * (cells % 2 == 0) + 0.27 * edge);
  scene.rigid_bodies.push_back(box);
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor box_on_net() {
  return {"box_on_net", "A small box falls onto a coarse cloth that is held at its border.",
          cloth_parameters({}, {count_parameter("cells", 6, 2, "Of the cloth along a side."),
                                positive_parameter("side_m", "m", 1.2, "Of the cloth."),
                                positive_parameter("box_size_m", "m", 0.05, "Edge of the box; the cells have 0.2 m."),
                                positive_parameter("mass_kg", "kg", 0.1, "Of the box."),
                                positive_parameter("height_m", "m", 0.3, "Of the centre of the box at the start.")}),
          build_box_on_net};
}

}  // namespace deformbench::scenes
