// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/pauly_et_al_2005/scenes/sampled_solids.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <cmath>
#include <map>
#include <numbers>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/animal_models.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/surface/procedural/stand_in_models.hpp"

namespace deformbench::scenes {
namespace {

constexpr int kSpikeSides = 24, kBallLevels = 4, kTorusAround = 64, kTorusAcross = 24;

/// A cone from its base at −length/2 to its tip at length/2.
model::TriangleMesh spike(double length, double diameter) {
  model::TriangleMesh cone;
  cone.positions.resize(kSpikeSides + 2, 3);
  cone.triangles.resize(2 * kSpikeSides, 3);
  cone.positions.row(kSpikeSides) << -0.5 * length, 0, 0;
  cone.positions.row(kSpikeSides + 1) << 0.5 * length, 0, 0;
  for (int k = 0; k < kSpikeSides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kSpikeSides;
    cone.positions.row(k) << -0.5 * length, 0.5 * diameter * std::cos(angle), 0.5 * diameter * std::sin(angle);
    const int next = (k + 1) % kSpikeSides;
    cone.triangles.row(2 * k) << next, k, kSpikeSides;
    cone.triangles.row(2 * k + 1) << k, next, kSpikeSides + 1;
  }
  return cone;
}

model::TriangleMesh sampled_box(double x, double y, double z) {
  const Vector3 half = 0.5 * Vector3(x, y, z);
  return box_surface(-half, half);
}

}  // namespace

std::vector<std::string> sampled_bodies() {
  std::vector<std::string> names{"block", "slab", "rod", "spike", "ball", "torus"};
  for (const std::string& model : surface::stand_in_names()) names.push_back(model);
  return names;
}

model::TriangleMesh sampled_body(const std::string& body, double length, double thickness) {
  const double thin = thickness * length;
  if (body == "block") return sampled_box(length, length, length);
  if (body == "slab") return sampled_box(length, length, thin);
  if (body == "rod") return sampled_box(length, thin, thin);
  if (body == "spike") return spike(length, thin);
  if (body == "ball") return icosphere(0.5 * length, kBallLevels);
  if (body == "torus") return torus(0.5 * (length - thin), 0.5 * thin, kTorusAround, kTorusAcross);
  static std::map<std::string, model::TriangleMesh> made;  // cache: an ensemble requests the same surface repeatedly
  const auto found = made.find(body);
  model::TriangleMesh surface =
      found != made.end() ? found->second : (made[body] = animal_surface(body, 0, 1.0, true, "octree_solid"));
  surface.positions *= length;
  return surface;
}

ParameterSpec sampling_parameters() {
  const meshless::SamplingOptions defaults;
  ParameterInfo levels{"octree_levels", "1", static_cast<long long>(defaults.octree.levels),
                       "Levels of the octree below its root; cells that contain surface are divided down to the last."};
  levels.minimum = 1;
  levels.maximum = 8;
  ParameterInfo iterations{"repulsion_iterations", "1", static_cast<long long>(defaults.repulsion_iterations),
                           "Iterations of the repulsion of nodes within their cells."};
  iterations.minimum = 0;
  iterations.maximum = 1000;
  return {
      levels,
      choice_parameter("adjacency", "corners", {"corners", "faces"},
                       "Which cells are adjacent: those with a corner in common, or with a part of a face."),
      choice_parameter("root_cell", "cube", {"cube", "box"},
                       "The root of the octree: a cube about the bounding box, or the box itself."),
      iterations,
      non_negative_parameter("repulsion_strength", "1", defaults.repulsion_strength,
                             "Share κ of the sum of κ (1 − d/r) (x_i − x_j) that a node moves in one iteration."),
      positive_parameter("repulsion_reach", "1", defaults.repulsion_reach,
                         "Distance r from which nodes repel each other no more, over the mean edge of their cells.")};
}

meshless::SamplingOptions sampling_options(const Parameters& parameters) {
  meshless::SamplingOptions options;
  options.octree.levels = int(parameters.integer("octree_levels"));
  options.octree.adjacency =
      parameters.text("adjacency") == "faces" ? meshless::Adjacency::Faces : meshless::Adjacency::Corners;
  options.octree.root = parameters.text("root_cell") == "box" ? meshless::RootCell::Box : meshless::RootCell::Cube;
  options.repulsion_iterations = int(parameters.integer("repulsion_iterations"));
  options.repulsion_strength = parameters.real("repulsion_strength");
  options.repulsion_reach = parameters.real("repulsion_reach");
  return options;
}

void sample_skin(const meshless::SamplingOptions& options, const Matrix3& turn, double density, Scene& scene) {
  model::TriangleMesh turned = scene.skin;
  turned.positions = scene.skin.positions * turn;  // rows: turnᵀ x
  const meshless::VolumeSamples samples = meshless::sample_volume(turned, options);
  auto& nodes = scene.particles;
  nodes.rest_positions = samples.positions * turn.transpose();
  nodes.supports = Eigen::Map<const Eigen::VectorXd>(samples.supports.data(), Eigen::Index(samples.supports.size()));
  const Eigen::VectorXd shares = nodes.supports.array().cube();
  nodes.masses = density * model::enclosed_volume(scene.skin) / shares.sum() * shares;
  for (std::size_t i = 0; i < samples.levels.size(); ++i)
    scene.vertex_sets[fmt::format("level_{}", samples.levels[i])].push_back(int(i));
}

}  // namespace deformbench::scenes
