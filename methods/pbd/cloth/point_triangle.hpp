// SPDX-License-Identifier: BSD-3-Clause
// A point and a triangle: how far apart they are, and whether they meet when both move.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// A point q and the corners of a triangle, m.
struct PointTriangle {
  Vector3 q, p1, p2, p3;
};

struct Separation {
  double distance;  ///< m, to the closest point of the triangle, edges and corners included
  double height;    ///< m, signed: (q − p1)·n, the C of [MHHR07] eq. 11 before h is taken off; 0 without a normal
  double beside;    ///< m, along the plane from q's foot to the triangle; 0 where the foot is inside
};
/// Also for a triangle without area: then the distance to its longest edge, and height 0.
Separation separation(const PointTriangle& at);

/// Do the point and the triangle meet while each corner and the point go straight from `from` to `to`? The times at
/// which the four are in one plane are the roots of a cubic; they meet where the point is then within `tolerance` (m)
/// of the triangle. Touching without passing through the plane does not count.
bool passes_through(const PointTriangle& from, const PointTriangle& to, double tolerance);

}  // namespace deformbench::pbd
