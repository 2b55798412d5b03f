// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/round_surfaces.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace deformbench::scenes {

model::TriangleMesh octahedron(double radius) {
  model::TriangleMesh mesh;
  mesh.positions.resize(6, 3);
  mesh.positions << radius, 0, 0, -radius, 0, 0, 0, radius, 0, 0, -radius, 0, 0, 0, radius, 0, 0, -radius;
  mesh.triangles.resize(8, 3);
  mesh.triangles << 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5;
  return mesh;
}

model::TriangleMesh icosphere(double radius, int levels) {
  const double g = std::numbers::phi;
  std::vector<Vector3> points{{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                              {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  std::vector<std::array<int, 3>> faces{{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                        {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                        {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                        {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] = middles.try_emplace(std::minmax(a, b), int(points.size()));
      if (is_new) points.push_back(0.5 * (points[std::size_t(a)] + points[std::size_t(b)]));
      return entry->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  model::TriangleMesh mesh;
  mesh.positions.resize(Eigen::Index(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) mesh.positions.row(Eigen::Index(i)) = radius * points[i].normalized();
  mesh.triangles.resize(Eigen::Index(faces.size()), 3);
  for (std::size_t t = 0; t < faces.size(); ++t)
    mesh.triangles.row(Eigen::Index(t)) << faces[t][0], faces[t][1], faces[t][2];
  return mesh;
}

model::TriangleMesh torus(double radius, double tube, int around, int across) {
  model::TriangleMesh mesh;
  mesh.positions.resize(around * across, 3);
  mesh.triangles.resize(2 * around * across, 3);
  const auto number = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
      const double r = radius + tube * std::cos(v);
      mesh.positions.row(number(i, j)) << r * std::cos(u), r * std::sin(u), tube * std::sin(v);
      const int t = 2 * number(i, j);
      mesh.triangles.row(t) << number(i, j), number(i + 1, j), number(i + 1, j + 1);
      mesh.triangles.row(t + 1) << number(i, j), number(i + 1, j + 1), number(i, j + 1);
    }
  return mesh;
}

}  // namespace deformbench::scenes
