// SPDX-License-Identifier: BSD-3-Clause
// Contacts of cloth triangles with cloth vertices and body corners, with friction. [MHHR07] §4.2, §4.3, line 16 of the
// listing
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/bodies/rigid_bodies.hpp"
#include "methods/pbd/cloth/self_collision.hpp"

namespace deformbench::pbd {

/// Friction of VelocityUpdate::Coulomb, applied in every iteration as at bodies (velocity_update.hpp): the point is
/// pulled back towards the material position on the triangle, and the three vertices towards the point, by at most μ
/// times the accumulated normal impulse. Points above the triangle move rigidly with it, so opposite impulses have no
/// moment. No friction for points beside the triangle. μ is options.self_friction for cloth on cloth, the body's at
/// corners.
class TriangleContacts {
 public:
  /// After detection.
  void begin(std::span<const CornerContact> corners, std::span<const SelfContact> self);
  /// One iteration: every corner, then every vertex. `start` x, `p` n×3, m.
  void project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
               const Points& start, Points& p);

 private:
  struct State {
    double pushed = 0.0;             ///< kg m, accumulated normal impulse
    Vector3 held = Vector3::Zero();  ///< kg m, friction impulse on the point along the triangle
  };
  std::span<const CornerContact> corners_;
  std::span<const SelfContact> self_;
  std::vector<State> corner_states_, self_states_;
};

}  // namespace deformbench::pbd
