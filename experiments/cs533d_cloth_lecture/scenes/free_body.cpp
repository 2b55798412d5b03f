// SPDX-License-Identifier: BSD-3-Clause
// A free, spinning sheet of cloth or block of tetrahedra that starts twisted, bent or crumpled.
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

enum Stream : std::uint64_t { kWaves = 1, kNoise, kSpeeds };

/// Sum of waves along z with random directions and phases, up to four per side; amplitude at most 1.
double crumple(const Vector3& place, std::uint64_t seed) {
  numerics::RandomStream random(seed, kWaves);
  double sum = 0.0;
  for (int k = 0; k < 6; ++k) {
    const double direction = random.uniform(0.0, 2.0 * std::numbers::pi);
    const double number = random.uniform(1.0, 4.0), phase = random.uniform(0.0, 2.0 * std::numbers::pi);
    const double along = std::cos(direction) * place[0] + std::sin(direction) * place[1];
    sum += std::sin(2.0 * std::numbers::pi * number * along + phase) / 6.0;
  }
  return sum;
}

Scene build_free_body(const Parameters& p) {
  Scene scene;
  scene.name = "free_body";
  scene.time_step = p.real("time_step_s");
  const int cells = int(p.integer("cells"));
  const double side = p.real("side_m"), cell = side / cells;
  if (p.text("body") == "sheet") {
    const model::TriangleMesh piece =
        cloth_grid(cells + 1, cells + 1, {-side / 2, -side / 2, 0}, {side, 0, 0}, {0, side, 0});
    add_cloth(scene, piece);
    scene.cloth.area_density = p.real("area_density_kg_m2");
  } else {
    const double across = 2.0 * cell;
    scene.tet_mesh = model::make_block({cells, 2, 2}, {-side / 2, -across / 2, -across / 2}, {side, across, across},
                                       model::BlockSplit::AlternatingFive);
    scene.materials = {material_of(p)};
  }
  const Points rest = scene.rest_positions();
  const double amplitude = p.real("amplitude") * side;
  const std::uint64_t seed = std::uint64_t(p.integer("seed"));
  const Vector3 spin = vector_of(p, "angular_velocity_rad_s"), velocity = vector_of(p, "velocity_m_s");
  const Matrix3 turn = Eigen::AngleAxisd(radians(p.real("turn_deg")), Vector3::UnitZ()).toRotationMatrix();
  const Points noise = normal_points(p, kNoise, rest.rows(), p.real("noise") * cell);
  const Points speeds = normal_points(p, kSpeeds, rest.rows(), p.real("speed_m_s"));
  scene.initial_positions = rest;
  scene.initial_velocities = speeds;
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    Vector3 x = rest.row(i);
    if (p.text("start") == "twisted")  // linearised rotation by an angle growing along x
      x += 4.0 * amplitude / (side * side) * x[0] * Vector3(0, -x[2], x[1]);
    else if (p.text("start") == "bent")
      x[2] += 4.0 * amplitude * x[0] * x[0] / (side * side);
    else
      x[2] += amplitude * crumple(x / side, seed);
    x += noise.row(i);
    x = turn * x;
    scene.initial_positions.row(i) = x;
    scene.initial_velocities.row(i) += (velocity + spin.cross(x)).transpose();
  }
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor free_body() {
  return {"free_body",
          "A sheet or a block that floats freely, spins, and starts twisted, bent or crumpled.",
          {choice_parameter("body", "sheet", {"sheet", "block"}, "Square cloth, or a bar of square section."),
           count_parameter("cells", 10, 2, "Cells along a side; a block is two cells thick."),
           positive_parameter("side_m", "m", 1.0, "Side of the sheet, length of the block."),
           choice_parameter("start", "twisted", {"twisted", "bent", "crumpled"}, "What the start is displaced by."),
           non_negative_parameter("amplitude", "1", 0.0, "Of the displacement, over the side."),
           non_negative_parameter("noise", "1", 0.0, "Normal displacement of every vertex, over a cell."),
           non_negative_parameter("speed_m_s", "m/s", 0.0, "Normal velocity of every vertex."),
           real_parameter("turn_deg", "deg", 0.0, "About z, of the whole start, before it moves."),
           vector_parameter("velocity_m_s", "m/s", {0, 0, 0}, "Initial velocity of the whole."),
           vector_parameter("angular_velocity_rad_s", "rad/s", {0, 0, 0}, "Initial angular velocity."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area of a sheet."),
           positive_parameter("young_modulus_pa", "Pa", 1e5, "Of a block."), poisson_parameter(0.33),
           positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Of a block."),
           positive_parameter("time_step_s", "s", 0.001, "Time step."), bounded_parameter(),
           seed_parameter("Seed of crumples, noise and velocities.")},
          build_free_body};
}

}  // namespace deformbench::scenes
