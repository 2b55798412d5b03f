// SPDX-License-Identifier: BSD-3-Clause
// Penalty forces on nodes behind planes and inside of kinematic bodies. [PKAGDG05] §5, §6
#pragma once

#include <span>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::meshless {

/// Nodes against obstacles that nothing moves.
struct NodePenalty {
  std::span<const double> stiffnesses;  ///< n, N/m
  const Eigen::VectorXd& masses;        ///< n, kg
  const Points& positions;              ///< n×3, m
  const Points& velocities;             ///< n×3, m/s: those that the step begins with
  double step;                          ///< s
};

/// Adds to `forces` (N, n×3) of every node at a depth d behind a plane k_i d along its normal, and against its
/// tangential velocity v_t friction μ k_i d, at most what stops it in `step`: m_i |v_t| / step. Marks the nodes behind
/// planes in `is_touched` (n).
void add_plane_forces(std::span<const model::PlaneCollider> planes, const NodePenalty& nodes, Points& forces,
                      std::vector<char>& is_touched);
/// The same of nodes inside of kinematic spheres, capsules and boxes where these are at `time` (s), along the normal of
/// the nearest place of the surface; v_t is relative to the body's velocity there.
void add_body_forces(std::span<const model::RigidBody> bodies, double time, const NodePenalty& nodes, Points& forces,
                     std::vector<char>& is_touched);

}  // namespace deformbench::meshless
