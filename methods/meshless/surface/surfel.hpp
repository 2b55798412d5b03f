// SPDX-License-Identifier: BSD-3-Clause
// Elliptical splats that cover a surface. [PKAGDG05] §3.1
#pragma once

#include <algorithm>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

struct Surfel {
  Vector3 position;  ///< m
  Vector3 normal;    ///< unit, out of the solid
  Vector3 axis_u;    ///< m, semi-axis of the ellipse; both are normal to `normal`, at rest also to each other
  Vector3 axis_v;    ///< m

  /// m, the longer semi-axis.
  double radius() const { return std::max(axis_u.norm(), axis_v.norm()); }
};

/// A round splat of `radius` (m) about a unit normal. The axes depend on the normal alone.
Surfel round_surfel(const Vector3& position, const Vector3& normal, double radius);

}  // namespace deformbench::meshless
