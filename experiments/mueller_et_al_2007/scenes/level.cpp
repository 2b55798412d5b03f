// SPDX-License-Identifier: BSD-3-Clause
// A courtyard with cloths and moving obstacles, its walls, stairs and arches one large static triangle mesh: [MHHR07]
// §5.5, Figure 12. The paper gives no dimensions of its game level: all are our choice.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "experiments/mueller_et_al_2007/scenes/level_pieces.hpp"
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

// Metres. The arcade stands in the plane z = 0, three bays of kBay; arches of radius kArch begin at kSpring.
constexpr double kBay = 2.4, kArch = 0.9, kSpring = 1.4;
constexpr double kClothGap = 0.03;  // between cloth and its support

model::TriangleMesh courtyard(double cell) {
  LevelSurface level(cell);
  level.add_floor({-5, 0, -4}, {5, 0, 4});
  level.add_box({-5, 0, -4.3}, {5, 2.6, -4});  // walls: back, left, right, a low one in front
  level.add_box({-5.3, 0, -4.3}, {-5, 2.6, 4.3});
  level.add_box({5, 0, -4.3}, {5.3, 2.6, 4.3});
  level.add_box({-5, 0, 4}, {5, 0.3, 4.3});
  level.add_stairs({2.0, 0, -2.9}, 1.6, 0.28, 0.18, 6, 1.3);
  level.add_arcade({-0.6, 0, 0}, 3, kBay, kArch, kSpring, 0.3);
  for (const double x : {-3.9, -2.0})
    for (const double z : {1.6, 3.2}) level.add_pillar({x, 0, z}, 0.15, 1.3);
  level.add_box({-4.4, 0, -3.0}, {-3.7, 0.7, -2.3});  // crates
  level.add_box({-3.4, 0, -3.5}, {-2.9, 0.5, -3.0});
  level.add_box({3.9, 0, 2.4}, {4.5, 0.6, 3.0});
  return level.mesh();
}

/// Number of vertices along a side of `length` (m) with edges of about `edge`.
int vertices_for(double length, double edge) {
  return std::max(3, int(std::lround(length / edge)) + 1);
}

struct Cloths {
  Scene& scene;
  double edge;
  std::vector<int> held;

  /// Adds a rectangle; returns its first vertex, and its number of columns and rows.
  std::array<int, 3> add(const Vector3& corner, const Vector3& along, const Vector3& across) {
    const int columns = vertices_for(along.norm(), edge), rows = vertices_for(across.norm(), edge);
    return {add_cloth(scene, cloth_grid(columns, rows, corner, along, across)), columns, rows};
  }
  /// A cloth that hangs by its upper border from `from` to `to`.
  void hang(const Vector3& from, const Vector3& to, double height) {
    const auto [first, columns, rows] = add(from - Vector3(0, height, 0), to - from, {0, height, 0});
    for (int i = 0; i < columns; ++i) held.push_back(first + (rows - 1) * columns + i);
  }
};

void add_hanging_cloths(Cloths& cloths) {
  // A curtain in the left arch, five strips in the right one, a banner on the back wall.
  const double left = -0.6 - kBay, right = -0.6 + kBay, chord = 0.8 * kArch;
  const double top = kSpring + 0.5 * kArch;
  cloths.hang({left - chord, top, 0}, {left + chord, top, 0}, 1.6);
  for (int k = 0; k < 5; ++k) {
    const double pitch = 2.0 * chord / 5, x = right - chord + k * pitch;
    cloths.hang({x + 0.1 * pitch, top, 0}, {x + 0.9 * pitch, top, 0}, 1.5);
  }
  cloths.hang({-1.6, 2.4, -4 + kClothGap}, {-0.2, 2.4, -4 + kClothGap}, 1.7);
}

void add_hammock(Cloths& cloths) {
  // Held by its corners above four pillars.
  const auto [first, columns, rows] = cloths.add({-3.9, 1.3 + kClothGap, 3.2}, {1.9, 0, 0}, {0, 0, -1.6});
  for (const int corner : {0, columns - 1, (rows - 1) * columns, rows * columns - 1})
    cloths.held.push_back(first + corner);
}

void add_flag(Cloths& cloths, double spin, double friction) {
  // On a pole that turns: attached along one side.
  constexpr double kPole = 0.05, kReach = 1.1, kTop = 2.5, kHeight = 0.75;
  Scene& scene = cloths.scene;
  model::RigidBody pole;
  pole.name = "pole";
  pole.shape.kind = model::ShapeKind::Capsule;
  pole.shape.radius = kPole;
  pole.shape.half_length = 0.5 * kTop;
  pole.start.position = Vector3(3.4, 0.5 * kTop + kPole, 1.4);
  pole.angular_velocity = Vector3(0, spin, 0);
  pole.friction = friction;
  const int body = int(scene.rigid_bodies.size());
  scene.rigid_bodies.push_back(pole);
  const Vector3 corner = pole.start.position + Vector3(kPole + kClothGap, 0.5 * kTop - kHeight, 0);
  const auto [first, columns, rows] = cloths.add(corner, {kReach, 0, 0}, {0, kHeight, 0});
  for (int j = 0; j < rows; ++j) scene.attachments.push_back({first + j * columns, body, false});
}

model::RigidBody obstacle(const char* name, model::ShapeKind kind, const Vector3& position, double friction) {
  model::RigidBody body;
  body.name = name;
  body.shape.kind = kind;
  body.start.position = position;
  body.friction = friction;
  return body;
}

void add_obstacles(Scene& scene, double spin, double friction) {
  // A sphere that swings through the curtain, a capsule through the strips, a box along the banner, a turning box.
  auto sphere = obstacle("sphere", model::ShapeKind::Sphere, {-0.6 - kBay, 0.9, 1.3}, friction);
  sphere.shape.radius = 0.3;
  sphere.swing = Vector3(0, 0, -1.3);
  sphere.swing_period = 4.0;
  auto capsule = obstacle("capsule", model::ShapeKind::Capsule, {-0.6 + kBay, 0.9, -1.2}, friction);
  capsule.shape.radius = 0.2;
  capsule.shape.half_length = 0.35;
  capsule.swing = Vector3(0, 0, 1.2);
  capsule.swing_period = 3.0;
  auto box = obstacle("box", model::ShapeKind::Box, {-0.9, 1.1, -3.5}, friction);
  box.shape.half_extents = Vector3(0.2, 0.2, 0.2);
  box.swing = Vector3(0, 0, -0.27);
  box.swing_period = 2.5;
  auto turning = obstacle("turning_box", model::ShapeKind::Box, {-0.6, 0.45, -1.7}, friction);
  turning.shape.half_extents = Vector3(0.55, 0.15, 0.3);
  turning.angular_velocity = Vector3(0, spin, 0);
  scene.rigid_bodies.insert(scene.rigid_bodies.end(), {sphere, capsule, box, turning});
}

void add_balls(Scene& scene, int count, double friction) {
  for (int k = 0; k < count; ++k) {
    auto ball = obstacle("ball", model::ShapeKind::Sphere, {-3.05 + 0.2 * (k % 2), 2.0 + 0.1 * k, 2.35 + 0.1 * (k % 3)},
                         friction);
    ball.name += "_" + std::to_string(k + 1);
    ball.shape.radius = 0.16;
    ball.mass = 0.25;
    ball.start_time = 0.8 + 1.2 * k;
    scene.rigid_bodies.push_back(ball);
  }
}

Scene build_level(const Parameters& p) {
  Scene scene = empty_cloth_scene("level", p);
  const double friction = p.real("friction"), spin = p.real("spin_rad_s");
  model::RigidBody level = obstacle("level", model::ShapeKind::Mesh, Vector3::Zero(), friction);
  level.shape.mesh = courtyard(p.real("level_cell_m"));
  scene.rigid_bodies.push_back(level);
  Cloths cloths{scene, p.real("edge_m"), {}};
  add_hanging_cloths(cloths);
  add_hammock(cloths);
  add_flag(cloths, spin, friction);
  cloths.add({1.9, 1.35, -2.3}, {1.3, 0, 0}, {0, 0, -1.2});   // falls on the stairs
  cloths.add({-1.3, 0.75, -1.1}, {1.4, 0, 0}, {0, 0, -1.2});  // falls on the turning box
  cloths.add({-4.5, 0.9, -2.1}, {1.0, 0, 0}, {0, 0, -1.1});   // falls on a crate
  hold_vertices(scene, "held", cloths.held);
  add_obstacles(scene, spin, friction);
  add_balls(scene, int(p.integer("balls")), friction);
  scene.colliders.push_back(floor_at(0.0, friction));  // for the balls, which only the plane supports
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor level() {
  ClothDefaults defaults;
  defaults.start_noise = 1e-3;
  return {
      "level", "A courtyard with many cloths and moving obstacles ([MHHR07] Fig. 12).",
      cloth_parameters(
          defaults, {positive_parameter("edge_m", "m", 0.05, "Length, about, of the sides of the cloths' triangles."),
                     positive_parameter("level_cell_m", "m", 0.25,
                                        "Size, about, of the squares that floor and walls are made of."),
                     real_parameter("spin_rad_s", "rad/s", 1.2, "Angular velocity of flagpole and turning box."),
                     count_parameter("balls", 2, 0, "Balls that drop into the hammock, one after the other.")}),
      build_level};
}

}  // namespace deformbench::scenes
