// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies beside the cloth: free motion, planes, attachments, reactions. [MHHR07] §4.2
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/method.hpp"
#include "methods/pbd/bodies/body_contacts.hpp"
#include "methods/pbd/bodies/body_shapes.hpp"

namespace deformbench::pbd {

/// What moves one body. Until its start_time a dynamic body has the inverse mass and inertia of a kinematic one.
struct MovingRigidBody {
  double inverse_mass = 0.0;                       ///< 1/kg
  Matrix3 inverse_inertia = Matrix3::Zero();       ///< 1/(kg m²), body frame
  Vector3 velocity = Vector3::Zero();              ///< m/s
  Vector3 angular_momentum = Vector3::Zero();      ///< kg m²/s, world, about the centre of mass
  Vector3 late_impulse = Vector3::Zero();          ///< kg m/s, for the end of the step: impulse, as printed
  Vector3 late_angular_impulse = Vector3::Zero();  ///< kg m²/s
};

/// A feeler of a dynamic body against a plane or another body, all of it at the start of the step.
struct RigidContact {
  int body;
  int other;               ///< −1: a plane
  Vector3 arm, other_arm;  ///< m, from the centres of mass
  Vector3 normal;          ///< unit, towards `body`
  Vector3 given_velocity;  ///< m/s, of a kinematic `other` there
  double gap;              ///< m
  double friction, restitution;
  double speed_before;               ///< m/s, along the normal, before anything touched
  Vector3 feeler = Vector3::Zero();  ///< m, from the centre of mass to the feeler's centre
  double radius = 0.0;               ///< m, of the feeler
  int number = 0;                    ///< of the feeler, or of plane and feeler: the same in the next step
  double impulse = 0.0;              ///< kg m/s, so far; also along the surface
  Vector3 friction_impulse = Vector3::Zero();
};

/// Used by the step in this order: predict(); the cloth iterates, and projects contacts with these bodies; finish().
///
/// Reaction::Corrected projects vertex and body together, each by its (generalised) inverse mass, with opposite
/// impulses at one point: linear and angular momentum are kept. Reaction::Impulse, the paper's words, projects the
/// vertex alone, and gives the body −m_iΔp_i/Δt at the contact point q_c at the end of the step: linear momentum is
/// kept, angular momentum up to the moment of the impulse about q_c, as the vertex goes on to slide from there.
/// Reaction::AsPrinted is the same with +m_iΔp_i/Δt. In the latter two a vertex of w = 0 gives the body nothing
/// (B-PBD-15).
///
/// Bodies touch planes and each other with corners and with the centres of balls (sphere–anything, capsule–anything by
/// three balls, corners of boxes and convex meshes); edges against edges are not looked for. Coulomb friction and
/// restitution are the greater of the two partners'.
class RigidBodies {
 public:
  explicit RigidBodies(const Scene& scene);

  bool empty() const { return states_.empty(); }
  /// States at the current time; mass is infinite and inertia zero for kinematic bodies.
  std::span<const RigidBodyState> states() const { return states_; }

  /// Start of a (sub)step from `time`: dynamic bodies get gravity and predicted poses, kinematic ones their given
  /// motion.
  void predict(double time, double time_step);
  BodyMotion motion() const;  ///< of this step: poses before and after (predicted, as corrected so far)

  /// Projects one contact of a vertex: moves p[vertex]; a dynamic body is moved too. The corner likewise moves the
  /// triangle. Returns the impulse along the normal (kg m, ≥ 0) that the vertex got, or that the triangle gave the
  /// corner.
  double project(const BodyContact& contact, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                 Points& p);
  double project(const CornerContact& contact, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                 Points& p);
  /// The vertex of an attachment is drawn to its place on the body, and the body to the vertex when it is two way.
  /// One way: the vertex is set there, whatever its w. [MHHR07] §3.6
  void project(const model::Attachment& attachment, const Vector3& anchor, const Eigen::VectorXd& inverse_masses,
               const PbdOptions& options, Points& p);
  /// Where `anchor` (body frame) is at the end of the step.
  Vector3 point_of(int body, const Vector3& anchor) const;

  /// Does the body take part in a projection, rather than feel it afterwards or not at all?
  bool is_joint(int body, Reaction reaction) const {
    return body >= 0 && reaction == Reaction::Corrected && moving_[std::size_t(body)].inverse_mass > 0;
  }
  struct Surface {
    Vector3 normal;  ///< unit, world, away from the body
    double gap;      ///< m, of the constraint
  };
  /// Where `position` is over the body of `contact` now. The plane of the contact goes with the body. A ball or a
  /// capsule that is projected together with the vertex has its true surface: what acts along the normal at a point
  /// that has slid away on the plane would have a moment about the centre. DEVIATION [MHHR07] §3.4:
  /// the point and the normal of a contact follow the vertex over a ball or capsule; the paper's q_c and n_c stay.
  Surface surface_at(const BodyContact& contact, const Vector3& position, Reaction reaction) const;
  /// Displacement (m) in this (sub)step of the point of the body that is at `point` (world) now.
  Vector3 displacement_at(int body, const Vector3& point) const;
  /// Displacement of `point` by a positional impulse (kg m) on the body there (1/kg); zero where nothing moves it.
  Matrix3 inverse_mass_matrix(int body, const Vector3& point) const;
  /// A positional impulse (kg m) at a world point, which moves the body and changes its velocity.
  void push_at(int body, const Vector3& point, const Vector3& impulse) {
    push(body, point - after_[std::size_t(body)].position, impulse);
  }
  /// Reaction to what a vertex alone has got, `impulse` (kg m), at a world point; acts in finish().
  void react_late(int body, const Vector3& point, const Vector3& impulse, Reaction reaction);
  double friction(int body) const { return bodies_[std::size_t(body)].friction; }

  /// End of the (sub)step: velocities from the corrected poses, contact of the bodies with the planes of the scene and
  /// with each other.
  void finish();
  /// Velocity impulse at a world point (kg m/s), for restitution and friction of the velocity update.
  void apply_impulse(int body, const Vector3& point, const Vector3& impulse);
  /// Velocity along the unit vector `direction` that an impulse along it gives to `point` (1/kg); 0 where nothing moves
  /// it.
  double inverse_mass_along(int body, const Vector3& point, const Vector3& direction) const {
    return inverse_mass_at(body, point - after_[std::size_t(body)].position, direction);
  }

 private:
  double inverse_mass_at(int body, const Vector3& arm, const Vector3& direction) const;
  void move(std::size_t body, const Vector3& way, const Vector3& turn);
  /// Moves and turns a body by a positional impulse (kg m) at `arm` from its centre of mass.
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
