// SPDX-License-Identifier: BSD-3-Clause
// Overlap of a triangle with a convex cell, and the distance of a point to a tetrahedron.
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

/// Squared distance (m²) from a point to a tetrahedron's surface; meant for points outside.
double squared_distance_to_faces(const Vector3& p, const TetCorners& tetrahedron);

}  // namespace deformbench::surface
