// SPDX-License-Identifier: BSD-3-Clause
// A sheet hangs over a fixed cylinder like a belt; its ends are pulled down, one of them more. The cylinder is
// smooth, or a triangle mesh turned relative to the sheet's mesh. [B05] §13
#include <Eigen/Geometry>
#include <array>
#include <map>
#include <numbers>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// Turns of the cylinder's mesh up to 45°: squares with alternating diagonals are symmetric under 90° turns and
/// reflection.
constexpr int kTurns = 20;
double turn_of(int k) {
  return 0.25 * std::numbers::pi * k / (kTurns - 1);
}

/// A piece of a cylinder about z that extends from (0, radius, middle) by at least `reach[0]` (m) around the cylinder
/// and `reach[1]` along it: split squares of side `edge`, turned by turn_of(turn) and shifted by `shift` sides in the
/// surface. The numbers of vertices and triangles are the same for all turns and shifts.
model::TriangleMesh turned_patch(double radius, double edge, double middle, const std::array<double, 2>& reach,
                                 int turn, const Eigen::Vector2d& shift) {
  const int most = int(std::ceil(std::hypot(reach[0], reach[1]) / edge)) + 2;
  const auto is_inside = [&](const std::array<int, 2>& c) {
    for (int k = 0; k < kTurns; ++k) {
      const Eigen::Vector2d at = edge * (Eigen::Rotation2Dd(turn_of(k)) * Eigen::Vector2d(c[0], c[1]));
      if (std::abs(at[0]) <= reach[0] && std::abs(at[1]) <= reach[1]) return true;
    }
    return false;
  };
  std::map<std::array<int, 2>, int> numbers;
  std::vector<std::array<int, 3>> triangles;
  const auto add = [&](const std::array<std::array<int, 2>, 3>& corners) {
    for (const auto& corner : corners)
      if (!is_inside(corner)) return;
    std::array<int, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) triangle[k] = numbers.insert({corners[k], int(numbers.size())}).first->second;
    triangles.push_back(triangle);
  };
  for (int j = -most; j < most; ++j)
    for (int i = -most; i < most; ++i) {
      const std::array<int, 2> a{i, j}, b{i + 1, j}, c{i + 1, j + 1}, d{i, j + 1};
      const bool is_even = (i + j) % 2 == 0;
      add(is_even ? std::array{a, c, b} : std::array{a, d, b});  // seen from outside
      add(is_even ? std::array{a, d, c} : std::array{b, d, c});
    }
  model::TriangleMesh mesh{Points(Eigen::Index(numbers.size()), 3), Triangles(Eigen::Index(triangles.size()), 3)};
  for (const auto& [at, number] : numbers) {
    const Eigen::Vector2d flat = edge * (Eigen::Rotation2Dd(turn_of(turn)) * (Eigen::Vector2d(at[0], at[1]) + shift));
    const double angle = flat[0] / radius;
    mesh.positions.row(number) << radius * std::sin(angle), radius * std::cos(angle), middle + flat[1];
  }
  for (std::size_t t = 0; t < triangles.size(); ++t)
    mesh.triangles.row(Eigen::Index(t)) << triangles[t][0], triangles[t][1], triangles[t][2];
  return mesh;
}

/// Point of a belt over the cylinder that continues straight down on both sides.
Vector3 on_belt(double radius, double s, double z) {
  const double quarter = 0.5 * std::numbers::pi * radius;
  if (std::abs(s) <= quarter) return {radius * std::sin(s / radius), radius * std::cos(s / radius), z};
  return {std::copysign(radius, s), quarter - std::abs(s), z};
}

void pull_row(Scene& scene, int first, int count, double force, double start, double end) {
  for (int k = 0; k < count; ++k) {
    // The two border vertices carry half the width of the others.
    const double share = (k == 0 || k + 1 == count ? 0.5 : 1.0) / (count - 1);
    model::PointLoad load;
    load.vertex = first + k;
    load.force = {0.0, -share * force, 0.0};
    load.ramp.start = start;
    load.ramp.end = end;
    scene.point_loads.push_back(load);
  }
}

Scene build_pulled_sheet(const Parameters& p) {
  Scene scene;
  scene.name = "pulled_sheet";
  scene.cloth.area_density = p.real("area_density_kg_m2");
  scene.time_step = p.real("time_step_s");
  const double radius = p.real("radius_m"), body_edge = radius / p.real("edges_in_radius");
  const double edge = p.real("edge_ratio") * body_edge;
  const int along = int(p.integer("edges_along")), across = int(p.integer("edges_across"));
  const double length = along * edge, width = across * edge;

  if (p.text("body") == "mesh") {
    // The first seed aligns edges with the generators.
    const long long seed = p.integer("seed");
    numerics::RandomStream random{std::uint64_t(seed)};
    const Eigen::Vector2d shift(random.uniform(), random.uniform());
    // The contact region plus three squares.
    const std::array<double, 2> reach{0.5 * std::numbers::pi * radius + 3.0 * body_edge, 0.5 * width + 3.0 * body_edge};
    const model::TriangleMesh body =
        turned_patch(radius, body_edge, 0.5 * width, reach, int((seed - 1) % kTurns), shift);
    const int count = int(body.vertex_count());
    add_cloth(scene, body);
    std::vector<int> vertices;
    for (int i = 0; i < count; ++i) vertices.push_back(i);
    hold_vertices(scene, "body", std::move(vertices));
  } else {
    model::RigidBody body;
    body.name = "cylinder";
    body.shape.kind = model::ShapeKind::Capsule;
    body.shape.radius = radius;
    body.shape.half_length = 2.0 * width;
    body.start.position = {0.0, 0.0, 0.5 * width};
    body.start.orientation = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3::UnitX()).toRotationMatrix();
    scene.rigid_bodies.push_back(body);
  }

  // Stacked sheets, the pulled one outermost. Vertex (i, j) of a sheet has index first + i·(across + 1) + j, i along
  // and j across the belt.
  const int layers = int(p.integer("layers")), sheet = (along + 1) * (across + 1);
  const int bottom = int(scene.cloth.vertex_count()), first = bottom + (layers - 1) * sheet;
  for (int l = 0; l < layers; ++l)
    add_cloth(scene, cloth_grid(across + 1, along + 1, Vector3::Zero(), {width, 0, 0}, {0, length, 0}));
  Points& start = scene.initial_positions;
  start = scene.cloth.rest_positions;
  std::vector<int> held;
  for (int l = 0; l < layers; ++l) {
    // The sheet's faces are nearer to the axis than its vertices, by edge²/8R; the cylinder's vertices lie on the
    // cylinder.
    const double outer = radius + 2.0 * (l + 1) * edge * edge / (8.0 * radius);
    for (int i = 0; i <= along; ++i)
      for (int j = 0; j <= across; ++j) {
        const int vertex = bottom + l * sheet + i * (across + 1) + j;
        // Staggers the edges of consecutive sheets.
        start.row(vertex) =
            on_belt(outer, (i + 0.37 * (l % 3)) * edge - 0.5 * length, (j + 0.23 * (l % 3)) * edge).transpose();
        if (l + 1 < layers && (i == 0 || i == along)) held.push_back(vertex);
      }
  }
  if (!held.empty()) {
    scene.vertex_sets["ends"] = held;
    model::PrescribedMotion motion;
    motion.vertices = held;
    motion.targets.resize(Eigen::Index(held.size()), 3);
    for (std::size_t k = 0; k < held.size(); ++k) motion.targets.row(Eigen::Index(k)) = start.row(held[k]);
    scene.prescribed.push_back(motion);
  }
  // Tension T over a half turn gives the normal force N = πT; the pull is the difference of the end tensions.
  const double tension = p.real("tension_n_per_m") * width;
  const double pull = p.real("pull_over_normal") * std::numbers::pi * tension;
  const double settled = p.real("settle_s");
  const int last = first + along * (across + 1);
  for (const int row : {first, last}) pull_row(scene, row, across + 1, tension, 0.0, 0.5 * settled);
  pull_row(scene, first, across + 1, -0.5 * pull, settled, settled);
  pull_row(scene, last, across + 1, 0.5 * pull, settled, settled);
  return scene;
}

}  // namespace

SceneDescriptor pulled_sheet() {
  return {"pulled_sheet",
          "A sheet over a fixed cylinder of triangles, or a smooth one, with both ends pulled down, one of them more.",
          {positive_parameter("radius_m", "m", 0.1, "R of the cylinder, on which its vertices lie."),
           positive_parameter("edges_in_radius", "1", 10.0, "R over the edge of the cylinder's squares."),
           positive_parameter("edge_ratio", "1", 1.0, "Edge of the sheet's squares over that of the cylinder's."),
           count_parameter("edges_along", 40, 2, "Of the sheet, round the cylinder."),
           count_parameter("edges_across", 2, 1, "Of the sheet, along the axis."),
           choice_parameter("body", "mesh", {"mesh", "smooth"}, "Cylinder of triangles, or a smooth one."),
           count_parameter("layers", 2, 1, "Sheets, of which the outermost is pulled; ends of the others are held."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area."),
           positive_parameter("tension_n_per_m", "N/m", 1.0, "Mean force on both ends per width."),
           non_negative_parameter("pull_over_normal", "1", 0.1,
                                  "Difference of the ends' forces over the normal force, π times the tension."),
           non_negative_parameter("settle_s", "s", 0.05, "Time before the ends' forces differ."),
           positive_parameter("time_step_s", "s", 1e-3, "Time step."),
           seed_parameter(
               "The cylinder's mesh is turned by (seed − 1)/19 of 45°, from seed 21 on again, and moved at random.")},
          build_pulled_sheet};
}

}  // namespace deformbench::scenes
