// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/irregular_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

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
std::vector<int> random_order(std::size_t count, std::uint64_t seed, MeshStream stream) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  numerics::RandomStream random(seed, stream);
  for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

}  // namespace

void grade(Points& points, double ratio) {
  if (ratio == 1.0) return;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    const double low = points.col(axis).minCoeff(), length = points.col(axis).maxCoeff() - low;
    for (Eigen::Index i = 0; i < points.rows(); ++i)
      points(i, axis) = low + length * std::expm1(std::log(ratio) * (points(i, axis) - low) / length) / (ratio - 1.0);
  }
}

void renumber(Scene& scene, std::uint64_t seed, int group) {
  model::TetMesh& mesh = scene.tet_mesh;
  const std::vector<int> place = random_order(std::size_t(mesh.vertex_count()), seed, kVertexOrder);
  const std::vector<int> source = random_order(std::size_t(mesh.element_count() / group), seed, kElementOrder);
  model::TetMesh mixed = mesh;
  for (std::size_t v = 0; v < place.size(); ++v)
    mixed.rest_positions.row(place[v]) = mesh.rest_positions.row(Eigen::Index(v));
  numerics::RandomStream random(seed, kCornerOrder);
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const auto& order = group > 1 ? kEvenOrders.front() : kEvenOrders[random.below(kEvenOrders.size())];
    const Eigen::Index from = source[std::size_t(e / group)] * group + e % group;
    for (std::size_t k = 0; k < 4; ++k)
      mixed.tetrahedra(e, Eigen::Index(k)) = place[std::size_t(mesh.tetrahedra(from, order[k]))];
  }
  mesh = std::move(mixed);
  for (auto& [name, vertices] : scene.vertex_sets) {
    for (int& v : vertices) v = place[std::size_t(v)];
    std::sort(vertices.begin(), vertices.end());
  }
}

}  // namespace deformbench::scenes
