// SPDX-License-Identifier: BSD-3-Clause
// Penalty forces on nodes behind planes. [PKAGDG05] §5, §6
#pragma once

#include <span>

#include "methods/model/scene.hpp"

namespace deformbench::meshless {

/// Adds to `forces` (N, n×3) of every node at a depth d behind a plane k_i d along its normal, k_i `stiffnesses` (N/m),
/// and against its tangential velocity v_t friction μ k_i d, at most what stops it in `step` (s): m_i |v_t| / step.
/// `velocities` (m/s) are those that the step begins with. Returns how many nodes are behind planes.
int add_plane_forces(std::span<const model::PlaneCollider> planes, std::span<const double> stiffnesses,
                     const Eigen::VectorXd& masses, const Points& positions, const Points& velocities, double step,
                     Points& forces);

}  // namespace deformbench::meshless
