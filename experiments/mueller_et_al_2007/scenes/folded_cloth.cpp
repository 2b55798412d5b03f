// SPDX-License-Identifier: BSD-3-Clause
// A strip of 22 × 62 vertices and 2562 triangles that comes to rest in folds: [MHHR07] Figure 6. The numbers of
// vertices and triangles are the paper's; this grid, the size and the obstacle are our choice.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {
namespace {

/// Folds the cloth into `layers` level layers, `gap` apart, joined by half circles, from `lowest` upwards. Rows are
/// `edge` apart along the curve, in the plane x = 0: unstretched except for chords of the half circles.
void lay_in_folds(Points& x, int columns, double edge, int layers, double gap, double lowest) {
  const double rows = double(x.rows()) / columns, length = edge * (rows - 1);
  const double turn = 0.5 * std::numbers::pi * gap;  // length of a half circle
  const double straight = (length - (layers - 1) * turn) / layers;
  const auto place = [&](double s) {
    const int layer = std::min(layers - 1, int(s / (straight + turn)));
    const double along = s - layer * (straight + turn), forth = layer % 2 == 0 ? 1.0 : -1.0;
    const double height = lowest + layer * gap;
    if (along <= straight) return Eigen::Vector2d(forth * (along - 0.5 * straight), height);
    const double angle = (along - straight) / (0.5 * gap);
    return Eigen::Vector2d(forth * (0.5 * straight + 0.5 * gap * std::sin(angle)),
                           height + 0.5 * gap * (1.0 - std::cos(angle)));
  };
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Eigen::Vector2d q = place(std::min(length, edge * double(i / columns)));
    x(i, 1) = q.y();
    x(i, 2) = q.x();
  }
}

Scene build_folded_cloth(const Parameters& p) {
  Scene scene = empty_cloth_scene("folded_cloth", p);
  const int columns = int(p.integer("columns")), rows = int(p.integer("rows"));
  const double edge = p.real("edge_m"), friction = p.real("friction");
  const Vector3 across(0, 0, edge * (rows - 1));
  const double width = edge * (columns - 1);
  const std::string& falls_on = p.text("falls_on");
  add_cloth(scene, cloth_grid(columns, rows, {-0.5 * width, 0, 0}, {width, 0, 0}, across));
  Points& x = scene.cloth.rest_positions;
  if (falls_on == "floor") {
    const int layers = int(p.integer("layers"));
    const double gap = p.real("layer_gap_m");
    if ((layers - 1) * 0.5 * std::numbers::pi * gap >= across.z())
      throw InputError(fmt::format(
          "scene folded_cloth: {} layers {} m apart need more than a strip of {:.3g} m, expected fewer or closer ones",
          layers, gap, across.z()));
    scene.initial_positions = x;
    lay_in_folds(scene.initial_positions, columns, edge, layers, gap, p.real("drop_m"));
  } else {
    // Level, slightly above the bar and off its middle.
    x.col(2).array() -= p.real("overhang") * across.z();
    x.col(1).array() += p.real("bar_height_m") + p.real("bar_radius_m") + edge;
    model::RigidBody bar;
    bar.name = "bar";
    bar.shape.kind = model::ShapeKind::Capsule;
    bar.shape.radius = p.real("bar_radius_m");
    bar.shape.half_length = 0.75 * width;
    bar.start.position = Vector3(0, p.real("bar_height_m"), 0);
    bar.start.orientation << 0, 1, 0, -1, 0, 0, 0, 0, 1;  // its axis y along x
    bar.friction = friction;
    scene.rigid_bodies.push_back(bar);
  }
  scene.colliders.push_back(floor_at(0.0, friction));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor folded_cloth() {
  ParameterInfo overhang = non_negative_parameter("overhang", "1", 0.45, "Part of the length on one side of the bar.");
  overhang.maximum = 1.0;
  return {"folded_cloth", "A strip of cloth that falls in folds ([MHHR07] Fig. 6).",
          cloth_parameters(
              {}, {count_parameter("columns", 22, 2, "Vertices across the strip."),
                   count_parameter("rows", 62, 2, "Vertices along it."),
                   positive_parameter("edge_m", "m", 0.02, "Length of the sides of its triangles along and across."),
                   choice_parameter("falls_on", "floor", {"floor", "bar"}, "The floor alone, or first a bar."),
                   count_parameter("layers", 4, 1, "Layers in which it starts, floor alone."),
                   positive_parameter("layer_gap_m", "m", 0.08, "Distance of the layers."),
                   positive_parameter("drop_m", "m", 0.1, "Height of the lowest layer above the floor."),
                   positive_parameter("bar_radius_m", "m", 0.05, "Radius of the bar."),
                   positive_parameter("bar_height_m", "m", 0.35, "Height of its axis above the floor."), overhang}),
          build_folded_cloth};
}

}  // namespace deformbench::scenes
