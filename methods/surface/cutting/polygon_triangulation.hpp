// SPDX-License-Identifier: BSD-3-Clause
// Triangulations of polygons that use every vertex and no others: convex ones with vertices in line, and plane regions
// with holes by ear clipping. Which corner is convex is for the caller to say, exactly.
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

/// Twice the area over the squared longest edge: √3/2 for an equilateral triangle, 0 without area.
double triangle_quality(const Vector3& a, const Vector3& b, const Vector3& c);

/// n − 2 triangles of a convex polygon, counter-clockwise. Bit k of sides[i] says that vertex i lies on side k; no
/// triangle has its three corners on one side (unless all vertices do). Greedy by quality; O(n²).
std::vector<PolygonTriangle> triangulate_convex(std::span<const Vector3> positions,
                                                std::span<const std::uint32_t> sides);

/// What ear clipping asks about the vertices of a region.
struct RegionGeometry {
  std::function<int(int, int, int)> turn;              ///< 1 counter-clockwise, −1 clockwise, 0 in line; exact
  std::function<bool(int, int)> may_join;              ///< may these two be joined by a new edge?
  std::function<bool(int, int)> coincide;              ///< are these two at one place? exact
  std::function<int(std::span<const int>)> area_sign;  ///< of a closed polygon; exact
  std::span<const Vector3> positions;
  double position_error = 0.0;  ///< of each coordinate at most
};

/// Triangles of the region bounded by `loops` (on the left of each; every vertex in one loop, once): n − 2 + 2 (loops −
/// pieces) of them a piece. Nothing when the loops intersect. O(n²) for what one meets, O(n³) at worst.
std::optional<std::vector<PolygonTriangle>> triangulate_region(const std::vector<std::vector<int>>& loops,
                                                               const RegionGeometry& geometry);

}  // namespace deformbench::surface
