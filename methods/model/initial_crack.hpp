// SPDX-License-Identifier: BSD-3-Clause
// Initial cracks of a body: plain data that a method must honour or refuse (`supports`).
#pragma once

#include <string>
#include <vector>

#include "methods/model/boundary_condition.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

/// A surface that cuts the body, in rest coordinates. Its boundary is the crack front, or lies on the body's surface
/// or outside; a crack without a front cuts the body through.
struct InitialCrack {
  TriangleMesh surface;  ///< consistently oriented; either side may be outer
  /// Vertices along each front, neighbours joined by an edge of one triangle; a closed front repeats its first vertex
  /// at the end.
  std::vector<std::vector<int>> fronts;
  /// m: the crack grows as all its fronts, which must be open, move by `ramp` times this vector and sweep a surface.
  Vector3 advance = Vector3::Zero();
  Ramp ramp;  ///< from 0 on, never falling, never ending

  bool grows() const { return !advance.isZero(0.0); }
};

/// What is wrong with the surface or with the fronts, in one line ("front 2 has 1 vertices, expected at least 2");
/// empty if nothing is.
std::string fault_of(const InitialCrack& crack);

}  // namespace deformbench::model
