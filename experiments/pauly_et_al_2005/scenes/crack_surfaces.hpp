// SPDX-License-Identifier: BSD-3-Clause
// Initial crack surfaces with fronts, for scenes. [PKAGDG05] §2.1
#pragma once

#include "methods/model/initial_crack.hpp"

namespace deformbench::scenes {

/// Frame at the middle of a front: `ahead` in propagation direction, `along` the front, `normal` = along × ahead.
struct CrackFrame {
  Vector3 tip;  ///< m
  Vector3 ahead, along, normal;
};
/// `ahead` is x, tilted by `tilt` (rad) towards y and rolled by `roll` about x.
CrackFrame crack_frame(const Vector3& tip, double tilt, double roll);

/// A strip behind a straight front, `width` × `length` (m), bent by `bend` (rad; 0: flat) at distance `bend_at`
/// behind the front.
model::InitialCrack strip_crack(const CrackFrame& frame, double width, double length, double bend, double bend_at);
/// A spherical cap with curvature radius `curvature` (m; infinite: flat disc). Its closed front is the circle of
/// `radius` (m) about the tip, in the ahead–along plane.
model::InitialCrack cap_crack(const CrackFrame& frame, double radius, double curvature);
/// A square about `centre` in the plane of the first two axes, twice as wide as the body's diagonal (m), that cuts
/// the whole body. With `advance_end` (s) > 0 its front starts outside the body and has crossed it by then.
model::InitialCrack plane_cut(const Vector3& centre, const Matrix3& axes, double diagonal, double advance_end);

}  // namespace deformbench::scenes
