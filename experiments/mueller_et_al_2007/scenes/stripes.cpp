// SPDX-License-Identifier: BSD-3-Clause
// Three stripes of cloth, each between a static body above and a dynamic one below, six rigid bodies in all: [MHHR07]
// Figure 8. Shapes, sizes and masses are our choice.
#include <array>
#include <cmath>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_stripes(const Parameters& p) {
  Scene scene = empty_cloth_scene("stripes", p);
  const int columns = int(p.integer("columns")), rows = int(p.integer("rows"));
  const double width = p.real("width_m"), length = p.real("length_m"), top = p.real("top_m"), gap = p.real("gap_m");
  const double size = p.real("body_size_m"), lean = radians(p.real("lean_deg"));
  const Vector3 down(0, -std::cos(lean), std::sin(lean));  // along the stripes at the start
  const std::vector<double>& masses = p.list("masses_kg");
  for (int k = 0; k < 3; ++k) {
    const double x = (k - 1) * p.real("spacing_m");
    model::RigidBody upper;
    upper.name = "upper_" + std::to_string(k + 1);
    upper.shape.kind = model::ShapeKind::Box;
    upper.shape.half_extents = Vector3(0.6 * width, 0.25 * size, 0.5 * size);
    upper.start.position = Vector3(x, top + upper.shape.half_extents.y() + gap, 0);
    upper.friction = p.real("friction");

    model::RigidBody lower;
    lower.name = "lower_" + std::to_string(k + 1);
    lower.mass = masses[std::size_t(k)];
    lower.friction = p.real("friction");
    double reach = size;  // distance from the body's centre to the lower border of its stripe
    if (k == 0) {
      lower.shape.kind = model::ShapeKind::Box;
      lower.shape.half_extents = Vector3(0.6 * width, size, 0.6 * size);
    } else if (k == 1) {
      lower.shape.kind = model::ShapeKind::Sphere;
      lower.shape.radius = reach = 1.2 * size;
    } else {
      lower.shape.kind = model::ShapeKind::Mesh;
      lower.shape.mesh = octahedron(1.4 * size);
      reach = 1.4 * size;
    }
    const Vector3 first(x, top, 0), last = first + length * down;
    lower.start.position = last + (reach + gap) * down;
    lower.start.orientation.col(0) = Vector3::UnitX();
    lower.start.orientation.col(1) = -down;
    lower.start.orientation.col(2) = Vector3(0, down.z(), -down.y());
    lower.angular_velocity = -p.real("twist_rad_s") * down;

    const int vertex =
        add_cloth(scene, cloth_grid(columns, rows, first - Vector3(0.5 * width, 0, 0), {width, 0, 0}, length * down));
    const int body = int(scene.rigid_bodies.size());
    scene.rigid_bodies.push_back(upper);
    scene.rigid_bodies.push_back(lower);
    for (int i = 0; i < columns; ++i) {
      scene.attachments.push_back({vertex + i, body, false});
      scene.attachments.push_back({vertex + (rows - 1) * columns + i, body + 1, true});
    }
  }
  if (p.flag("floor")) scene.colliders.push_back(floor_at(0.0, p.real("friction")));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor stripes() {
  ParameterInfo masses{"masses_kg", "kg", std::vector<double>{0.3, 0.6, 0.15}, "Masses of the three dynamic bodies."};
  masses.length = 3;
  masses.minimum = 0.0;
  masses.minimum_is_exclusive = true;
  return {"stripes", "Three stripes of cloth between static and dynamic bodies ([MHHR07] Fig. 8).",
          cloth_parameters(
              {}, {count_parameter("columns", 7, 2, "Vertices across a stripe."),
                   count_parameter("rows", 25, 3, "Vertices along a stripe."),
                   positive_parameter("width_m", "m", 0.2, "Width of a stripe."),
                   positive_parameter("length_m", "m", 0.8, "Length of a stripe."),
                   positive_parameter("spacing_m", "m", 0.5, "Distance of neighbours."),
                   positive_parameter("top_m", "m", 1.6, "Height of the upper ends above y = 0."),
                   positive_parameter("body_size_m", "m", 0.08, "Half of the size of the bodies, about."),
                   non_negative_parameter("gap_m", "m", 0.01, "Distance of the ends of the stripes from the bodies."),
                   real_parameter("lean_deg", "deg", 50.0, "Angle at which the stripes start, from the vertical."),
                   real_parameter("twist_rad_s", "rad/s", 0.0,
                                  "Spin of the dynamic bodies about their stripes at the start."),
                   masses,
                   {"floor", "", true, "A plane at y = 0."}}),
          build_stripes};
}

}  // namespace deformbench::scenes
