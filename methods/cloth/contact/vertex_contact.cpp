// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/contact/vertex_contact.hpp"

#include <algorithm>

namespace deformbench::cloth {
namespace {

struct Meeting {
  double depth;  ///< m, > 0 inside
  Vector3 normal;
  Vector3 velocity;  ///< m/s, of the obstacle at the contact point
  double friction, restitution;
};

/// Velocity change that removes a penetration of `depth`. [B05] §8: inelastic; restitution belongs to the internal
/// elasticity.
Vector3 change_of(const Vector3& velocity, const Meeting& meeting, double h) {
  const Vector3 relative = velocity - meeting.velocity;
  const double approach = -relative.dot(meeting.normal);
  const double push = std::max(meeting.depth / h, (1.0 + meeting.restitution) * approach * (meeting.restitution > 0.0));
  const Vector3 sliding = relative + approach * meeting.normal;
  const double speed = sliding.norm();
  // Coulomb: the tangential impulse is at most μ times the normal impulse and at most stops the sliding.
  const double slowed = speed > 0.0 ? std::min(1.0, meeting.friction * push / speed) : 0.0;
  return push * meeting.normal - slowed * sliding;
}

}  // namespace

std::vector<VertexContact> VertexContacts::stop(const Points& x, double h, double end_time, const Points& is_free,
                                                Points& v) const {
  std::vector<VertexContact> found;
  if (!has_obstacles()) return found;
  std::vector<model::Pose> poses;
  for (const model::RigidBody& body : scene_.rigid_bodies) poses.push_back(body.pose_at(end_time));
  const auto meet = [&](Eigen::Index i, const Meeting& meeting) {
    v.row(i) += change_of(v.row(i).transpose(), meeting, h).transpose();
    found.push_back({int(i), meeting.normal, meeting.velocity.dot(meeting.normal)});
  };
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    if (is_free.row(i).minCoeff() == 0.0) continue;
    for (const model::PlaneCollider& plane : scene_.colliders) {
      const double gap = plane.normal.dot((x.row(i) + h * v.row(i)).transpose()) - plane.offset;
      if (gap < 0.0) meet(i, {-gap, plane.normal, Vector3::Zero(), plane.friction, plane.restitution});
    }
    for (std::size_t b = 0; b < poses.size(); ++b) {
      const model::RigidBody& body = scene_.rigid_bodies[b];
      const Vector3 arm = (x.row(i) + h * v.row(i)).transpose() - poses[b].position;
      Vector3 closest, normal;
      const double gap = model::signed_distance(body.shape, poses[b].orientation.transpose() * arm, closest, normal);
      if (gap >= 0.0) continue;
      const Vector3 velocity = body.velocity_at(end_time) + body.angular_velocity_at(end_time).cross(arm);
      meet(i, {-gap, poses[b].orientation * normal, velocity, body.friction, body.restitution});
    }
  }
  return found;
}

}  // namespace deformbench::cloth
