// SPDX-License-Identifier: BSD-3-Clause
// Inflated characters drawn through the gap between rotating gears ([MHHR07] Figs. 1, 11, PBD-30), or thrown against
// each other. Characters, gears and speeds are our choice.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "experiments/mueller_et_al_2007/scenes/characters.hpp"
#include "experiments/mueller_et_al_2007/scenes/turned_parts.hpp"
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {
namespace {

/// Two gears side by side that rotate to draw objects downwards between them; the pair is turned by `yaw` about y.
void add_gear_pair(Scene& scene, const Parameters& p, double height, double yaw) {
  const double radius = p.real("gear_radius_m"), tooth = p.real("tooth_height_m");
  const int teeth = int(p.integer("teeth"));
  const double distance = 2.0 * radius + p.real("gap_m");
  const Section section = gear_section(radius, tooth, teeth, int(p.integer("points_a_tooth")));
  const model::TriangleMesh mesh = extrude(section, p.real("gear_length_m"), 6, 3, false);
  Matrix3 turn;
  turn << std::cos(yaw), 0, std::sin(yaw), 0, 1, 0, -std::sin(yaw), 0, std::cos(yaw);
  for (const double side : {-1.0, 1.0}) {
    model::RigidBody gear;
    gear.name = fmt::format("gear_{}", scene.rigid_bodies.size() + 1);
    gear.shape.kind = model::ShapeKind::Mesh;
    gear.shape.mesh = mesh;
    gear.start.position = turn * Vector3(0.5 * side * distance, 0, 0) + Vector3(0, height, 0);
    // Phase shift of half a tooth: teeth of one gear meet gaps of the other.
    const double angle = side < 0 ? 0.0 : std::numbers::pi + std::numbers::pi / teeth;
    Matrix3 phase;
    phase << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
    gear.start.orientation = turn * phase;
    gear.angular_velocity = turn * Vector3(0, 0, side * p.real("spin_rad_s"));
    gear.friction = p.real("friction");
    scene.rigid_bodies.push_back(gear);
  }
}

void add_characters(Scene& scene, const Parameters& p, double lowest) {
  const int count = int(p.integer("characters"));
  const bool falls = p.text("arrangement") == "stacked";
  const double length = p.real("length_m");
  const model::TriangleMesh mesh = character_surface(p.text("model"), int(p.integer("triangles")), length, "gears");
  const Vector3 extent = mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff();
  Points velocities = Points::Zero(count * mesh.vertex_count(), 3);
  for (int k = 0; k < count; ++k) {
    model::TriangleMesh own = mesh;
    const double angle = 2.0 * std::numbers::pi * k / count;
    Vector3 place(0, lowest + (k + 0.5) * extent.y() + k * p.real("distance_m"), 0), velocity = Vector3::Zero();
    if (!falls) {
      // On a circle, facing and flying towards the middle.
      const Vector3 outwards(std::sin(angle), 0, std::cos(angle));
      Matrix3 turn;
      turn << std::cos(angle + std::numbers::pi), 0, std::sin(angle + std::numbers::pi), 0, 1, 0,
          -std::sin(angle + std::numbers::pi), 0, std::cos(angle + std::numbers::pi);
      own.positions = (own.positions * turn.transpose()).eval();
      place = Vector3(0, lowest + 0.5 * extent.y(), 0) + (0.6 * extent.x() + p.real("distance_m")) * outwards;
      velocity = -p.real("speed_m_s") * outwards;
    }
    own.positions.rowwise() += place.transpose();
    const int first = add_cloth(scene, own);
    velocities.middleRows(first, mesh.vertex_count()).rowwise() = velocity.transpose();
  }
  if (velocities.cwiseAbs().maxCoeff() > 0) scene.initial_velocities = velocities;
}

Scene build_gears(const Parameters& p) {
  Scene scene = empty_cloth_scene("gears", p);
  const double tip = p.real("gear_radius_m") + 0.5 * p.real("tooth_height_m");
  const int pairs = int(p.integer("pairs"));
  double lowest = p.real("clearance_m");
  if (pairs > 0) {
    if (p.real("gap_m") <= 0.0) throw InputError("scene gears: gap_m must leave a way between the gears, expected > 0");
    const double below = p.real("floor_distance_m") + tip;
    for (int k = 0; k < pairs; ++k)
      add_gear_pair(scene, p, below + k * p.real("pair_distance_m"), k % 2 == 0 ? 0.0 : 0.5 * std::numbers::pi);
    lowest += below + (pairs - 1) * p.real("pair_distance_m") + 0.6 * tip;
  }
  add_characters(scene, p, lowest);
  scene.colliders.push_back(floor_at(0.0, p.real("friction")));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor gears() {
  ClothDefaults defaults;
  defaults.friction = 0.8;
  return {"gears", "Inflated characters between rotating gears, or thrown together ([MHHR07] Figs. 1, 11).",
          cloth_parameters(
              defaults,
              {{"model", "", std::string("bear"),
                "bear, quadruped, or a closed surface file (in the folder DEFORMBENCH_MODELS)."},
               count_parameter("triangles", 3000, 0, "Triangles of bear or quadruped."),
               positive_parameter("length_m", "m", 1.0, "Longest extent of a character."),
               count_parameter("characters", 1, 1, "How many."),
               choice_parameter("arrangement", "stacked", {"stacked", "circle"},
                                "One above the other, or flying towards each other."),
               non_negative_parameter("distance_m", "m", 0.3,
                                      "Room between neighbours, or additional radius of the circle."),
               non_negative_parameter("speed_m_s", "m/s", 3.0, "Speed of the flight, in a circle."),
               non_negative_parameter("clearance_m", "m", 0.1, "Height of the lowest one above gears or floor."),
               count_parameter("pairs", 1, 0, "Pairs of gears, one above the other, turned by a right angle each."),
               positive_parameter("pair_distance_m", "m", 1.5, "Height between pairs."),
               non_negative_parameter("floor_distance_m", "m", 1.1, "Height of the lowest gears above the floor."),
               positive_parameter("gear_radius_m", "m", 0.45, "Mean radius of a gear."),
               positive_parameter("gear_length_m", "m", 1.2, "Length along its axis."),
               positive_parameter("tooth_height_m", "m", 0.12, "From the foot to the tip of a tooth."),
               count_parameter("teeth", 9, 3, "Teeth of a gear."),
               count_parameter("points_a_tooth", 12, 4, "Corners of the section a tooth."),
               real_parameter("gap_m", "m", 0.16, "Room between the mean circles of a pair."),
               real_parameter("spin_rad_s", "rad/s", 1.5, "Angular velocity of the gears.")}),
          build_gears};
}

}  // namespace deformbench::scenes
