// SPDX-License-Identifier: BSD-3-Clause
// Contact of rigid bodies with planes and each other: sequential impulses on the velocities of the step, so that no gap
// measured at its start becomes negative; poses follow. Not in the paper, which uses an existing engine.
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/pbd/bodies/rigid_bodies.hpp"
#include "methods/pbd/bodies/rotation.hpp"

namespace deformbench::pbd {

Vector3 RigidBodies::relative_velocity(const RigidContact& contact) const {
  const auto b = std::size_t(contact.body);
  Vector3 velocity = moving_[b].velocity + angular_velocity(b).cross(contact.arm) - contact.given_velocity;
  if (contact.other >= 0) {
    const auto o = std::size_t(contact.other);
    if (moving_[o].inverse_mass > 0) velocity -= moving_[o].velocity + angular_velocity(o).cross(contact.other_arm);
  }
  return velocity;
}

double RigidBodies::inverse_mass_of(const RigidContact& contact, const Vector3& direction) const {
  const double other = contact.other < 0 ? 0.0 : inverse_mass_at(contact.other, contact.other_arm, direction);
  return inverse_mass_at(contact.body, contact.arm, direction) + other;
}

void RigidBodies::apply(const RigidContact& contact, const Vector3& impulse) {
  const auto change = [&](int body, const Vector3& arm, const Vector3& j) {
    MovingRigidBody& moving = moving_[std::size_t(body)];
    if (moving.inverse_mass == 0) return;
    moving.velocity += moving.inverse_mass * j;
    moving.angular_momentum += arm.cross(j);
  };
  change(contact.body, contact.arm, impulse);
  if (contact.other >= 0) change(contact.other, contact.other_arm, -impulse);
}

void RigidBodies::find_contacts() {
  contacts_.swap(last_contacts_);
  contacts_.clear();
  const auto add = [&](RigidContact contact) {
    contact.speed_before = relative_velocity(contact).dot(contact.normal);
    contacts_.push_back(contact);
  };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const int body = int(b);
    if (moving_[b].inverse_mass == 0) continue;
    const model::Pose& pose = before_[b];
    // Largest distance it can travel in this step under moderate contact impulses.
    const double way = time_step_ * (moving_[b].velocity.norm() + angular_velocity(b).norm() * shapes_->radius(body) +
                                     2 * time_step_ * gravity_.norm());
    int number = 0;
    for (const model::PlaneCollider& plane : planes_) {
      const int first = number;
      number += int(shapes_->feelers(body).size());
      if (plane.normal.dot(pose.position) - plane.offset > shapes_->radius(body) + way) continue;
      for (std::size_t f = 0; f < shapes_->feelers(body).size(); ++f) {
        const BodyShapes::Feeler& feeler = shapes_->feelers(body)[f];
        const Vector3 to_feeler = pose.orientation * feeler.position;
        const Vector3 arm = to_feeler - feeler.radius * plane.normal;
        const double gap = plane.normal.dot(pose.position + arm) - plane.offset;
        if (gap > way) continue;
        add({body, -1, arm, Vector3::Zero(), plane.normal, Vector3::Zero(), gap,
             std::max(plane.friction, bodies_[b].friction), std::max(plane.restitution, bodies_[b].restitution), 0.0,
             to_feeler, feeler.radius, first + int(f)});
      }
    }
    for (std::size_t o = 0; o < bodies_.size(); ++o) {
      if (o == b) continue;
      const int other = int(o);
      const bool is_free = moving_[o].inverse_mass > 0;
      const model::Pose& other_pose = before_[o];
      const double other_way =
          is_free ? time_step_ * (moving_[o].velocity.norm() + angular_velocity(o).norm() * shapes_->radius(other))
                  : (after_[o].position - other_pose.position).norm() +
                        (after_[o].orientation - other_pose.orientation).norm() * shapes_->radius(other);
      const double reach = way + other_way;
      if ((pose.position - other_pose.position).norm() > shapes_->radius(body) + shapes_->radius(other) + reach)
        continue;
      for (std::size_t f = 0; f < shapes_->feelers(body).size(); ++f) {
        const BodyShapes::Feeler& feeler = shapes_->feelers(body)[f];
        const Vector3 centre = pose.position + pose.orientation * feeler.position;
        const Vector3 local = other_pose.orientation.transpose() * (centre - other_pose.position);
        if (local.norm() > shapes_->radius(other) + feeler.radius + reach) continue;
        Vector3 closest, normal;
        const double gap = shapes_->signed_distance(other, local, closest, normal) - feeler.radius;
        if (gap > reach) continue;
        const auto* mesh = shapes_->mesh(other);
        if (mesh != nullptr && !mesh->is_closed() && gap < -kOpenDepth * mesh->diagonal()) continue;
        const bool are_balls =
            bodies_[o].shape.kind == model::ShapeKind::Sphere && bodies_[b].shape.kind == model::ShapeKind::Sphere;
        if (is_free && are_balls && o < b) continue;  // each pair of balls once
        const Vector3 other_point = other_pose.position + other_pose.orientation * closest;
        const Vector3 world_normal = other_pose.orientation * normal;
        Vector3 given = Vector3::Zero();
        if (!is_free) given = (after_[o].position + after_[o].orientation * closest - other_point) / time_step_;
        add({body, other, centre - feeler.radius * world_normal - pose.position, other_point - other_pose.position,
             world_normal, given, gap, std::max(bodies_[o].friction, bodies_[b].friction),
             std::max(bodies_[o].restitution, bodies_[b].restitution), 0.0, centre - pose.position, feeler.radius,
             int(f)});
      }
    }
  }
}

void RigidBodies::start_from_last_impulses() {
  // Both lists are sorted by (body, other, number).
  const auto key = [](const RigidContact& c) { return std::array{c.body, c.other, c.number}; };
  auto last = last_contacts_.begin();
  for (RigidContact& contact : contacts_) {
    while (last != last_contacts_.end() && key(*last) < key(contact)) ++last;
    if (last == last_contacts_.end()) return;
    if (key(*last) != key(contact) || last->impulse == 0 || last->normal.dot(contact.normal) < 0.9) continue;
    contact.impulse = last->impulse;
    contact.friction_impulse = last->friction_impulse - last->friction_impulse.dot(contact.normal) * contact.normal;
    apply(contact, contact.impulse * contact.normal + contact.friction_impulse);
  }
}

void RigidBodies::solve_contacts() {
  const int most_sweeps = 50;
  for (int sweep = 0; sweep < most_sweeps && !contacts_.empty(); ++sweep) {
    double largest_change = 0.0;  // m/s
    for (RigidContact& contact : contacts_) {
      const double inverse_mass = inverse_mass_of(contact, contact.normal);
      const double speed = relative_velocity(contact).dot(contact.normal) + std::max(0.0, contact.gap) / time_step_;
      const double impulse = std::max(0.0, contact.impulse - speed / inverse_mass);
      const double change = impulse - contact.impulse;
      contact.impulse = impulse;
      if (change != 0) apply(contact, change * contact.normal);
      largest_change = std::max(largest_change, std::abs(change) * inverse_mass);

      const double most = contact.friction * contact.impulse;
      if (most == 0 && contact.friction_impulse.isZero(0.0)) continue;
      const Vector3 velocity = relative_velocity(contact);
      const Vector3 sliding = velocity - velocity.dot(contact.normal) * contact.normal;
      const double sliding_speed = sliding.norm();
      Vector3 wanted = contact.friction_impulse;
      if (sliding_speed > 0) wanted -= sliding / inverse_mass_of(contact, sliding / sliding_speed);
      if (wanted.norm() > most) wanted *= most / wanted.norm();  // Coulomb's cone
      const Vector3 friction_change = wanted - contact.friction_impulse;
      contact.friction_impulse = wanted;
      if (!friction_change.isZero(0.0)) apply(contact, friction_change);
      largest_change = std::max(largest_change, friction_change.norm() * inverse_mass);
    }
    if (largest_change < 1e-12) break;
  }
}

void RigidBodies::bounce() {
  // Contacts slower than two steps of gravity are resting.
  const double least_speed = 2 * time_step_ * gravity_.norm();
  std::vector<RigidContact*> bouncing;
  for (RigidContact& contact : contacts_)
    if (contact.impulse > 0 && contact.restitution > 0 && contact.speed_before < -least_speed)
      bouncing.push_back(&contact);
  for (RigidContact* contact : bouncing) contact->impulse = 0;
  for (int sweep = 0; sweep < 50 && !bouncing.empty(); ++sweep) {
    double largest_change = 0.0;
    for (RigidContact* contact : bouncing) {
      const double inverse_mass = inverse_mass_of(*contact, contact->normal);
      const double missing =
          relative_velocity(*contact).dot(contact->normal) + contact->restitution * contact->speed_before;
      const double impulse = std::max(0.0, contact->impulse - missing / inverse_mass);
      const double change = impulse - contact->impulse;
      contact->impulse = impulse;
      if (change != 0) apply(*contact, change * contact->normal);
      largest_change = std::max(largest_change, std::abs(change) * inverse_mass);
    }
    if (largest_change < 1e-12) break;
  }
  for (RigidContact* contact : bouncing) contact->impulse = 0;  // it has rebounded
}

void RigidBodies::separate() {
  // Penetration left by linearising the rotation: corrects poses only, not velocities. A small part is left, or resting
  // corners would lift each other indefinitely.
  for (RigidContact& contact : contacts_) {
    const auto b = std::size_t(contact.body);
    Vector3 other_point = before_[b].position + contact.arm - contact.gap * contact.normal,
            other_arm = contact.other_arm;
    Vector3 normal = contact.normal;
    if (contact.other >= 0) {
      const auto o = std::size_t(contact.other);
      const Matrix3 turn = after_[o].orientation * before_[o].orientation.transpose();
      other_arm = turn * contact.other_arm;
      other_point = after_[o].position + other_arm;
      normal = turn * contact.normal;
    }
    const Vector3 arm =
        after_[b].orientation * (before_[b].orientation.transpose() * contact.feeler) - contact.radius * normal;
    const double gap = (after_[b].position + arm - other_point).dot(normal);
    const double left = 1e-4 * shapes_->radius(contact.body);
    if (gap >= -left) continue;
    RigidContact now = contact;
    now.arm = arm;
    now.other_arm = other_arm;
    const double lambda = -(gap + left) / inverse_mass_of(now, normal);
    const auto move_by = [&](int body, const Vector3& at, const Vector3& impulse) {
      const auto k = std::size_t(body);
      if (moving_[k].inverse_mass == 0) return;
      move(k, moving_[k].inverse_mass * impulse,
           world_times(moving_[k].inverse_inertia, after_[k].orientation, at.cross(impulse)));
    };
    move_by(contact.body, arm, lambda * normal);
    if (contact.other >= 0) move_by(contact.other, other_arm, -lambda * normal);
  }
}

}  // namespace deformbench::pbd
