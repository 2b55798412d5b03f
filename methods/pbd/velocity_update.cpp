// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/velocity_update.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "methods/pbd/friction.hpp"

namespace deformbench::pbd {
namespace {

/// Velocity (m/s) of the body's material point at `point`; zero for planes.
Vector3 velocity_at(const RigidBodies& bodies, int body, const Vector3& point) {
  if (body < 0) return Vector3::Zero();
  const RigidBodyState& state = bodies.states()[std::size_t(body)];
  return state.velocity + state.angular_velocity.cross(point - state.position);
}

}  // namespace

void VelocityUpdateRule::begin(std::span<const BodyContact> contacts, const Points& velocities, double gravity,
                               double time_step, const Eigen::VectorXd& compliances) {
  contacts_ = contacts;
  time_step_ = time_step;
  least_rebound_ = 2.0 * gravity * time_step;
  states_.clear();
  for (const BodyContact& contact : contacts) {
    const Vector3 relative = velocities.row(contact.vertex).transpose() - contact.surface_velocity;
    const double compliance = compliances.size() > 0 ? compliances[contact.vertex] / (time_step * time_step) : 0.0;
    states_.push_back({relative.dot(contact.normal), compliance});
  }
}

void VelocityUpdateRule::project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                                 const Points& start, Points& p) {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const BodyContact& contact = contacts_[k];
    State& state = states_[k];
    state.pushed += bodies.project(contact, inverse_masses, options, p, {state.compliance, state.pushed});
    if (options.velocity_update == VelocityUpdate::AsPrinted || !(contact.friction > 0.0)) continue;
    if (!(state.pushed > 0.0) && state.held.isZero(0.0))
      continue;  // a compliant contact that lets go gives friction back
    const double w = inverse_masses[contact.vertex];
    const Vector3 position = p.row(contact.vertex), way = position - start.row(contact.vertex).transpose();
    const double most = contact.friction * state.pushed;
    if (bodies.is_joint(contact.body, options.reaction)) {
      const Vector3 normal = bodies.surface_at(contact, position, options.reaction).normal;
      const Matrix3 inverse_mass = w * Matrix3::Identity() + bodies.inverse_mass_matrix(contact.body, position);
      const Vector3 slip = way - bodies.displacement_at(contact.body, position);
      const Vector3 change = change_friction(inverse_mass, normal, slip, most, state.held);
      p.row(contact.vertex) += w * change.transpose();
      bodies.push_at(contact.body, position, -change);
      continue;
    }
    const Vector3 along = way - time_step_ * contact.surface_velocity;
    const Vector3 slip = along - contact.normal * contact.normal.dot(along);
    Vector3 held = state.held - slip / w;
    const double length = held.norm();
    if (length > most) held *= most / length;
    p.row(contact.vertex) += w * (held - state.held).transpose();
    state.held = held;
  }
}

void VelocityUpdateRule::update_velocities(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses,
                                           const PbdOptions& options, const Points& positions,
                                           Points& velocities) const {
  const double reaction = options.reaction == Reaction::AsPrinted ? 1.0 : -1.0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const BodyContact& contact = contacts_[k];
    const State& state = states_[k];
    const double w = inverse_masses[contact.vertex];
    if (!(w > 0.0)) continue;
    const Vector3 at = positions.row(contact.vertex);  // common point of action, so that the pair has no moment
    const auto act = [&](const Vector3& impulse) {     // kg m/s on the vertex
      velocities.row(contact.vertex) += w * impulse.transpose();
      if (contact.body >= 0) bodies.apply_impulse(contact.body, at, reaction * impulse);
    };
    const auto relative = [&]() -> Vector3 {
      return velocities.row(contact.vertex).transpose() - velocity_at(bodies, contact.body, at);
    };
    if (options.velocity_update == VelocityUpdate::AsPrinted) {
      const Vector3 v = relative();
      const double normal = v.dot(contact.normal);
      const Vector3 along = v - normal * contact.normal;
      Vector3 change = -std::min(contact.friction, 1.0) * along;
      if (normal < 0.0) change -= (1.0 + contact.restitution) * normal * contact.normal;
      act(change / w);
      continue;
    }
    // The friction displacement is already in the velocities of the vertex and of a jointly projected body.
    if (contact.body >= 0 && !bodies.is_joint(contact.body, options.reaction) && state.held != Vector3::Zero())
      bodies.apply_impulse(contact.body, at, reaction / time_step_ * state.held);
    if (!(state.pushed > 0.0) || !(contact.restitution > 0.0) || !(state.approach < -least_rebound_)) continue;
    const Vector3 normal = bodies.surface_at(contact, at, options.reaction).normal;
    const double missing = -contact.restitution * state.approach - relative().dot(normal);
    const double body_w = contact.body < 0 ? 0.0 : bodies.inverse_mass_along(contact.body, at, normal);
    act(missing / (w + body_w) * normal);
  }
}

}  // namespace deformbench::pbd
