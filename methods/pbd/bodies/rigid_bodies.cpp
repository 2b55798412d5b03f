// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/bodies/rigid_bodies.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "methods/pbd/bodies/rotation.hpp"

namespace deformbench::pbd {
namespace {

/// Orientation after torque-free rotation (constant angular momentum), by the implicit midpoint rule: time-symmetric,
/// so the rotational energy oscillates by O(Δt²) without drift.
Matrix3 turned_freely(const MovingRigidBody& body, const Matrix3& orientation, double time_step) {
  Vector3 velocity = world_times(body.inverse_inertia, orientation, body.angular_momentum);
  for (int iteration = 0; iteration < 30; ++iteration) {
    const Matrix3 middle = rotation_by(0.5 * time_step * velocity) * orientation;
    const Vector3 better = world_times(body.inverse_inertia, middle, body.angular_momentum);
    const double change = (better - velocity).norm();
    velocity = better;
    if (change <= 1e-15 * velocity.norm()) break;
  }
  return rotation_by(time_step * velocity) * orientation;
}

}  // namespace

RigidBodies::RigidBodies(const Scene& scene)
    : planes_(scene.colliders), gravity_(scene.gravity), shapes_(std::make_unique<BodyShapes>(scene)) {
  const std::size_t count = scene.rigid_bodies.size();
  moving_.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    const model::RigidBody& body = scene.rigid_bodies[b];
    const double infinity = std::numeric_limits<double>::infinity();
    states_.push_back({body.is_kinematic() ? infinity : body.mass,
                       body.is_kinematic() ? Matrix3(Matrix3::Zero()) : model::solid_inertia(body.shape, body.mass),
                       body.start.position, body.start.orientation, body.velocity, body.angular_velocity});
    before_.push_back(body.start);
    after_.push_back(body.start);
    bodies_.push_back(body);
    bodies_.back().shape.mesh = {};
    if (body.is_kinematic() || body.start_time > 0) {
      states_[b].velocity = body.velocity_at(0.0);
      states_[b].angular_velocity = body.angular_velocity_at(0.0);
    }
  }
}

void RigidBodies::predict(double time, double time_step) {
  time_ = time;
  time_step_ = time_step;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const model::RigidBody& body = bodies_[b];
    MovingRigidBody& moving = moving_[b];
    before_[b] = after_[b];
    moving.late_impulse.setZero();
    moving.late_angular_impulse.setZero();
    if (body.is_kinematic()) {
      after_[b] = body.pose_at(time + time_step);
      continue;
    }
    if (time < body.start_time - 1e-9 * time_step) continue;  // held
    if (moving.inverse_mass == 0) {                           // released now
      moving.inverse_mass = 1.0 / body.mass;
      moving.inverse_inertia = states_[b].inertia.inverse();
      moving.velocity = body.velocity;
      moving.angular_momentum = world_times(states_[b].inertia, before_[b].orientation, body.angular_velocity);
    }
    moving.velocity += time_step * gravity_;
  }
  find_contacts();
  start_from_last_impulses();
  solve_contacts();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (moving_[b].inverse_mass == 0) continue;
    after_[b].position = before_[b].position + time_step * moving_[b].velocity;
    after_[b].orientation = turned_freely(moving_[b], before_[b].orientation, time_step);
  }
}

BodyMotion RigidBodies::motion() const {
  return {before_, after_, time_step_, shapes_.get()};
}

Vector3 RigidBodies::point_of(int body, const Vector3& anchor) const {
  const model::Pose& pose = after_[std::size_t(body)];
  return pose.position + pose.orientation * anchor;
}

double RigidBodies::inverse_mass_at(int body, const Vector3& arm, const Vector3& direction) const {
  const MovingRigidBody& moving = moving_[std::size_t(body)];
  if (moving.inverse_mass == 0) return 0.0;
  const Vector3 turning = arm.cross(direction);
  const Matrix3& orientation = after_[std::size_t(body)].orientation;
  return moving.inverse_mass + turning.dot(world_times(moving.inverse_inertia, orientation, turning));
}

void RigidBodies::move(std::size_t b, const Vector3& way, const Vector3& turn) {
  after_[b].position += way;
  after_[b].orientation = rotation_by(turn) * after_[b].orientation;
}

void RigidBodies::push(int body, const Vector3& arm, const Vector3& impulse) {
  const auto b = std::size_t(body);
  MovingRigidBody& moving = moving_[b];
  if (moving.inverse_mass == 0) return;
  const Vector3 angular = arm.cross(impulse);
  move(b, moving.inverse_mass * impulse, world_times(moving.inverse_inertia, after_[b].orientation, angular));
  moving.velocity += moving.inverse_mass / time_step_ * impulse;
  moving.angular_momentum += angular / time_step_;
}

void RigidBodies::react_late(int body, const Vector3& point, const Vector3& impulse, Reaction reaction) {
  const auto b = std::size_t(body);
  if (moving_[b].inverse_mass == 0) return;
  const Vector3 on_body = (reaction == Reaction::AsPrinted ? 1.0 : -1.0) / time_step_ * impulse;
  moving_[b].late_impulse += on_body;
  moving_[b].late_angular_impulse += (point - after_[b].position).cross(on_body);
}

RigidBodies::Surface RigidBodies::surface_at(const BodyContact& contact, const Vector3& position,
                                             Reaction reaction) const {
  const auto b = std::size_t(contact.body);
  if (contact.body < 0 || moving_[b].inverse_mass == 0)
    return {contact.normal, (position - contact.point).dot(contact.normal)};
  const model::Pose& pose = after_[b];
  const model::Shape& shape = bodies_[b].shape;
  const bool is_round = shape.kind == model::ShapeKind::Sphere || shape.kind == model::ShapeKind::Capsule;
  if (is_round && reaction == Reaction::Corrected) {
    const auto from_axis = [&](const Vector3& point) -> Vector3 {
      if (shape.kind == model::ShapeKind::Sphere) return point;
      return point - Vector3(0, std::clamp(point.y(), -shape.half_length, shape.half_length), 0);
    };
    const double radius = contact.body_normal.dot(from_axis(contact.body_point));
    const Vector3 from = from_axis(pose.orientation.transpose() * (position - pose.position));
    const double distance = from.norm();
    // Beyond the centre, the surface of entry still applies, along the same line.
    const double side = from.dot(contact.body_normal) < 0 ? -1.0 : 1.0;
    if (distance > 1e-6 * radius) return {pose.orientation * (side / distance * from), side * distance - radius};
  }
  const Vector3 normal = pose.orientation * contact.body_normal;
  return {normal, (position - pose.position - pose.orientation * contact.body_point).dot(normal)};
}

Vector3 RigidBodies::displacement_at(int body, const Vector3& point) const {
  const model::Pose &before = before_[std::size_t(body)], &after = after_[std::size_t(body)];
  return point - before.position - before.orientation * (after.orientation.transpose() * (point - after.position));
}

Matrix3 RigidBodies::inverse_mass_matrix(int body, const Vector3& point) const {
  const MovingRigidBody& moving = moving_[std::size_t(body)];
  const model::Pose& pose = after_[std::size_t(body)];
  const Vector3 arm = point - pose.position;
  Matrix3 cross;
  cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
  const Matrix3 inverse_inertia = pose.orientation * moving.inverse_inertia * pose.orientation.transpose();
  return moving.inverse_mass * Matrix3::Identity() - cross * inverse_inertia * cross;
}

double RigidBodies::project(const BodyContact& contact, const Eigen::VectorXd& inverse_masses,
                            const PbdOptions& options, Points& p, const ContactSpring& spring) {
  const double w = inverse_masses[contact.vertex];
  const Vector3 position = p.row(contact.vertex);
  const auto [normal, distance] = surface_at(contact, position, options.reaction);
  if (distance >= 0 && !(spring.pushed > 0.0 && spring.compliance > 0.0)) return 0.0;
  const double gap = distance + spring.compliance * spring.pushed;  // C + α̃λ of [MMC16] eq. 18
  if (!is_joint(contact.body, options.reaction)) {
    if (w == 0) return 0.0;
    if (spring.compliance > 0.0) {
      const double impulse = std::max(-spring.pushed, -gap / (w + spring.compliance));
      p.row(contact.vertex) += w * impulse * normal;
      if (contact.body >= 0 && moving_[std::size_t(contact.body)].inverse_mass > 0)
        react_late(contact.body, contact.point, impulse * normal, options.reaction);
      return impulse;
    }
    p.row(contact.vertex) -= gap * normal;
    if (contact.body >= 0 && moving_[std::size_t(contact.body)].inverse_mass > 0)
      react_late(contact.body, contact.point, -gap / w * normal, options.reaction);
    return -gap / w;
  }
  const model::Pose& pose = after_[std::size_t(contact.body)];
  const Vector3 arm = position - distance * normal - pose.position;  // to the surface point that the vertex touches
  const double mass = w + inverse_mass_at(contact.body, arm, normal) + spring.compliance;
  const double lambda = spring.compliance > 0.0 ? std::max(-spring.pushed, -gap / mass) : -gap / mass;
  p.row(contact.vertex) += w * lambda * normal;
  push(contact.body, arm, -lambda * normal);
  return lambda;
}

double RigidBodies::project(const CornerContact& contact, const Eigen::VectorXd& inverse_masses,
                            const PbdOptions& options, Points& p) {
  std::array<Vector3, 3> x;
  std::array<double, 3> w;
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = p.row(contact.triangle[k]);
    w[k] = inverse_masses[contact.triangle[k]];
  }
  const Vector3 area = (x[1] - x[0]).cross(x[2] - x[0]);
  const double squared = area.squaredNorm();
  if (!(squared > 0)) return 0.0;
  const Vector3 normal = area / std::sqrt(squared) * contact.side;
  const model::Pose& pose = after_[std::size_t(contact.body)];
  const Vector3 corner = pose.position + pose.orientation * contact.corner;
  const double gap = (corner - x[0]).dot(normal) - options.contact_offset;
  if (gap >= 0) return 0.0;
  // Barycentric weights of the corner's foot on the plane. They are the full gradient including ∂n/∂p: the triangle
  // tilts about the foot, so C changes by −b_k n·Δp_k.
  const Vector3 from = corner - x[0];
  const double b1 = from.cross(x[2] - x[0]).dot(area) / squared;
  const double b2 = (x[1] - x[0]).cross(from).dot(area) / squared;
  const std::array<double, 3> weights{1.0 - b1 - b2, b1, b2};
  const double margin = 0.1;  // the corner has left the triangle, so its plane is meaningless
  if (weights[0] < -margin || weights[1] < -margin || weights[2] < -margin) return 0.0;
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) sum += w[k] * weights[k] * weights[k];
  const Vector3 arm = corner - pose.position;
  const bool projects_body = options.reaction == Reaction::Corrected;
  if (projects_body) sum += inverse_mass_at(contact.body, arm, normal);
  if (!(sum > 0)) return 0.0;
  const double lambda = -gap / sum;
  for (std::size_t k = 0; k < 3; ++k) p.row(contact.triangle[k]) -= w[k] * weights[k] * lambda * normal;
  if (projects_body)
    push(contact.body, arm, lambda * normal);
  else
    react_late(contact.body, corner, -lambda * normal, options.reaction);  // ΣmΔp/Δt of the triangle
  return lambda;
}

void RigidBodies::project(const model::Attachment& attachment, const Vector3& anchor,
                          const Eigen::VectorXd& inverse_masses, const PbdOptions& options, Points& p) {
  const Vector3 place = point_of(attachment.body, anchor);
  const Vector3 position = p.row(attachment.vertex);
  const double w = inverse_masses[attachment.vertex];
  if (!attachment.pulls_body || !is_joint(attachment.body, options.reaction)) {
    p.row(attachment.vertex) = place;
    if (attachment.pulls_body && options.reaction != Reaction::Corrected && w > 0)
      react_late(attachment.body, place, (place - position) / w, options.reaction);
    return;
  }
  // C = |p − q|: along the connecting line, so the impulse pair has no moment.
  const Vector3 difference = position - place;
  const double length = difference.norm();
  if (!(length > 0)) return;
  const Vector3 direction = difference / length;
  const Vector3 arm = place - after_[std::size_t(attachment.body)].position;
  const double lambda = length / (w + inverse_mass_at(attachment.body, arm, direction));
  p.row(attachment.vertex) -= w * lambda * direction;
  push(attachment.body, arm, lambda * direction);
}

Vector3 RigidBodies::angular_velocity(std::size_t b) const {
  return world_times(moving_[b].inverse_inertia, after_[b].orientation, moving_[b].angular_momentum);
}

void RigidBodies::update_state(std::size_t b) {
  RigidBodyState& state = states_[b];
  const double now = time_ + time_step_;
  state.position = after_[b].position;
  state.orientation = after_[b].orientation;
  if (bodies_[b].is_kinematic()) {
    state.velocity = bodies_[b].velocity_at(now);
    state.angular_velocity = bodies_[b].angular_velocity_at(now);
  } else if (moving_[b].inverse_mass == 0) {
    state.velocity.setZero();
    state.angular_velocity.setZero();
  } else {
    state.velocity = moving_[b].velocity;
    state.angular_velocity = angular_velocity(b);
  }
}

void RigidBodies::finish() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    MovingRigidBody& moving = moving_[b];
    moving.velocity += moving.inverse_mass * moving.late_impulse;
    moving.angular_momentum += moving.late_angular_impulse;
  }
  if (!contacts_.empty()) {  // contacts changed by the cloth
    const std::vector<MovingRigidBody> as_left = moving_;
    solve_contacts();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Vector3 turned = moving_[b].angular_momentum - as_left[b].angular_momentum;
      move(b, time_step_ * (moving_[b].velocity - as_left[b].velocity),
           time_step_ * world_times(moving_[b].inverse_inertia, after_[b].orientation, turned));
    }
    separate();
  }
  bounce();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (moving_[b].inverse_mass > 0) after_[b].orientation = without_drift(after_[b].orientation);
    update_state(b);
  }
}

void RigidBodies::apply_impulse(int body, const Vector3& point, const Vector3& impulse) {
  const auto b = std::size_t(body);
  if (moving_[b].inverse_mass == 0) return;
  moving_[b].velocity += moving_[b].inverse_mass * impulse;
  moving_[b].angular_momentum += (point - after_[b].position).cross(impulse);
  update_state(b);
}

}  // namespace deformbench::pbd
