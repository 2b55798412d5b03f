// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies coupled to the cloth: free motion, contact with planes, attachments, reactions. [MHHR07] §4.2
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/method.hpp"
#include "methods/pbd/bodies/body_contacts.hpp"
#include "methods/pbd/bodies/body_shapes.hpp"

namespace deformbench::pbd {

/// Dynamic state of one body. Before its start_time a dynamic body has zero inverse mass and inertia.
struct MovingRigidBody {
  double inverse_mass = 0.0;                       ///< 1/kg
  Matrix3 inverse_inertia = Matrix3::Zero();       ///< 1/(kg m²), body frame
  Vector3 velocity = Vector3::Zero();              ///< m/s
  Vector3 angular_momentum = Vector3::Zero();      ///< kg m²/s, world, about the centre of mass
  Vector3 late_impulse = Vector3::Zero();          ///< kg m/s, applied at the end of the step: Impulse, AsPrinted
  Vector3 late_angular_impulse = Vector3::Zero();  ///< kg m²/s
};

/// Contact of a feeler of a dynamic body with a plane or another body, at the start of the step.
struct RigidContact {
  int body;
  int other;               ///< −1: a plane
  Vector3 arm, other_arm;  ///< m, from the centres of mass
  Vector3 normal;          ///< unit, towards `body`
  Vector3 given_velocity;  ///< m/s, of a kinematic `other` at the contact
  double gap;              ///< m
  double friction, restitution;
  double speed_before;               ///< m/s, along the normal, before contact
  Vector3 feeler = Vector3::Zero();  ///< m, from the centre of mass to the feeler's centre
  double radius = 0.0;               ///< m, of the feeler
  int number = 0;                    ///< of the feeler, or of plane and feeler; stable between steps
  double impulse = 0.0;              ///< kg m/s, accumulated, along the normal
  Vector3 friction_impulse = Vector3::Zero();
};

/// α̃ = α/Δt² of a contact (1/kg; 0: rigid), and its normal impulse so far (kg m).
struct ContactSpring {
  double compliance = 0.0, pushed = 0.0;
};

/// Order in a step: predict(); the cloth iterates and projects contacts with these bodies; finish().
///
/// Reaction::Corrected projects vertex and body together, weighted by their (generalised) inverse masses, with opposite
/// impulses at one point: linear and angular momentum are conserved. Reaction::Impulse, the paper's text, projects the
/// vertex alone and applies −m_iΔp_i/Δt to the body at q_c at the end of the step: linear momentum is conserved,
/// angular momentum up to the impulse's moment about q_c, from which the vertex may slide away. Reaction::AsPrinted
/// applies +m_iΔp_i/Δt instead. In both, a vertex with w = 0 does not act on the body (B-PBD-15).
///
/// Bodies touch planes and each other by feelers: sphere centres, three points per capsule, corners of boxes and convex
/// vertices of meshes. Edge–edge contacts are not detected. Friction and restitution are the maximum of both partners'.
class RigidBodies {
 public:
  explicit RigidBodies(const Scene& scene);

  bool empty() const { return states_.empty(); }
  /// States at the current time; mass is infinite and inertia zero for kinematic bodies.
  std::span<const RigidBodyState> states() const { return states_; }

  /// Start of a (sub)step at `time`: gravity and predicted poses for dynamic bodies, prescribed motion for kinematic
  /// ones.
  void predict(double time, double time_step);
  BodyMotion motion() const;  ///< of this step: poses before and after (predicted, corrected so far)

  /// Projects one contact of a vertex or of a corner with a triangle: moves p and, if dynamic, the body. Returns the
  /// normal impulse (kg m, ≥ 0) on the vertex, or of the triangle on the corner.
  /// For a compliant contact it returns the change of the impulse, [MMC16] eq. 18, which is negative where the contact
  /// takes back part of what it has `pushed`.
  double project(const BodyContact& contact, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                 Points& p, const ContactSpring& spring = {});
  double project(const CornerContact& contact, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                 Points& p);
  /// Pulls the vertex of an attachment to its place on the body, and if two-way the body to the vertex. One-way: the
  /// vertex is set to the place, for any w. [MHHR07] §3.6
  void project(const model::Attachment& attachment, const Vector3& anchor, const Eigen::VectorXd& inverse_masses,
               const PbdOptions& options, Points& p);
  /// Position of `anchor` (body frame) at the end of the step.
  Vector3 point_of(int body, const Vector3& anchor) const;

  /// Whether projections move the body together with the vertex.
  bool is_joint(int body, Reaction reaction) const {
    return body >= 0 && reaction == Reaction::Corrected && moving_[std::size_t(body)].inverse_mass > 0;
  }
  struct Surface {
    Vector3 normal;  ///< unit, world, away from the body
    double gap;      ///< m, of the constraint
  };
  /// Closest surface of the body of `contact`, seen from `position`. The contact plane moves with the body. Balls and
  /// capsules projected together with the vertex use their true surface: on a plane, the normal impulse at a point that
  /// has slid would have a moment about the centre. DEVIATION [MHHR07] §3.4: point and normal follow the vertex over a
  /// ball or capsule; the paper's q_c and n_c are fixed.
  Surface surface_at(const BodyContact& contact, const Vector3& position, Reaction reaction) const;
  /// Displacement (m) in this (sub)step of the material point now at `point` (world).
  Vector3 displacement_at(int body, const Vector3& point) const;
  /// Displacement of `point` per positional impulse (kg m) applied there (1/kg); zero for immovable bodies.
  Matrix3 inverse_mass_matrix(int body, const Vector3& point) const;
  /// Applies a positional impulse (kg m) at a world point; changes pose and velocity.
  void push_at(int body, const Vector3& point, const Vector3& impulse) {
    push(body, point - after_[std::size_t(body)].position, impulse);
  }
  /// Reaction to the positional impulse `impulse` (kg m) that the vertex alone received; applied in finish().
  void react_late(int body, const Vector3& point, const Vector3& impulse, Reaction reaction);
  double friction(int body) const { return bodies_[std::size_t(body)].friction; }

  /// End of the (sub)step: velocities from the corrected poses, contact of bodies with planes and each other.
  void finish();
  /// Velocity impulse at a world point (kg m/s), for restitution and friction of the velocity update.
  void apply_impulse(int body, const Vector3& point, const Vector3& impulse);
  /// Velocity of `point` along the unit vector `direction` per unit impulse along it (1/kg); 0 for immovable bodies.
  double inverse_mass_along(int body, const Vector3& point, const Vector3& direction) const {
    return inverse_mass_at(body, point - after_[std::size_t(body)].position, direction);
  }

 private:
  double inverse_mass_at(int body, const Vector3& arm, const Vector3& direction) const;
  void move(std::size_t body, const Vector3& way, const Vector3& turn);
  /// Applies a positional impulse (kg m) at `arm` from the centre of mass.
  void push(int body, const Vector3& arm, const Vector3& impulse);
  void update_state(std::size_t body);
  Vector3 angular_velocity(std::size_t body) const;
  // Contact of bodies with planes and each other: rigid_contacts.cpp.
  void find_contacts();
  void start_from_last_impulses();
  void solve_contacts();
  void bounce();
  void separate();
  Vector3 relative_velocity(const RigidContact& contact) const;
  double inverse_mass_of(const RigidContact& contact, const Vector3& direction) const;
  void apply(const RigidContact& contact, const Vector3& impulse);

  std::vector<model::RigidBody> bodies_;  ///< without their meshes
  std::vector<model::PlaneCollider> planes_;
  Vector3 gravity_;
  std::unique_ptr<BodyShapes> shapes_;
  std::vector<RigidBodyState> states_;
  std::vector<MovingRigidBody> moving_;
  std::vector<model::Pose> before_, after_;
  std::vector<RigidContact> contacts_, last_contacts_;
  double time_ = 0.0, time_step_ = 0.0;
};

}  // namespace deformbench::pbd
