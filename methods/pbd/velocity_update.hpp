// SPDX-License-Identifier: BSD-3-Clause
// Friction and restitution of vertices at planes and bodies. [MHHR07] §3.4, line 16 of the listing
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/bodies/rigid_bodies.hpp"

namespace deformbench::pbd {

/// Contacts of one (sub)step, from begin() to update_velocities().
///
/// VelocityUpdate::Coulomb. DEVIATION [MHHR07] §3.4: friction acts in the iterations, and restitution uses the velocity
/// before the projection; the paper damps and reflects the velocity after it (B-PBD-6, B-PBD-7).
///    friction     In every iteration, after the contact projection: the vertex is pulled back along the surface to
///                 the surface's material position, by at most μ times the accumulated normal impulse. It sticks on
///                 slopes tan α ≤ μ, without the creep of a velocity-only correction. With Reaction::Corrected the
///                 body is moved too, weighted by the generalised inverse masses along the surface.
///    restitution  The relative normal velocity becomes −e times its value before the projection, unless the approach
///                 is below 2|g|Δt (m/s), so that cloth can come to rest.
/// VelocityUpdate::AsPrinted: after the projection, every vertex with a contact, touching or not, has its tangential
/// relative velocity scaled by 1 − min(μ, 1), an approaching normal one by −e.
/// Dynamic bodies get the opposite impulse, or the same one as printed (B-PBD-15). With Reaction::Impulse and AsPrinted
/// the friction impulse on them follows after the iterations, which use their predicted motion.
class VelocityUpdateRule {
 public:
  /// After detection. `velocities` (n×3, m/s): before the projection; `compliances` per vertex (m/N), none: rigid.
  void begin(std::span<const BodyContact> contacts, const Points& velocities, double gravity, double time_step,
             const Eigen::VectorXd& compliances = {});
  /// One iteration: every contact in order, including friction. `start` x, `p` n×3, m.
  void project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
               const Points& start, Points& p);
  /// After velocities = (p − x)/Δt and RigidBodies::finish; `positions` n×3, m: p.
  void update_velocities(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                         const Points& positions, Points& velocities) const;

 private:
  struct State {
    double approach;                 ///< m/s, relative normal velocity before the projection
    double compliance;               ///< α/Δt², 1/kg
    double pushed = 0.0;             ///< kg m, accumulated normal impulse
    Vector3 held = Vector3::Zero();  ///< kg m, friction impulse on the vertex along the surface
  };
  std::span<const BodyContact> contacts_;
  std::vector<State> states_;
  double least_rebound_ = 0.0;  ///< m/s
  double time_step_ = 0.0;
};

}  // namespace deformbench::pbd
