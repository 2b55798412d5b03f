// SPDX-License-Identifier: BSD-3-Clause
// Cracks that a body has from the start: plain data that a method must honour or refuse (`supports`).
#pragma once

#include <string>
#include <vector>

#include "methods/model/boundary_condition.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

/// A surface that cuts the body, in rest coordinates. Its boundary is the front of the crack, or lies on the surface of
/// the body or outside; a crack without front cuts the body through.
struct InitialCrack {
  TriangleMesh surface;  ///< neighbours wound alike; which side is the outer one does not matter
  /// Vertices along each front, neighbours joined by an edge of one triangle; of a closed front the first vertex stands
  /// at the end again.
  std::vector<std::vector<int>> fronts;
  /// m: the crack grows as all its fronts, which are open then, move by `ramp` times this and leave a surface behind.
  Vector3 advance = Vector3::Zero();
  Ramp ramp;  ///< from 0 on, never falling, never ending

  bool grows() const { return !advance.isZero(0.0); }
};

/// What is wrong with the surface or with the fronts, in one line ("front 2 has 1 vertices, expected at least 2");
/// empty where nothing is.
std::string fault_of(const InitialCrack& crack);

}  // namespace deformbench::model
