// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/mesh_constraints.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "methods/model/disjoint_sets.hpp"
#include "methods/model/error.hpp"
#include "methods/model/position_constraint.hpp"

namespace deformbench::pbd {

namespace {

/// A side of a triangle and its opposite vertex.
struct Side {
  int low, high;  ///< of the edge's vertices
  int triangle;
  int opposite;
  bool is_upward;  ///< the triangle runs from low to high
};

Vector3 row(const Points& points, int v) {
  return points.row(v).transpose();
}

void require_area(const model::ClothMesh& cloth, int t) {
  const auto corner = [&](int k) { return row(cloth.rest_positions, cloth.triangles(t, k)); };
  const Vector3 a = corner(1) - corner(0), b = corner(2) - corner(0), c = corner(2) - corner(1);
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), c.squaredNorm()});
  // Same bound as in model/mesh_checks: 2 A ≤ 1e−12 (longest edge)². Also fails for NaN.
  if (!(a.cross(b).norm() > 1e-12 * longest))
    throw InputError(fmt::format("cloth triangle {} ({}, {}, {}): has no area, expected one above rounding", t,
                                 cloth.triangles(t, 0), cloth.triangles(t, 1), cloth.triangles(t, 2)));
}

std::vector<Side> sorted_sides(const model::ClothMesh& cloth) {
  const auto vertex_count = int(cloth.vertex_count());
  std::vector<Side> sides;
  sides.reserve(std::size_t(3 * cloth.triangle_count()));
  for (int t = 0; t < cloth.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k)
      if (const int v = cloth.triangles(t, k); v < 0 || v >= vertex_count)
        throw InputError(fmt::format("cloth triangle {}: names vertex {}, expected 0 to {}", t, v, vertex_count - 1));
    require_area(cloth, t);
    for (int k = 0; k < 3; ++k) {
      const int a = cloth.triangles(t, k), b = cloth.triangles(t, (k + 1) % 3);
      sides.push_back({std::min(a, b), std::max(a, b), t, cloth.triangles(t, (k + 2) % 3), a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) {
    const int p_span = p.high - p.low, q_span = q.high - q.low;
    if (p_span != q_span) return p_span < q_span;
    if (p.low != q.low) return p.low < q.low;
    return p.triangle < q.triangle;
  });
  return sides;
}

/// The sum of [MHHR07] eq. 13.
double volume_sum(const Triangles& triangles, const Points& x) {
  double sum = 0.0;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    sum += row(x, triangles(t, 0)).cross(row(x, triangles(t, 1))).dot(row(x, triangles(t, 2)));
  return sum;
}

/// Components without open edges, ordered by their lowest vertex.
std::vector<VolumeConstraint> closed_components(const model::ClothMesh& cloth, const std::vector<Side>& sides,
                                                const std::vector<char>& is_open) {
  const auto n = std::size_t(cloth.vertex_count());
  model::DisjointSets sets(n);
  for (const Side& side : sides) sets.unite(side.low, side.high);
  std::vector<char> has_boundary(n, 0);
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (is_open[k]) has_boundary[std::size_t(sets.root(sides[k].low))] = 1;

  std::vector<int> index(n, -1);  // index of the component with this lowest vertex
  std::vector<std::vector<int>> triangles;
  for (int t = 0; t < cloth.triangle_count(); ++t) {
    const auto lowest = std::size_t(sets.root(cloth.triangles(t, 0)));
    if (has_boundary[lowest]) continue;
    if (index[lowest] < 0) {
      index[lowest] = int(triangles.size());
      triangles.emplace_back();
    }
    triangles[std::size_t(index[lowest])].push_back(t);
  }
  std::vector<VolumeConstraint> volumes(triangles.size());
  for (std::size_t c = 0; c < volumes.size(); ++c) {
    volumes[c].triangles.resize(Eigen::Index(triangles[c].size()), 3);
    for (std::size_t k = 0; k < triangles[c].size(); ++k)
      volumes[c].triangles.row(Eigen::Index(k)) = cloth.triangles.row(triangles[c][k]);
    volumes[c].rest_sum = volume_sum(volumes[c].triangles, cloth.rest_positions);
  }
  std::vector<char> has_triangle(n, 0);
  for (const Side& side : sides) has_triangle[std::size_t(side.low)] = has_triangle[std::size_t(side.high)] = 1;
  for (int v = 0; v < int(n); ++v)
    if (const int c = index[std::size_t(sets.root(v))]; has_triangle[std::size_t(v)] && c >= 0)
      volumes[std::size_t(c)].vertices.push_back(v);
  return volumes;
}

}  // namespace

MeshConstraints build_mesh_constraints(const model::ClothMesh& cloth) {
  const std::vector<Side> sides = sorted_sides(cloth);
  std::vector<char> is_open(sides.size(), 0);
  MeshConstraints result;
  const Points& x = cloth.rest_positions;
  for (std::size_t k = 0; k < sides.size();) {
    const Side& side = sides[k];
    std::size_t count = 1;
    while (k + count < sides.size() && sides[k + count].low == side.low && sides[k + count].high == side.high) ++count;
    if (count > 2)
      throw InputError(fmt::format("cloth edge ({}, {}): belongs to {} triangles ({}, {}, {}, …), expected at most 2",
                                   side.low, side.high, count, side.triangle, sides[k + 1].triangle,
                                   sides[k + 2].triangle));
    result.stretch.push_back({side.low, side.high, (row(x, side.high) - row(x, side.low)).norm()});
    is_open[k] = count == 1;
    if (count == 2) {
      const Side& other = sides[k + 1];
      if (side.is_upward == other.is_upward)
        throw InputError(
            fmt::format("cloth edge ({}, {}): triangles {} and {} run along it in the same direction, "
                        "expected neighbours wound alike",
                        side.low, side.high, side.triangle, other.triangle));
      const Side& upward = side.is_upward ? side : other;    // triangle (low, high, d)
      const Side& downward = side.is_upward ? other : side;  // triangle (low, c, high)
      const std::array<int, 4> v = {side.low, side.high, downward.opposite, upward.opposite};
      if (v[2] == v[3])
        throw InputError(
            fmt::format("cloth edge ({}, {}): triangles {} and {} are the same, expected two that meet "
                        "in an edge",
                        side.low, side.high, side.triangle, other.triangle));
      result.bend.push_back({v, model::dihedral_angle(row(x, v[0]), row(x, v[1]), row(x, v[2]), row(x, v[3]))});
    }
    k += count;
  }
  result.volume = closed_components(cloth, sides, is_open);
  return result;
}

}  // namespace deformbench::pbd
