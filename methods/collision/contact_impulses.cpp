// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/contact_impulses.hpp"

#include <algorithm>

namespace deformbench::collision {
namespace {

/// Coulomb: the tangential velocity loses at most `friction` times the change of the normal velocity.
void rub(const Contact& contact, double friction, double normal_change, const Points& mobility, Points& velocities) {
  if (friction <= 0.0 || normal_change <= 0.0) return;
  const Vector3 v = relative_velocity(contact, velocities);
  const Vector3 tangential = v - contact.normal.dot(v) * contact.normal;
  const double speed = tangential.norm();
  if (speed > 0.0)
    apply_impulse(contact, tangential / speed, -std::min(friction * normal_change, speed), mobility, velocities);
}

}  // namespace

Vector3 relative_velocity(const Contact& contact, const Points& velocities) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = 0; k < 4; ++k) sum += contact.weights[k] * velocities.row(contact.vertices[k]).transpose();
  return sum;
}

double inverse_mass(const Contact& contact, const Vector3& direction, const Points& mobility) {
  double sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k)
    sum += contact.weights[k] * contact.weights[k] *
           mobility.row(contact.vertices[k]).transpose().cwiseProduct(direction).dot(direction);
  return sum;
}

void apply_impulse(const Contact& contact, const Vector3& direction, double change, const Points& mobility,
                   Points& velocities) {
  // [B05] §11: distributed by barycentric weight, so that the interpolated velocity changes as required.
  const double inverse = inverse_mass(contact, direction, mobility);
  if (!(inverse > 0.0)) return;
  const double impulse = change / inverse;
  for (std::size_t k = 0; k < 4; ++k) {
    const int i = contact.vertices[k];
    velocities.row(i) += (impulse * contact.weights[k] * direction).transpose().cwiseProduct(mobility.row(i));
  }
}

bool stop_approach(const Contact& contact, double friction, const Points& mobility, Points& velocities) {
  const double speed = contact.normal.dot(relative_velocity(contact, velocities));
  if (speed >= 0.0 || !(inverse_mass(contact, contact.normal, mobility) > 0.0)) return false;
  apply_impulse(contact, contact.normal, -speed, mobility, velocities);
  rub(contact, friction, -speed, mobility, velocities);
  return true;
}

bool repel(const Contact& contact, double overlap, double stiffness, double friction, double h, const Points& mobility,
           Points& velocities) {
  const double inverse = inverse_mass(contact, contact.normal, mobility);
  if (!(inverse > 0.0) || overlap <= 0.0) return false;
  const double speed = contact.normal.dot(relative_velocity(contact, velocities));
  const double wanted = 0.1 * overlap / h;
  if (speed >= wanted) return false;
  const double start = std::max(speed, 0.0);  // an approach is stopped first
  const double change = start - speed + std::min(h * stiffness * overlap * inverse, wanted - start);
  apply_impulse(contact, contact.normal, change, mobility, velocities);
  rub(contact, friction, change, mobility, velocities);
  return true;
}

}  // namespace deformbench::collision
