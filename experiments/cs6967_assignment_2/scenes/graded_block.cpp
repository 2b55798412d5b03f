// SPDX-License-Identifier: BSD-3-Clause
// A free block with an irregular mesh: graded along each axis, two densities at random, vertices, elements and
// corners in random order. An element omitted from or counted twice in a sum shows at a vertex.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

enum Stream : std::uint64_t { kVertexOrder = 11, kElementOrder, kCornerOrder, kDensity };

/// The even permutations of four corners, which preserve orientation.
constexpr std::array<std::array<int, 4>, 12> kEvenOrders{{{0, 1, 2, 3},
                                                          {0, 2, 3, 1},
                                                          {0, 3, 1, 2},
                                                          {1, 0, 3, 2},
                                                          {1, 2, 0, 3},
                                                          {1, 3, 2, 0},
                                                          {2, 0, 1, 3},
                                                          {2, 1, 3, 0},
                                                          {2, 3, 0, 1},
                                                          {3, 0, 2, 1},
                                                          {3, 1, 0, 2},
                                                          {3, 2, 1, 0}}};

/// Fisher–Yates: unlike std::shuffle, the same order on all platforms.
std::vector<int> random_order(std::size_t count, std::uint64_t seed, Stream stream) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  numerics::RandomStream random(seed, stream);
  for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

/// Spacings grow geometrically along each axis, by `ratio` in total.
void grade(Points& points, double ratio) {
  if (ratio == 1.0) return;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    const double low = points.col(axis).minCoeff(), length = points.col(axis).maxCoeff() - low;
    for (Eigen::Index i = 0; i < points.rows(); ++i)
      points(i, axis) = low + length * std::expm1(std::log(ratio) * (points(i, axis) - low) / length) / (ratio - 1.0);
  }
}

void renumber(Scene& scene, std::uint64_t seed) {
  model::TetMesh& mesh = scene.tet_mesh;
  const std::vector<int> place = random_order(std::size_t(mesh.vertex_count()), seed, kVertexOrder);
  const std::vector<int> source = random_order(std::size_t(mesh.element_count()), seed, kElementOrder);
  model::TetMesh mixed = mesh;
  for (std::size_t v = 0; v < place.size(); ++v)
    mixed.rest_positions.row(place[v]) = mesh.rest_positions.row(Eigen::Index(v));
  numerics::RandomStream random(seed, kCornerOrder);
  for (std::size_t e = 0; e < source.size(); ++e) {
    const auto& order = kEvenOrders[random.below(kEvenOrders.size())];
    for (std::size_t k = 0; k < 4; ++k)
      mixed.tetrahedra(Eigen::Index(e), Eigen::Index(k)) = place[std::size_t(mesh.tetrahedra(source[e], order[k]))];
  }
  mesh = std::move(mixed);
  for (auto& [name, vertices] : scene.vertex_sets) {
    for (int& v : vertices) v = place[std::size_t(v)];
    std::sort(vertices.begin(), vertices.end());
  }
}

}  // namespace

SceneDescriptor graded_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 1.0;
  defaults.cells_across = 4;
  defaults.jitter = 0.2;
  ParameterInfo grading = real_parameter("grading", "1", 6.0, "Largest over smallest spacing along each axis.");
  grading.minimum = 1.0;
  return {"graded_block",
          "A free block of an irregular mesh: small and large elements, two densities, everything in random order.",
          block_parameters(
              defaults, {grading,
                         positive_parameter("density_ratio", "1", 1.0,
                                            "Density of a random half of the elements over that of the others."),
                         vector_parameter("gravity_m_s2", "m/s^2", {0, 0, 0}, "Acceleration of gravity."),
                         vector_parameter("rest_offset_m", "m", {0, 0, 0}, "Where the root's centre lies at rest.")}),
          [](const Parameters& p) {
            Scene scene = build_block("graded_block", p);
            const auto seed = std::uint64_t(p.integer("seed"));
            grade(scene.tet_mesh.rest_positions, p.real("grading"));
            renumber(scene, seed);
            scene.tet_mesh.rest_positions.rowwise() += vector_of(p, "rest_offset_m").transpose();
            scene.gravity = vector_of(p, "gravity_m_s2");
            if (const double ratio = p.real("density_ratio"); ratio != 1.0) {
              scene.materials.push_back(scene.materials[0]);
              scene.materials[1].density *= ratio;
              numerics::RandomStream random(seed, kDensity);
              for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e)
                scene.element_material.push_back(int(random.below(2)));
            }
            return scene;
          }};
}

}  // namespace deformbench::scenes
