// SPDX-License-Identifier: BSD-3-Clause
// Damping of the deviation from rigid motion. [MHHR07] §3.5
#pragma once

#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// v_i += k (v_cm + ω × r_i − v_i) for `vertices` (indices into n×3 arrays) with I ω = L; `damping` k ∈ [0, 1].
/// DEVIATION [MHHR07] §3.5: if I is singular (collinear points, single point), ω has no component along massless axes
/// (pseudo-inverse), since rotation about them moves nothing (B-PBD-9).
void damp_velocities(const std::vector<int>& vertices, const Points& positions, const Eigen::VectorXd& masses,
                     double damping, Points& velocities);

/// Free vertices of each connected component of a triangle mesh; empty components are omitted.
std::vector<std::vector<int>> free_components(const Triangles& triangles, const std::vector<bool>& is_free);

}  // namespace deformbench::pbd
