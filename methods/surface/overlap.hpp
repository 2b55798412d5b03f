// SPDX-License-Identifier: BSD-3-Clause
// Overlap of a triangle with a convex cell, and distances of a point to triangles and tetrahedra.
#pragma once

#include <array>

#include "methods/model/types.hpp"

namespace deformbench::surface {

using TriangleCorners = std::array<Vector3, 3>;
using TetCorners = std::array<Vector3, 4>;

/// Separating-axis test (Akenine-Möller 2001); conservative: boxes are grown by `margin` (m), touching counts.
bool triangle_overlaps_box(const TriangleCorners& triangle, const Vector3& centre, double half_size, double margin);
/// The same for a tetrahedron.
bool triangle_overlaps_tetrahedron(const TriangleCorners& triangle, const TetCorners& tetrahedron, double margin);

/// Closest point of a triangle to `p`, as barycentric coordinates (Ericson 2005, §5.1.5).
Vector3 closest_on_triangle(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c);
/// Squared distance (m²) from a point to a tetrahedron's surface; meant for points outside.
double squared_distance_to_faces(const Vector3& p, const TetCorners& tetrahedron);

}  // namespace deformbench::surface
