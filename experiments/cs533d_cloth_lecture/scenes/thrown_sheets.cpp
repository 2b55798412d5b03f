// SPDX-License-Identifier: BSD-3-Clause
// Two square sheets of cloth: the second, half open, flies down onto the first and closes like a book. [B05] §10
#include <Eigen/Geometry>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_thrown_sheets(const Parameters& p) {
  Scene scene;
  scene.name = "thrown_sheets";
  scene.cloth.area_density = p.real("area_density_kg_m2");
  const int n = int(p.integer("vertices_across"));
  const double edge = 1.0 / (n - 1), speed = p.real("speed_m_s");
  // Given, or chosen so that the flight per step is a fraction of an edge.
  const double given = p.real("time_step_s");
  scene.time_step = given > 0.0 ? given : p.real("motion_edges") * edge / speed;
  add_cloth(scene, cloth_grid(n, n, {-0.5, 0, 0.5}, {1, 0, 0}, {0, 0, -1}));
  const int first = add_cloth(scene, cloth_grid(n, n, {-0.5, 0, 0.5}, {1, 0, 0}, {0, 0, -1}));
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  // Above the first sheet, with clearance for its tilt.
  const Matrix3 turn = (Eigen::AngleAxisd(random.uniform(-0.1, 0.1), Vector3(1, 0, 0)) *
                        Eigen::AngleAxisd(random.uniform(-0.1, 0.1), Vector3(0, 0, 1)) *
                        Eigen::AngleAxisd(random.uniform(0.0, 6.3), Vector3(0, 1, 0)))
                           .toRotationMatrix();
  Points& x = scene.initial_positions;
  x = scene.cloth.rest_positions;
  scene.initial_velocities = Points::Zero(x.rows(), 3);
  // Both halves turn about the middle line; the mean rise is subtracted, so that the sheet as a whole flies down.
  const double opening = radians(p.real("opening_deg")), turning = p.real("turning_1_m") * speed;
  double mean = 0.0;
  for (Eigen::Index i = first; i < x.rows(); ++i) {
    const double along = x(i, 0), from_line = std::abs(along), side = std::copysign(1.0, along);
    x.row(i) = (turn * Vector3(side * from_line * std::sin(opening), from_line * std::cos(opening), x(i, 2)) +
                Vector3(0, 0.15, 0))
                   .transpose();
    const Vector3 closing(-side * std::cos(opening), std::sin(opening), 0.0);
    scene.initial_velocities.row(i) = (turn * (turning * from_line * closing)).transpose();
    mean += scene.initial_velocities(i, 1) / double(x.rows() - first);
  }
  scene.initial_velocities.bottomRows(x.rows() - first).col(1).array() -= mean + speed;
  // Different noise for both sheets avoids alignment.
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += 0.05 * edge * random.uniform(-1.0, 1.0);
  return scene;
}

}  // namespace

SceneDescriptor thrown_sheets() {
  return {"thrown_sheets",
          "Two square sheets of 1 m: the second flies onto the first, and folds onto itself as it flies.",
          {count_parameter("vertices_across", 16, 3, "Along their sides."),
           positive_parameter("motion_edges", "1", 0.1, "Motion of the flight in a step, in edges."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area."),
           non_negative_parameter("time_step_s", "s", 0.0, "Time step; 0: as long as motion_edges says."),
           positive_parameter("speed_m_s", "m/s", 1.0, "Of the flight."),
           positive_parameter("opening_deg", "deg", 40.0, "Between each half of the second sheet and the upright."),
           non_negative_parameter("turning_1_m", "1/m", 2.0, "How fast its halves turn, over the speed."),
           seed_parameter("Seed of its direction and of the places of the vertices.")},
          build_thrown_sheets};
}

}  // namespace deformbench::scenes
