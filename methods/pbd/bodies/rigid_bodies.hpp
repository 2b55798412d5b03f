// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies beside the cloth: free motion, planes, attachments, reactions. [MHHR07] §4.2
#pragma once

#include <span>
#include <vector>

#include "methods/method.hpp"
#include "methods/pbd/bodies/body_contacts.hpp"

namespace deformbench::pbd {

/// Used by the step in this order: predict(); the cloth iterates, and projects contacts with these bodies; finish().
class RigidBodies {
 public:
  explicit RigidBodies(const Scene& scene);

  bool empty() const { return states_.empty(); }
  /// States at the current time; mass is infinite and inertia zero for kinematic bodies.
  std::span<const RigidBodyState> states() const { return states_; }

  /// Start of a (sub)step from `time`: dynamic bodies get gravity and predicted poses, kinematic ones their given motion.
  void predict(double time, double time_step);
  BodyMotion motion() const;   ///< of this step: poses before and after (predicted, as corrected so far)

  /// Projects one contact of a vertex: moves p[vertex]; a dynamic body is moved too. `as_printed`: see Reaction.
  void project(const BodyContact& contact, const Eigen::VectorXd& inverse_masses, const PbdOptions& options, Points& p);
  void project(const CornerContact& contact, const Eigen::VectorXd& inverse_masses, const PbdOptions& options, Points& p);
  /// The vertex of an attachment is drawn to its place on the body, and the body to the vertex when it is two way.
  void project(const model::Attachment& attachment, const Vector3& anchor, const Eigen::VectorXd& inverse_masses,
               const PbdOptions& options, Points& p);
  /// Where `anchor` (body frame) is at the end of the step.
  Vector3 point_of(int body, const Vector3& anchor) const;

  /// End of the (sub)step: velocities from the corrected poses, contact of the bodies with the planes of the scene.
  void finish();
  /// Velocity impulse at a world point (kg m/s), for restitution and friction of the velocity update.
  void apply_impulse(int body, const Vector3& point, const Vector3& impulse);

 private:
  std::vector<RigidBodyState> states_;
};

}  // namespace deformbench::pbd
