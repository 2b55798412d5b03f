// SPDX-License-Identifier: BSD-3-Clause
// Damping of everything but the rigid motion. [MHHR07] §3.5
#pragma once

#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// v_i += k (v_cm + ω × r_i − v_i) over `vertices` (indices into n×3 arrays) with I ω = L; `damping` k ∈ [0, 1].
/// DEVIATION [MHHR07] §3.5: where I is singular, for points on a line and for a single one, ω has no component along
/// the axes without inertia (pseudo-inverse), as no rotation about them has a velocity (B-PBD-9).
void damp_velocities(const std::vector<int>& vertices, const Points& positions, const Eigen::VectorXd& masses,
                     double damping, Points& velocities);

/// Vertices of each connected component of a triangle mesh, those with `is_free` only; empty components are left out.
std::vector<std::vector<int>> free_components(const Triangles& triangles, const std::vector<bool>& is_free);

}  // namespace deformbench::pbd
