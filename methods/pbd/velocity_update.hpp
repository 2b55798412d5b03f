// SPDX-License-Identifier: BSD-3-Clause
// Friction and restitution at contacts of vertices with planes and bodies. [MHHR07] §3.4, line 16 of the listing
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/bodies/rigid_bodies.hpp"

namespace deformbench::pbd {

/// The contacts of one (sub)step from begin() to update_velocities().
///
/// VelocityUpdate::Coulomb. DEVIATION [MHHR07] §3.4: friction acts in the iterations, and restitution takes the
/// velocity before the projection, where the paper damps and reflects the velocity after it (B-PBD-6, B-PBD-7).
///   friction     in every iteration, after the contact itself: the vertex is drawn back along the surface to where the
///                surface has carried it, by at most μ times all that the contact has pushed so far. So a vertex sticks
///                where tan α ≤ μ, and does not creep, as it would if its velocity alone were changed afterwards. A
///                body that is projected with the vertex (Reaction::Corrected) is drawn towards it, each by its share:
///                their generalised inverse masses along the surface.
///   restitution  the relative normal velocity becomes −e times that before the projection; below 2|g|Δt nothing
///                rebounds, or resting cloth would never come to rest.
/// VelocityUpdate::AsPrinted: after the projection every vertex with a contact, touching or not, has the part of its
/// relative velocity along the surface times 1 − μ, and the part into the surface times −e.
/// Dynamic bodies get the opposite impulse, or the same one as printed (B-PBD-15); with Reaction::Impulse and AsPrinted
/// they get that of friction after the iterations, in which their predicted motion counts.
class VelocityUpdateRule {
 public:
  /// After detection. `velocities` (n×3, m/s): before the projection.
  void begin(std::span<const BodyContact> contacts, const Points& velocities, double gravity, double time_step);
  /// One iteration: every contact in its order, with its friction. `start` x, `p` n×3, m.
  void project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
               const Points& start, Points& p);
  /// After velocities = (p − x)/Δt and RigidBodies::finish; `positions` n×3, m: p.
  void update_velocities(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                         const Points& positions, Points& velocities) const;

 private:
  struct State {
    double approach;                 ///< m/s, relative normal velocity before the projection
    double pushed = 0.0;             ///< kg m, impulse along the normal in all iterations so far
    Vector3 held = Vector3::Zero();  ///< kg m, on the vertex along the surface, by friction
  };
  std::span<const BodyContact> contacts_;
  std::vector<State> states_;
  double least_rebound_ = 0.0;  ///< m/s
  double time_step_ = 0.0;
};

}  // namespace deformbench::pbd
