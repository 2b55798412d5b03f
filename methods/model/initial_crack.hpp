// SPDX-License-Identifier: BSD-3-Clause
// Initial cracks of a body: plain data that a method must honour or refuse (`supports`).
#pragma once

#include <string>
#include <vector>

#include "methods/model/boundary_condition.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

/// A surface that cuts the body, in rest coordinates. Its boundary edges are crack fronts, or on the body's surface
/// or outside; without a front, it cuts through the body.
struct InitialCrack {
  TriangleMesh surface;  ///< consistently oriented, in either direction
  /// Vertices along each front, consecutive ones joined by a boundary edge; a closed front repeats its first vertex
  /// at the end.
  std::vector<std::vector<int>> fronts;
  /// m: all fronts, which must be open, move by `ramp` times this vector; the surface they sweep extends the crack.
  Vector3 advance = Vector3::Zero();
  Ramp ramp;  ///< values ≥ 0, non-decreasing; no `until`

  bool grows() const { return !advance.isZero(0.0); }
};

/// First fault of the surface or of the fronts, in one line ("front 2 has 1 vertices, expected at least 2");
/// empty if none.
std::string fault_of(const InitialCrack& crack);

}  // namespace deformbench::model
