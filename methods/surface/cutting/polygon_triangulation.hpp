// SPDX-License-Identifier: BSD-3-Clause
// Triangulations of polygons that use exactly the given vertices: convex polygons with collinear vertices, and planar
// regions with holes by ear clipping. The caller supplies exact predicates.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::surface {

using PolygonTriangle = std::array<int, 3>;  ///< indices of vertices

/// Twice the area / longest edge²: √3/2 for equilateral triangles, 0 for degenerate ones.
double triangle_quality(const Vector3& a, const Vector3& b, const Vector3& c);

/// n − 2 triangles of a convex polygon, counter-clockwise. Bit k of sides[i]: vertex i lies on side k; no triangle has
/// all corners on one side (unless all vertices do). Greedy by quality; O(n²).
std::vector<PolygonTriangle> triangulate_convex(std::span<const Vector3> positions,
                                                std::span<const std::uint32_t> sides);

/// Predicates on the vertices of a region, for ear clipping.
struct RegionGeometry {
  std::function<int(int, int, int)> turn;              ///< 1 counter-clockwise, −1 clockwise, 0 collinear; exact
  std::function<bool(int, int)> may_join;              ///< whether a new edge may join these two
  std::function<bool(int, int)> coincide;              ///< whether these two have the same position; exact
  std::function<int(std::span<const int>)> area_sign;  ///< of a closed polygon; exact
  std::span<const Vector3> positions;
  double position_error = 0.0;  ///< m, per coordinate
};

/// Triangulates the region to the left of `loops` (every vertex in one loop, once): n + 2 loops − 4 pieces
/// triangles. std::nullopt if loops intersect. O(n²) in practice, O(n³) worst case.
std::optional<std::vector<PolygonTriangle>> triangulate_region(const std::vector<std::vector<int>>& loops,
                                                               const RegionGeometry& geometry);

}  // namespace deformbench::surface
