// SPDX-License-Identifier: BSD-3-Clause
// A sheet of cloth between two held ends that counter-rotate many times, so that it winds onto itself. [B05] §10 to
// §13
#include <numbers>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_twisted_sheet(const Parameters& p) {
  Scene scene;
  scene.name = "twisted_sheet";
  scene.cloth.area_density = p.real("area_density_kg_m2");
  scene.time_step = p.real("time_step_s");
  const int along = int(p.integer("edges_along")), across = int(p.integer("edges_across"));
  const double length = p.real("length_m"), edge = length / along, width = across * edge;
  // Rows run across the sheet; the rotation axis is its middle line.
  add_cloth(scene, cloth_grid(across + 1, along + 1, {-0.5 * length, 0, 0.5 * width}, {0, 0, -width}, {length, 0, 0}));
  std::vector<int> left, right;
  for (int j = 0; j <= across; ++j) {
    left.push_back(j);
    right.push_back(along * (across + 1) + j);
  }
  hold_vertices(scene, "left", left);
  hold_vertices(scene, "right", right);
  for (std::size_t k = 0; k < 2; ++k) {
    const double side = k == 0 ? -1.0 : 1.0;
    model::PrescribedMotion& end = scene.prescribed[k];
    end.axis = Vector3::UnitX();
    end.angle = side * std::numbers::pi * p.real("turns");
    end.translation = {-0.5 * side * p.real("approach_share") * length, 0, 0};
    end.ramp.end = p.real("duration_s");
  }
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  scene.initial_positions = scene.cloth.rest_positions;
  for (Eigen::Index i = across + 1; i < scene.vertex_count() - across - 1; ++i)
    for (int c = 0; c < 3; ++c) scene.initial_positions(i, c) += 0.05 * edge * random.uniform(-1.0, 1.0);
  return scene;
}

}  // namespace

SceneDescriptor twisted_sheet() {
  return {"twisted_sheet",
          "A sheet between two held ends that turn against each other, many times, and may come nearer meanwhile.",
          {positive_parameter("length_m", "m", 1.0, "Between the ends."),
           count_parameter("edges_along", 24, 2, "Of the sheet."),
           count_parameter("edges_across", 12, 1, "Of the sheet; its squares are as long as wide."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area."),
           non_negative_parameter("turns", "1", 4.0, "Of one end against the other, in the whole duration."),
           real_parameter("approach_share", "1", 0.2, "How much nearer the ends come, over the length."),
           positive_parameter("duration_s", "s", 2.0, "Of the turns."),
           positive_parameter("time_step_s", "s", 5e-3, "Time step."),
           seed_parameter("Seed of the places of the vertices.")},
          build_twisted_sheet};
}

}  // namespace deformbench::scenes
