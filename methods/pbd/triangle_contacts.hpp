// SPDX-License-Identifier: BSD-3-Clause
// Contacts of cloth triangles with cloth vertices and body corners, with friction. [MHHR07] §4.2, §4.3, line 16 of the
// listing
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/bodies/rigid_bodies.hpp"
#include "methods/pbd/cloth/self_collision.hpp"

namespace deformbench::pbd {

/// VelocityUpdate::Coulomb applies friction in every iteration, as for bodies (velocity_update.hpp): two opposite
/// impulses on the vertex or corner and on the triangle, at most μ times the accumulated normal impulse, reduce the
/// slip since the start of the step. The point is carried rigidly with the triangle, so the pair has no net moment.
/// Points beside the triangle get no friction. μ is options.self_friction for cloth, and the body's own for corners.
class TriangleContacts {
 public:
  /// After detection.
  void begin(std::span<const CornerContact> corners, std::span<const SelfContact> self);
  /// Projects corner, then self-contacts. `start` = x, `p`: n×3, m.
  void project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
               const Points& start, Points& p);

 private:
  struct State {
    double pushed = 0.0;             ///< kg m, accumulated normal impulse
    Vector3 held = Vector3::Zero();  ///< kg m, tangential friction impulse on the point
  };
  std::span<const CornerContact> corners_;
  std::span<const SelfContact> self_;
  std::vector<State> corner_states_, self_states_;
};

}  // namespace deformbench::pbd
