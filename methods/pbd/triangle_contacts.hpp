// SPDX-License-Identifier: BSD-3-Clause
// Contacts of points with triangles of the cloth, its own vertices and corners of bodies, with their friction. [MHHR07]
// §4.2, §4.3, line 16 of the listing
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/bodies/rigid_bodies.hpp"
#include "methods/pbd/cloth/self_collision.hpp"

namespace deformbench::pbd {

/// Friction is that of VelocityUpdate::Coulomb, in every iteration: the point is drawn back to where the triangle has
/// carried it, and the three vertices towards it, by at most μ times what the contact has pushed. The triangle carries
/// what lies at a height over it as if it were part of it, so that opposite impulses have no moment. As
/// at bodies, friction acts in every iteration (velocity_update.hpp). A point beside a triangle has none. μ is
/// options.self_friction between vertices and triangles of the cloth, that of the body at its corners.
class TriangleContacts {
 public:
  /// After detection.
  void begin(std::span<const CornerContact> corners, std::span<const SelfContact> self);
  /// One iteration: every corner, then every vertex. `start` x, `p` n×3, m.
  void project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
               const Points& start, Points& p);

 private:
  struct State {
    double pushed = 0.0;             ///< kg m, impulse along the normal in all iterations so far
    Vector3 held = Vector3::Zero();  ///< kg m, on the point along the triangle, by friction
  };
  std::span<const CornerContact> corners_;
  std::span<const SelfContact> self_;
  std::vector<State> corner_states_, self_states_;
};

}  // namespace deformbench::pbd
