// SPDX-License-Identifier: BSD-3-Clause
// A strip of cloth, clamped at one end, that sags under its weight, in meshes of many sizes and shapes, to measure
// bending stiffness. [MHHR07] §4.1
#include <cmath>
#include <map>
#include <utility>

#include <Eigen/Geometry>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Columns from x = −(one cell) to `length`; columns 0 and 1 are clamped. Graded: cell sizes grow in the ratio 1 : 3.
std::vector<double> columns(int cells, double length, bool is_graded) {
  std::vector<double> x(std::size_t(cells) + 2);
  for (int i = 0; i <= cells; ++i) {
    const double s = double(i) / cells;
    x[std::size_t(i) + 1] = length * (is_graded ? (s + s * s) / 2.0 : s);
  }
  x[0] = x[1] - (x[2] - x[1]);
  return x;
}

model::TriangleMesh strip(const Parameters& p) {
  const std::string& cells = p.text("cells");
  const int along = int(p.integer("cells_along")), across = int(p.integer("cells_across"));
  const std::vector<double> x = columns(along, p.real("length_m"), cells == "graded");
  const int count = along + 2;
  const Vector3 corner(x.front(), 0, 0), side(x.back() - x.front(), 0, 0);
  model::TriangleMesh mesh = cloth_grid(count, across + 1, corner, side, {0, 0, -p.real("width_m")});
  for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) mesh.positions(v, 0) = x[std::size_t(v % count)];
  if (cells != "one_way" && cells != "crossed") return mesh;
  const bool is_crossed = cells == "crossed";
  const Eigen::Index corners = mesh.vertex_count(), squares = Eigen::Index(along + 1) * across;
  if (is_crossed) mesh.positions.conservativeResize(corners + squares, 3);
  mesh.triangles.resize((is_crossed ? 4 : 2) * squares, 3);
  Eigen::Index t = 0, centre = corners;
  for (int j = 0; j < across; ++j)
    for (int i = 0; i <= along; ++i) {
      const int a = j * count + i, b = a + 1, c = b + count, d = a + count;
      if (is_crossed) {
        const auto m = int(centre);
        mesh.positions.row(centre++) = (mesh.positions.row(a) + mesh.positions.row(c)) / 2.0;
        mesh.triangles.row(t++) << a, b, m;
        mesh.triangles.row(t++) << b, c, m;
        mesh.triangles.row(t++) << c, d, m;
        mesh.triangles.row(t++) << d, a, m;
      } else {
        mesh.triangles.row(t++) << a, b, c;
        mesh.triangles.row(t++) << a, c, d;
      }
    }
  return mesh;
}

/// One explicit constraint per inner edge: a distance across it, or the angle with the compliance of a plate's hinge.
void add_across_edges(Scene& scene, const Parameters& p, bool is_distance) {
  const auto& cloth = scene.cloth;
  const auto point = [&](int v) -> Vector3 { return cloth.rest_positions.row(v).transpose(); };
  std::map<std::pair<int, int>, int> opposite;  // opposite vertex, by directed edge
  for (Eigen::Index t = 0; t < cloth.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      opposite[{cloth.triangles(t, k), cloth.triangles(t, (k + 1) % 3)}] = cloth.triangles(t, (k + 2) % 3);
  for (const auto& [edge, above] : opposite) {
    const auto other = opposite.find({edge.second, edge.first});
    if (edge.first > edge.second || other == opposite.end()) continue;
    const int a = edge.first, b = edge.second, c = other->second, d = above;
    model::PositionConstraint constraint;
    if (is_distance) {
      constraint.vertices = {c, d, -1, -1};
      constraint.rest_value = (point(d) - point(c)).norm();
      constraint.stiffness = p.real("diagonal_stiffness");
    } else {
      const Vector3 along = point(b) - point(a);
      const double areas = (along.cross(point(c) - point(a)).norm() + along.cross(point(d) - point(a)).norm()) / 2.0;
      constraint.kind = model::ConstraintKind::Bend;
      constraint.vertices = {a, b, c, d};
      constraint.compliance = areas / (p.real("plate_stiffness_n_m") * along.squaredNorm());
    }
    scene.constraints.push_back(constraint);
  }
}

Scene build_clamped_strip(const Parameters& p) {
  Scene scene = empty_cloth_scene("clamped_strip", p);
  add_cloth(scene, strip(p));
  const double length = p.real("length_m");
  std::vector<int> clamp, tip;
  for (int v = 0; v < scene.cloth.vertex_count(); ++v) {
    const double x = scene.cloth.rest_positions(v, 0);
    if (x <= 1e-9 * length) clamp.push_back(v);
    if (x >= length * (1 - 1e-9)) tip.push_back(v);
  }
  hold_vertices(scene, "clamp", clamp);
  scene.vertex_sets["tip"] = tip;
  if (p.text("bend") != "mesh") add_across_edges(scene, p, p.text("bend") == "diagonal");
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor clamped_strip() {
  ClothDefaults defaults;
  defaults.friction = 0.0;
  defaults.start_noise = 0.0;
  return {
      "clamped_strip", "A level strip of cloth, clamped at one end, that sags under its weight.",
      cloth_parameters(
          defaults,
          {positive_parameter("length_m", "m", 1.0, "From the clamp to the tip."),
           positive_parameter("width_m", "m", 0.25, "Of the strip."),
           count_parameter("cells_along", 8, 1, "Rectangles from the clamp to the tip; one more is in the clamp."),
           count_parameter("cells_across", 2, 1, "Rectangles over the width."),
           choice_parameter("cells", "alternating", {"alternating", "one_way", "crossed", "graded"},
                            "Diagonals like a chessboard's or all alike, a vertex in the middle of every rectangle, or "
                            "diagonals like a chessboard's and rectangles that grow from the clamp, 1 : 3."),
           choice_parameter(
               "bend", "mesh", {"mesh", "diagonal", "hinge"},
               "What resists bending: the method's own constraints; a distance across every inner edge; an "
               "angle at every inner edge with the compliance (A1 + A2)/(D |e|²)."),
           non_negative_parameter("diagonal_stiffness", "1", 0.5, "k of the distances across."),
           positive_parameter("plate_stiffness_n_m", "N m", 1e-3, "D of the hinges.")}),
      build_clamped_strip};
}

}  // namespace deformbench::scenes
