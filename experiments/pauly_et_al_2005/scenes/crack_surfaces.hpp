// SPDX-License-Identifier: BSD-3-Clause
// Surfaces of cracks with their fronts, as scenes put them into bodies. [PKAGDG05] §2.1
#pragma once

#include "methods/model/initial_crack.hpp"

namespace deformbench::scenes {

/// Axes at the middle of a front: `ahead` where the crack would go, `along` the front, `normal` = along × ahead.
struct CrackFrame {
  Vector3 tip;  ///< m
  Vector3 ahead, along, normal;
};
/// Ahead lies along x, tilted by `tilt` (rad) towards y and rolled by `roll` about x.
CrackFrame crack_frame(const Vector3& tip, double tilt, double roll);

/// A strip behind a straight front of this width, `length` long (m). At `bend_at` behind the front it is bent by `bend`
/// (rad); 0: flat.
model::InitialCrack strip_crack(const CrackFrame& frame, double width, double length, double bend, double bend_at);
/// A cap of a sphere of radius `curvature` (m), bounded by a circle of `radius` (m) about the tip, in the plane of the
/// front; infinite: a flat disc. The circle is the closed front.
model::InitialCrack cap_crack(const CrackFrame& frame, double radius, double curvature);
/// A square in the plane of the first two of the axes about `centre`, twice as wide as the body's diagonal (m), which
/// cuts the body through. With `advance_end` (s) above 0 it ends in a front outside the body, which goes to the other
/// side of it until then.
model::InitialCrack plane_cut(const Vector3& centre, const Matrix3& axes, double diagonal, double advance_end);

}  // namespace deformbench::scenes
