// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/overlap.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/model/triangle_distance.hpp"

namespace deformbench::surface {
namespace {

// Whether the projections on `axis` are more than `margin` apart. A null axis separates nothing.
template <std::size_t N>
bool separates(const Vector3& axis, const TriangleCorners& triangle, const std::array<Vector3, N>& cell,
               double margin) {
  double triangle_low = axis.dot(triangle[0]);
  double triangle_high = triangle_low;
  for (std::size_t i = 1; i < 3; ++i) {
    const double s = axis.dot(triangle[i]);
    triangle_low = std::min(triangle_low, s);
    triangle_high = std::max(triangle_high, s);
  }
  double cell_low = axis.dot(cell[0]);
  double cell_high = cell_low;
  for (std::size_t i = 1; i < N; ++i) {
    const double s = axis.dot(cell[i]);
    cell_low = std::min(cell_low, s);
    cell_high = std::max(cell_high, s);
  }
  const double gap = std::max(triangle_low - cell_high, cell_low - triangle_high);
  return gap > 0.0 && gap > margin * axis.norm();
}

}  // namespace

bool triangle_overlaps_box(const TriangleCorners& triangle, const Vector3& centre, double half_size, double margin) {
  const double r = half_size + margin;
  TriangleCorners p;
  for (std::size_t i = 0; i < 3; ++i) p[i] = triangle[i] - centre;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::min({p[0][axis], p[1][axis], p[2][axis]}) > r || std::max({p[0][axis], p[1][axis], p[2][axis]}) < -r)
      return false;
  }
  const Vector3 normal = (p[1] - p[0]).cross(p[2] - p[0]);
  if (std::abs(normal.dot(p[0])) > r * normal.lpNorm<1>()) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 edge = p[(i + 1) % 3] - p[i];
    for (int k = 0; k < 3; ++k) {
      const Vector3 axis = Vector3::Unit(k).cross(edge);
      const double s0 = axis.dot(p[i]);  // both ends of the edge project to the same value
      const double s1 = axis.dot(p[(i + 2) % 3]);
      if (std::min(s0, s1) > r * axis.lpNorm<1>() || std::max(s0, s1) < -r * axis.lpNorm<1>()) return false;
    }
  }
  return true;
}

bool triangle_overlaps_tetrahedron(const TriangleCorners& triangle, const TetCorners& tetrahedron, double margin) {
  constexpr std::array<std::array<std::size_t, 2>, 6> kEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  constexpr std::array<std::array<std::size_t, 3>, 4> kFaces{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};
  for (int axis = 0; axis < 3; ++axis) {
    if (separates(Vector3::Unit(axis), triangle, tetrahedron, margin)) return false;
  }
  for (const auto& f : kFaces) {
    const Vector3 normal = (tetrahedron[f[1]] - tetrahedron[f[0]]).cross(tetrahedron[f[2]] - tetrahedron[f[0]]);
    if (separates(normal, triangle, tetrahedron, margin)) return false;
  }
  if (separates((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]), triangle, tetrahedron, margin))
    return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 edge = triangle[(i + 1) % 3] - triangle[i];
    for (const auto& e : kEdges) {
      if (separates(edge.cross(tetrahedron[e[1]] - tetrahedron[e[0]]), triangle, tetrahedron, margin)) return false;
    }
  }
  return true;
}

double squared_distance_to_faces(const Vector3& p, const TetCorners& x) {
  constexpr std::array<std::array<std::size_t, 3>, 4> kFaces{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};
  double best = std::numeric_limits<double>::infinity();
  for (const auto& f : kFaces) {
    const Vector3 w = model::closest_on_triangle(p, x[f[0]], x[f[1]], x[f[2]]).weights;
    best = std::min(best, (w[0] * x[f[0]] + w[1] * x[f[1]] + w[2] * x[f[2]] - p).squaredNorm());
  }
  return best;
}

}  // namespace deformbench::surface
