// SPDX-License-Identifier: BSD-3-Clause
// Stacked layers of cloth, one folded strip or separate sheets, that fall on a floor of held cloth, or of which the
// upper half falls on the lower half. [B05] §12
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// One strip folded alternately at x = 0 and x = 1: `cells` squares per layer, and one upright square as high as the
/// gap at each fold; the strip is one square wide.
model::TriangleMesh folded_strip(int layers, int cells, double gap) {
  model::TriangleMesh mesh;
  const int columns = layers * (cells + 1);
  mesh.positions.resize(2 * columns, 3);
  mesh.triangles.resize(2 * (columns - 1), 3);
  for (int c = 0; c < columns; ++c) {
    const int layer = c / (cells + 1), at = c % (cells + 1);
    const double x = double(layer % 2 == 0 ? at : cells - at) / cells;
    for (int side = 0; side < 2; ++side) mesh.positions.row(2 * c + side) << x, layer * gap, -side / double(cells);
    if (c + 1 == columns) continue;
    mesh.triangles.row(2 * c) << 2 * c, 2 * c + 2, 2 * c + 3;
    mesh.triangles.row(2 * c + 1) << 2 * c, 2 * c + 3, 2 * c + 1;
  }
  return mesh;
}

Scene build_layer_stack(const Parameters& p) {
  Scene scene;
  scene.name = "layer_stack";
  scene.cloth.area_density = p.real("area_density_kg_m2");
  scene.time_step = p.real("time_step_s");
  const int layers = int(p.integer("layers")), cells = int(p.integer("cells"));
  const double motion = p.real("speed_m_s") * scene.time_step, gap = p.real("gap_share") * motion;
  const double shift = p.real("shift_m");
  const bool has_floor = p.text("below") == "floor", is_folded = p.text("cloth") == "folded";
  std::vector<int> layer_of;
  int floor_vertices = 0;
  if (has_floor) {
    add_cloth(scene, cloth_grid(2, 2, {-1.0, 0, 1.0}, {3.0, 0, 0}, {0, 0, -3.0}));
    layer_of.assign(4, -1);
    floor_vertices = 4;
  }
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  if (is_folded) {
    model::TriangleMesh strip = folded_strip(layers, cells, gap);
    strip.positions.col(1).array() += gap;
    add_cloth(scene, strip);
    for (int c = 0; c < layers * (cells + 1); ++c) layer_of.insert(layer_of.end(), 2, c / (cells + 1));
  } else {
    for (int l = 0; l < layers; ++l) {
      add_cloth(scene, cloth_grid(cells + 1, cells + 1, {l * shift, (l + 1) * gap, 0}, {1, 0, 0}, {0, 0, -1}));
      layer_of.insert(layer_of.end(), std::size_t((cells + 1) * (cells + 1)), l);
    }
  }
  // A heavy plate on top: its mass comes from a larger rest shape.
  const double load = p.real("load_ratio");
  int plate = int(layer_of.size());
  if (load > 0.0) {
    const double side = std::sqrt(load * layers / (is_folded ? cells : 1));
    plate = add_cloth(scene, cloth_grid(2, 2, {-0.5 * side, 0, 0.5 * side}, {side, 0, 0}, {0, 0, -side}));
    layer_of.insert(layer_of.end(), 4, layers);
  }
  Points& x = scene.initial_positions;
  x = scene.cloth.rest_positions;
  if (load > 0.0)
    x.bottomRows(4) = cloth_grid(2, 2, {-1.0, (layers + 1) * gap, 1.0}, {3.0, 0, 0}, {0, 0, -3.0}).positions;
  scene.initial_velocities = Points::Zero(x.rows(), 3);
  const double noise = p.real("speed_noise"), speed = p.real("speed_m_s"), own = p.real("layer_noise");
  numerics::RandomStream layer_random(std::uint64_t(p.integer("seed")), 1);
  std::vector<double> of_layer(std::size_t(layers) + 1, 0.0);  // the plate's entry stays 0
  for (int l = 0; l < layers; ++l) of_layer[std::size_t(l)] = own * speed * layer_random.uniform(-1.0, 1.0);
  for (Eigen::Index i = floor_vertices; i < x.rows(); ++i) {
    // Avoids exact alignment; vertical noise of a tenth of the gap keeps the layers apart.
    x(i, 0) += 0.02 / cells * random.uniform(-1.0, 1.0);
    x(i, 1) += 0.1 * gap * random.uniform(-1.0, 1.0);
    x(i, 2) += 0.02 / cells * random.uniform(-1.0, 1.0);
    const bool falls = load > 0.0 ? i >= plate : has_floor || layer_of[std::size_t(i)] >= layers / 2;
    scene.initial_velocities.row(i) << 0.0, of_layer[std::size_t(layer_of[std::size_t(i)])] - (falls ? speed : 0.0),
        0.0;
    scene.initial_velocities.row(i) += noise * speed * random.direction().transpose();
  }
  if (has_floor) hold_vertices(scene, "floor", {0, 1, 2, 3});
  return scene;
}

}  // namespace

SceneDescriptor layer_stack() {
  return {
      "layer_stack",
      "Layers of cloth one above the other that fall on a floor, or whose upper half falls on the lower one.",
      {count_parameter("layers", 10, 2, "Number of layers."),
       count_parameter("cells", 1, 1, "Squares along a layer; of sheets also across."),
       choice_parameter("cloth", "folded", {"folded", "sheets"}, "One strip, or separate sheets."),
       choice_parameter("below", "floor", {"floor", "nothing"}, "Held cloth under them, or the lower half at rest."),
       positive_parameter("gap_share", "1", 0.01, "Of the layers, over the motion of the fall in a step."),
       positive_parameter("area_density_kg_m2", "kg/m^2", 1.0, "Mass per area."),
       positive_parameter("speed_m_s", "m/s", 1.0, "Of the fall."),
       non_negative_parameter("shift_m", "m", 0.0, "Of each separate sheet against the one below it."),
       non_negative_parameter(
           "load_ratio", "1", 0.0,
           "Mass of a plate that alone falls on the layers, over all theirs; 0: no plate, and they fall."),
       non_negative_parameter("speed_noise", "1", 0.0, "Of random velocities, over the speed."),
       non_negative_parameter("layer_noise", "1", 0.0,
                              "Largest of a random velocity up or down that all vertices of a layer share, over the "
                              "speed."),
       positive_parameter("time_step_s", "s", 0.1, "Time step."),
       seed_parameter("Seed of what disturbs the vertices.")},
      build_layer_stack};
}

}  // namespace deformbench::scenes
