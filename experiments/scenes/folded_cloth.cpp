// SPDX-License-Identifier: BSD-3-Clause
// A strip of 22 × 62 vertices and 2562 triangles that comes to rest in folds: [MHHR07] Figure 6, X37. The numbers of
// vertices and triangles are the paper's; that they form this grid, the size and what it falls on are our choice.
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_list.hpp"

namespace deformbench::scenes {
namespace {

/// Upright above the floor, leaning a little, so that it folds to and fro as it goes down.
void stand_upright(Points& x, double edge, double lean) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double height = x(i, 2) + edge;
    x(i, 1) = height * std::cos(lean);
    x(i, 2) = height * std::sin(lean);
  }
}

Scene build(const Parameters& p) {
  Scene scene = empty_cloth_scene("folded_cloth", p);
  const int columns = static_cast<int>(p.integer("columns")), rows = static_cast<int>(p.integer("rows"));
  const double edge = p.real("edge_m"), friction = p.real("friction");
  const Vector3 across(0, 0, edge * (rows - 1));
  const double width = edge * (columns - 1);
  const std::string& falls_on = p.text("falls_on");
  add_cloth(scene, cloth_grid(columns, rows, {-0.5 * width, 0, 0}, {width, 0, 0}, across));
  Points& x = scene.cloth.rest_positions;
  if (falls_on == "floor") {
    stand_upright(x, edge, radians(p.real("lean_deg")));
  } else {
    // Lies level, a little above the bar and off its middle.
    x.col(2).array() -= p.real("overhang") * across.z();
    x.col(1).array() += p.real("bar_height_m") + p.real("bar_radius_m") + edge;
    model::RigidBody bar;
    bar.name = "bar";
    bar.shape.kind = model::ShapeKind::Capsule;
    bar.shape.radius = p.real("bar_radius_m");
    bar.shape.half_length = 0.75 * width;
    bar.start.position = Vector3(0, p.real("bar_height_m"), 0);
    bar.start.orientation << 0, 1, 0, -1, 0, 0, 0, 0, 1;   // its axis y along x
    bar.friction = friction;
    scene.rigid_bodies.push_back(bar);
  }
  scene.colliders.push_back(floor_at(0.0, friction));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

harness::SceneDescriptor folded_cloth() {
  ParameterInfo overhang = non_negative_parameter("overhang", "1", 0.45, "Part of the length on one side of the bar.");
  overhang.maximum = 1.0;
  return {"folded_cloth", "A strip of cloth that falls in folds ([MHHR07] Fig. 6).",
          cloth_parameters({}, {count_parameter("columns", 22, 2, "Vertices across the strip."),
                                count_parameter("rows", 62, 2, "Vertices along it."),
                                positive_parameter("edge_m", "m", 0.02, "Length of the sides of its triangles along and across."),
                                choice_parameter("falls_on", "floor", {"floor", "bar"}, "The floor alone, or first a bar."),
                                real_parameter("lean_deg", "deg", 6.0, "Lean of the upright strip, floor alone."),
                                positive_parameter("bar_radius_m", "m", 0.05, "Radius of the bar."),
                                positive_parameter("bar_height_m", "m", 0.35, "Height of its axis above the floor."), overhang}),
          build};
}

}  // namespace deformbench::scenes
