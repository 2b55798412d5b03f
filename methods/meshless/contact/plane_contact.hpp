// SPDX-License-Identifier: BSD-3-Clause
// Penalty forces on nodes behind planes and inside kinematic bodies. [PKAGDG05] §5, §6
#pragma once

#include <span>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::meshless {

/// Node data for contact with obstacles of prescribed motion.
struct NodePenalty {
  std::span<const double> stiffnesses;  ///< n, N/m
  const Eigen::VectorXd& masses;        ///< n, kg
  const Points& positions;              ///< n×3, m
  const Points& velocities;             ///< n×3, m/s, at the start of the step
  double step;                          ///< s
};

/// Adds to `forces` (N, n×3), for every node at depth d behind a plane, the normal force k_i d and, against the
/// tangential velocity v_t, friction of min(μ k_i d, m_i |v_t| / step). Marks these nodes in `is_touched` (n).
void add_plane_forces(std::span<const model::PlaneCollider> planes, const NodePenalty& nodes, Points& forces,
                      std::vector<char>& is_touched);
/// The same for nodes inside kinematic spheres, capsules or boxes at `time` (s), along the nearest surface point's
/// normal; v_t is relative to the body's velocity at the node.
void add_body_forces(std::span<const model::RigidBody> bodies, double time, const NodePenalty& nodes, Points& forces,
                     std::vector<char>& is_touched);

}  // namespace deformbench::meshless
