// SPDX-License-Identifier: BSD-3-Clause
// A long, narrow strip of cloth: flat and free, clamped at one end, or folded over between two held legs.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/cs533d_cloth_lecture/scenes/flat_meshes.hpp"
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Point at arc length s of a half circle of radius r between two straight legs; s = 0 in the middle.
Vector3 on_fold(double s, double y, double radius) {
  const double half = 0.5 * std::numbers::pi * radius;
  const double turned = std::clamp(s / radius, -0.5 * std::numbers::pi, 0.5 * std::numbers::pi);
  const double leg = std::max(0.0, std::abs(s) - half);
  return {radius * std::cos(turned) - leg, y, radius * std::sin(turned)};
}

Scene build_long_strip(const Parameters& p) {
  Scene scene;
  scene.name = "long_strip";
  const double spacing = p.real("spacing_m"), gap = p.real("gap") * spacing;
  const model::TriangleMesh mesh =
      flat_mesh(p.text("mesh"), int(p.integer("cells_along")) + 1, int(p.integer("cells_across")) + 1, spacing, 1);
  add_cloth(scene, mesh);
  scene.cloth.area_density = p.real("area_density_kg_m2");
  scene.time_step = p.real("time_step_s");
  scene.gravity = {0.0, 0.0, -p.real("gravity_m_s2")};
  if (p.flag("clamped")) {
    // Two vertices along the strip, to hold the tangent, too.
    std::vector<int> root;
    const double end = scene.cloth.rest_positions.col(0).minCoeff() + 1.01 * spacing;
    for (Eigen::Index i = 0; i < scene.cloth.vertex_count(); ++i)
      if (scene.cloth.rest_positions(i, 0) < end) root.push_back(int(i));
    hold_vertices(scene, "root", root);
  } else if (gap > 0.0) {
    const Points rest = scene.cloth.rest_positions;
    scene.initial_positions.resize(rest.rows(), 3);
    // The bending part is a fifth longer than a half circle between the ends, so the legs press together.
    const double end = 1.2 * 0.25 * std::numbers::pi * gap;
    std::vector<int> held;
    for (Eigen::Index i = 0; i < rest.rows(); ++i) {
      scene.initial_positions.row(i) = on_fold(rest(i, 0), rest(i, 1), 0.5 * gap);
      if (std::abs(rest(i, 0)) < end) continue;
      held.push_back(int(i));
    }
    // Held at the start positions, not at rest positions.
    model::PrescribedMotion hold;
    hold.vertices = held;
    hold.targets = scene.initial_positions(held, Eigen::all);
    scene.prescribed.push_back(hold);
  }
  return scene;
}

}  // namespace

SceneDescriptor long_strip() {
  return {"long_strip",
          "A narrow strip of cloth, flat and free, clamped at one end, or folded between two held legs.",
          {choice_parameter("mesh", "right", {"right", "equilateral"}, "Triangulation."),
           positive_parameter("spacing_m", "m", 0.01, "Distance of neighbours."),
           count_parameter("cells_along", 40, 4, "Cells along the strip."),
           count_parameter("cells_across", 1, 1, "Cells across."),
           non_negative_parameter("gap", "1", 0.0, "Distance of the legs when folded, in spacings; 0: flat and free."),
           {"clamped", "", false, "Hold one end, with its tangent; it is then not folded."},
           non_negative_parameter("gravity_m_s2", "m/s^2", 0.0, "Acceleration of gravity, along -z."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area."),
           positive_parameter("time_step_s", "s", 0.001, "Time step.")},
          build_long_strip};
}

}  // namespace deformbench::scenes
