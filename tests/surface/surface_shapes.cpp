// SPDX-License-Identifier: BSD-3-Clause
#include "tests/surface/surface_shapes.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace deformbench::surface_test {

model::TriangleMesh sphere(const Vector3& centre, double radius, int levels) {
  std::vector<Vector3> x{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<int, 3>> triangles{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [it, is_new] = middles.try_emplace(std::minmax(a, b), int(x.size()));
      if (is_new) x.push_back((x[std::size_t(a)] + x[std::size_t(b)]).normalized());
      return it->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const int ab = middle(a, b);
      const int bc = middle(b, c);
      const int ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  model::TriangleMesh mesh;
  mesh.positions.resize(Eigen::Index(x.size()), 3);
  for (std::size_t v = 0; v < x.size(); ++v) mesh.positions.row(Eigen::Index(v)) = (centre + radius * x[v]).transpose();
  mesh.triangles.resize(Eigen::Index(triangles.size()), 3);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) mesh.triangles(Eigen::Index(t), Eigen::Index(c)) = triangles[t][c];
  }
  return mesh;
}

model::TriangleMesh torus(const Vector3& centre, double radius, double tube, int around, int across) {
  model::TriangleMesh mesh;
  mesh.positions.resize(around * across, 3);
  mesh.triangles.resize(2 * around * across, 3);
  const auto vertex = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double u = 2.0 * std::numbers::pi * i / around;
      const double v = 2.0 * std::numbers::pi * j / across;
      const double distance = radius + tube * std::cos(v);
      mesh.positions.row(vertex(i, j)) =
          (centre + Vector3(distance * std::cos(u), distance * std::sin(u), tube * std::sin(v))).transpose();
      const int t = 2 * vertex(i, j);
      mesh.triangles.row(t) << vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1);
      mesh.triangles.row(t + 1) << vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1);
    }
  }
  return mesh;
}

model::TriangleMesh box(const Vector3& low, const Vector3& high) {
  model::TriangleMesh mesh;
  mesh.positions.resize(8, 3);
  for (int c = 0; c < 8; ++c) {
    mesh.positions.row(c) << ((c & 1) != 0 ? high : low)[0], ((c & 2) != 0 ? high : low)[1],
        ((c & 4) != 0 ? high : low)[2];
  }
  mesh.triangles.resize(12, 3);
  mesh.triangles << 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5,
      3, 7, 5;
  return mesh;
}

model::TriangleMesh join(const model::TriangleMesh& first, const model::TriangleMesh& second, bool flip_second) {
  model::TriangleMesh mesh;
  mesh.positions.resize(first.vertex_count() + second.vertex_count(), 3);
  mesh.positions << first.positions, second.positions;
  Triangles shifted = second.triangles.array() + int(first.vertex_count());
  if (flip_second) shifted.col(1).swap(shifted.col(2));
  mesh.triangles.resize(first.triangle_count() + second.triangle_count(), 3);
  mesh.triangles << first.triangles, shifted;
  return mesh;
}

model::TriangleMesh samples_of(const model::TriangleMesh& mesh) {
  model::TriangleMesh samples;
  samples.positions.resize(7 * mesh.triangle_count(), 3);
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const auto a = mesh.positions.row(mesh.triangles(t, 0));
    const auto b = mesh.positions.row(mesh.triangles(t, 1));
    const auto c = mesh.positions.row(mesh.triangles(t, 2));
    samples.positions.middleRows(7 * t, 7) << a, b, c, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0;
  }
  samples.triangles.resize(0, 3);
  return samples;
}

}  // namespace deformbench::surface_test
