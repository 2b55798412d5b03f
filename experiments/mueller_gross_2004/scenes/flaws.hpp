// SPDX-License-Identifier: BSD-3-Clause
// Blocks for fracture: flaws cut into their meshes, and tractions of a uniform stress on their faces.
#pragma once

#include "experiments/scenes/block.hpp"

namespace deformbench::scenes {

/// Separates the mesh along the plane x = 0 above y = `front` (m): vertices there are duplicated for the elements at
/// x > 0. The plane must consist of faces. InputError if nothing or everything would be cut.
void cut_slit(Scene& scene, double front);

/// Removes elements with centroid within `radius` (m) of `centre` (InputError if none) and vertices left without
/// elements.
void remove_ball(Scene& scene, const Vector3& centre, double radius);

/// Same within `radius` of `centre` and `thickness`/2 of the plane through it with unit `normal`.
void remove_disc(Scene& scene, const Vector3& centre, const Vector3& normal, double radius, double thickness);

/// Direction of the largest principal stress of stress_pa.
Vector3 principal_direction(const Parameters& parameters);

/// stress_pa (xx yy zz xy yz zx), ramp_s, hold_s.
ParameterSpec stress_parameters();

/// Tractions σ N on the six faces of the mesh's box, as dead loads. Start positions and tractions are turned by
/// `angle` (rad) about z through the origin.
void stress_faces(Scene& scene, const Parameters& parameters, double angle);

}  // namespace deformbench::scenes
