// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/cloth_pieces.hpp"

#include <iterator>
#include <set>
#include <utility>

namespace deformbench::scenes {

model::TriangleMesh cloth_grid(int columns, int rows, const Vector3& corner, const Vector3& along,
                               const Vector3& across) {
  model::TriangleMesh mesh;
  mesh.positions.resize(columns * rows, 3);
  mesh.triangles.resize(2 * (columns - 1) * (rows - 1), 3);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      mesh.positions.row(j * columns + i) =
          corner + double(i) / (columns - 1) * along + double(j) / (rows - 1) * across;
  int t = 0;
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i, b = a + 1, c = b + columns, d = a + columns;
      if ((i + j) % 2 == 0) {
        mesh.triangles.row(t++) << a, b, c;
        mesh.triangles.row(t++) << a, c, d;
      } else {
        mesh.triangles.row(t++) << a, b, d;
        mesh.triangles.row(t++) << b, c, d;
      }
    }
  return mesh;
}

int add_cloth(Scene& scene, const model::TriangleMesh& piece) {
  auto& cloth = scene.cloth;
  const Eigen::Index first = cloth.vertex_count(), triangles = cloth.triangle_count();
  cloth.rest_positions.conservativeResize(first + piece.vertex_count(), 3);
  cloth.rest_positions.bottomRows(piece.vertex_count()) = piece.positions;
  cloth.triangles.conservativeResize(triangles + piece.triangle_count(), 3);
  cloth.triangles.bottomRows(piece.triangle_count()) = piece.triangles.array() + int(first);
  return int(first);
}

void hold_vertices(Scene& scene, const std::string& set_name, std::vector<int> vertices) {
  scene.vertex_sets[set_name] = std::move(vertices);
  hold(scene, set_name);
}

Scene cloth_hung_by_corners(const std::string& name, const Parameters& p) {
  Scene scene = empty_cloth_scene(name, p);
  const int n = int(p.integer("vertices_across"));
  const double side = p.real("side_m");
  add_cloth(scene, cloth_grid(n, n, Vector3::Zero(), {side, 0, 0}, {0, 0, -side}));
  hold_vertices(scene, "corners", {0, n - 1});
  return scene;
}

ParameterSpec square_parameters(const ClothDefaults& defaults, long long vertices_across, ParameterSpec own) {
  ParameterSpec spec{positive_parameter("side_m", "m", 1.0, "Side of the square."),
                     count_parameter("vertices_across", vertices_across, 2, "N: the cloth has N × N vertices.")};
  spec.insert(spec.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  spec.push_back(bounded_parameter());
  return cloth_parameters(defaults, std::move(spec));
}

void disturb_start(Scene& scene, const Parameters& parameters) {
  const double deviation = parameters.real("start_noise_m");
  if (deviation == 0.0) return;
  std::set<int> kept;
  for (const auto& motion : scene.prescribed) kept.insert(motion.vertices.begin(), motion.vertices.end());
  for (const auto& attachment : scene.attachments) kept.insert(attachment.vertex);
  Points noise = normal_points(parameters, 1, scene.cloth.vertex_count(), deviation);
  for (const int v : kept) noise.row(v).setZero();
  scene.initial_positions = scene.start_positions() + noise;
}

model::PlaneCollider floor_at(double height, double friction) {
  model::PlaneCollider plane;
  plane.normal = Vector3::UnitY();
  plane.offset = height;
  plane.friction = friction;
  return plane;
}

ParameterSpec cloth_parameters(const ClothDefaults& defaults, ParameterSpec own) {
  ParameterSpec spec{
      positive_parameter("area_density_kg_m2", "kg/m^2", defaults.area_density, "Mass of the cloth per area."),
      vector_parameter("gravity_m_s2", "m/s^2", {0, -9.81, 0}, "Acceleration of gravity."),
      positive_parameter("time_step_s", "s", defaults.time_step, "Time step."),
      non_negative_parameter("friction", "1", defaults.friction, "Coulomb's coefficient of floor and bodies."),
      non_negative_parameter("start_noise_m", "m", defaults.start_noise,
                             "Standard deviation of every component of the start positions about the rest positions."),
      seed_parameter("Seed of the start positions."),
  };
  spec.insert(spec.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  return spec;
}

Scene empty_cloth_scene(const std::string& name, const Parameters& parameters) {
  Scene scene;
  scene.name = name;
  scene.cloth.area_density = parameters.real("area_density_kg_m2");
  scene.gravity = vector_of(parameters, "gravity_m_s2");
  scene.time_step = parameters.real("time_step_s");
  return scene;
}

}  // namespace deformbench::scenes
