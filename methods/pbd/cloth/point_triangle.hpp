// SPDX-License-Identifier: BSD-3-Clause
// A point and a triangle: distance, and collision while both move.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// A point q and the corners of a triangle, m.
struct PointTriangle {
  Vector3 q, p1, p2, p3;
};

struct Separation {
  double distance;  ///< m, to the closest point of the triangle including its border
  double height;    ///< m, signed: (q − p1)·n, C of [MHHR07] eq. 11 plus h; 0 without a normal
  double beside;    ///< m, in the plane from q's foot to the triangle; 0 if the foot is inside
};
/// Defined for degenerate triangles: distance to the longest edge, height 0.
Separation separation(const PointTriangle& at);

/// Whether point and triangle collide while q and the corners move straight from `from` to `to`. Coplanar times are
/// roots of a cubic; it is a collision if the point is then within `tolerance` (m) of the triangle. Touching without
/// crossing the plane does not count.
bool passes_through(const PointTriangle& from, const PointTriangle& to, double tolerance);

}  // namespace deformbench::pbd
