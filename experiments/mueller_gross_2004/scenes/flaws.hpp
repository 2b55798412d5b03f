// SPDX-License-Identifier: BSD-3-Clause
// Blocks made to break: flaws cut into their meshes, and tractions of a uniform stress on their faces.
#pragma once

#include "experiments/scenes/block.hpp"

namespace deformbench::scenes {

/// Separates the mesh along the plane x = 0 above y = `front` (m): vertices there get a second copy, which the elements
/// at x > 0 take. The plane must be made of faces. InputError when nothing would be cut, or everything.
void cut_slit(Scene& scene, double front);

/// Removes the elements whose centroid lies within `radius` (m) of `centre`, and vertices that no element uses any
/// more. InputError when none would go.
void remove_ball(Scene& scene, const Vector3& centre, double radius);

/// The same within `radius` of `centre` and half of `thickness` of the plane through it across `normal` (a unit
/// vector).
void remove_disc(Scene& scene, const Vector3& centre, const Vector3& normal, double radius, double thickness);

/// Direction of the largest principal stress of stress_pa.
Vector3 principal_direction(const Parameters& parameters);

/// stress_pa (xx yy zz xy yz zx), ramp_s, hold_s.
ParameterSpec stress_parameters();

/// Tractions σ N on the six faces of the mesh's box, dead loads. Start positions and tractions are turned by `angle`
/// (rad) about z through the origin.
void stress_faces(Scene& scene, const Parameters& parameters, double angle);

}  // namespace deformbench::scenes
