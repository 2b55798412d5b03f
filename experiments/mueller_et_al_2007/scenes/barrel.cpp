// SPDX-License-Identifier: BSD-3-Clause
// The cloth of Figure 6 tumbling in a rotating drum, lifted by friction: [MHHR07] Figure 9. Drum, ridges and speed
// are our choice.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "experiments/mueller_et_al_2007/scenes/turned_parts.hpp"
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {
namespace {

/// The flat strip, rows along x, rolled isometrically into an arc about z, open on top.
Points rolled(const Points& flat, int columns, double edge, double radius) {
  Points x = flat;
  const double step = 2.0 * std::asin(edge / (2.0 * radius));
  const double rows = double(x.rows()) / columns;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double angle = -0.5 * std::numbers::pi + (double(i / columns) - 0.5 * (rows - 1)) * step;
    x(i, 0) = radius * std::cos(angle);
    x(i, 1) = radius * std::sin(angle);
  }
  return x;
}

Scene build_barrel(const Parameters& p) {
  Scene scene = empty_cloth_scene("barrel", p);
  const int columns = int(p.integer("columns")), rows = int(p.integer("rows"));
  const double edge = p.real("edge_m"), radius = p.real("drum_radius_m"), length = p.real("drum_length_m");
  const double width = edge * (columns - 1), reach = edge * (rows - 1), arc = p.real("arc_radius_m");
  const double room = radius - p.real("ridge_height_m");
  if (width >= 0.98 * length || arc >= room || reach + 4 * edge >= 2.0 * std::numbers::pi * arc)
    throw InputError(
        fmt::format("scene barrel: a cloth of {:.3g} m by {:.3g} m in an arc of radius {:.3g} m does not fit into "
                    "a drum {:.3g} m long with {:.3g} m to its ridges, expected an arc between {:.3g} m and that",
                    reach, width, arc, length, room, (reach + 4 * edge) / (2.0 * std::numbers::pi)));
  add_cloth(scene, cloth_grid(columns, rows, {0, 0, -0.5 * width}, {0, 0, width}, {reach, 0, 0}));
  scene.initial_positions = rolled(scene.cloth.rest_positions, columns, edge, arc);

  model::RigidBody drum;
  drum.name = "drum";
  drum.shape.kind = model::ShapeKind::Mesh;
  drum.shape.mesh = extrude(drum_section(radius, int(p.integer("ridges")), p.real("ridge_height_m"),
                                         p.real("ridge_width_m"), int(p.integer("drum_segments"))),
                            length, 8, 5, true);
  drum.angular_velocity = Vector3(0, 0, p.real("spin_rad_s"));
  drum.start_time = p.real("spin_start_s");
  drum.friction = p.real("friction");
  scene.rigid_bodies.push_back(drum);
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor barrel() {
  ClothDefaults defaults;
  defaults.friction = 0.6;
  return {
      "barrel", "A cloth in a rotating drum ([MHHR07] Fig. 9).",
      cloth_parameters(
          defaults, {count_parameter("columns", 22, 2, "Vertices of the cloth along the axis."),
                     count_parameter("rows", 62, 2, "Vertices around it."),
                     positive_parameter("edge_m", "m", 0.02, "Length of the sides of its triangles along and across."),
                     positive_parameter("arc_radius_m", "m", 0.34, "Radius of the arc in which the cloth starts."),
                     positive_parameter("drum_radius_m", "m", 0.5, "Inner radius."),
                     positive_parameter("drum_length_m", "m", 0.6, "Inner length."),
                     count_parameter("drum_segments", 96, 12, "Flat pieces round the drum."),
                     count_parameter("ridges", 3, 0, "Ridges that carry the cloth."),
                     non_negative_parameter("ridge_height_m", "m", 0.1, "How far a ridge stands out."),
                     positive_parameter("ridge_width_m", "m", 0.3, "Arc over which it rises and falls."),
                     real_parameter("spin_rad_s", "rad/s", 3.0, "Angular velocity about z."),
                     non_negative_parameter("spin_start_s", "s", 0.0, "When the drum begins to turn.")}),
      build_barrel};
}

}  // namespace deformbench::scenes
