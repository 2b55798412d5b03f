// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/contact/vertex_contact.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace deformbench::cloth {
namespace {

/// Share of a normal that lies along free components below which the contact is left to what holds the vertex.
constexpr double kLeastFree = 1e-6;
/// Rounds over the obstacles of one vertex: in a groove of 30° an overlap shrinks to 0.75 of it in each.
constexpr std::size_t kRounds = 200;

struct Meeting {
  double depth;  ///< m, > 0 inside
  Vector3 normal;
  Vector3 velocity;  ///< m/s, of the obstacle at the contact point
  double friction, restitution;
};

/// Signed distance (m) of a place from obstacle `o`, planes before bodies, and its normal there.
double gap_from(const Scene& scene, const std::vector<model::Pose>& poses, std::size_t o, const Vector3& place,
                Vector3& normal) {
  if (o < scene.colliders.size()) {
    normal = scene.colliders[o].normal;
    return normal.dot(place) - scene.colliders[o].offset;
  }
  const std::size_t b = o - scene.colliders.size();
  Vector3 closest, local;
  const double gap = model::signed_distance(
      scene.rigid_bodies[b].shape, poses[b].orientation.transpose() * (place - poses[b].position), closest, local);
  normal = poses[b].orientation * local;
  return gap;
}

/// Velocity change along the components that are free (1; else 0) that removes a penetration of `depth`. [B05] §8:
/// inelastic; restitution belongs to the internal elasticity. `along`: the free part of the normal; `share`: its
/// square.
Vector3 change_of(const Vector3& velocity, const Meeting& meeting, double h, const Vector3& free, const Vector3& along,
                  double share) {
  const Vector3 relative = velocity - meeting.velocity;
  const double approach = -relative.dot(meeting.normal);
  const double push = std::max(meeting.depth / h, (1.0 + meeting.restitution) * approach * (meeting.restitution > 0.0));
  Vector3 sliding = relative + approach * meeting.normal;
  if (share != 1.0) sliding = free.cwiseProduct(relative) - along.dot(relative) / share * along;
  const double speed = sliding.norm();
  // Coulomb: the tangential impulse is at most μ times the normal impulse and at most stops the sliding.
  const double slowed = speed > 0.0 ? std::min(1.0, meeting.friction * push / share / speed) : 0.0;
  return push / share * along - slowed * sliding;
}

}  // namespace

std::vector<model::Pose> VertexContacts::poses_at(double time) const {
  std::vector<model::Pose> poses;
  for (const model::RigidBody& body : scene_.rigid_bodies) poses.push_back(body.pose_at(time));
  return poses;
}

std::vector<VertexContact> VertexContacts::stop(const Points& x, double h, double end_time, const Points& is_free,
                                                Points& v) const {
  std::vector<VertexContact> found;
  if (!has_obstacles()) return found;
  const std::vector<model::Pose> poses = poses_at(end_time);
  const std::size_t planes = scene_.colliders.size(), obstacles = planes + poses.size();
  const auto meeting_with = [&](std::size_t o, const Vector3& end) -> std::optional<Meeting> {
    Vector3 normal;
    const double gap = gap_from(scene_, poses, o, end, normal);
    if (gap >= 0.0) return std::nullopt;
    if (o < planes) {
      const model::PlaneCollider& plane = scene_.colliders[o];
      return Meeting{-gap, normal, Vector3::Zero(), plane.friction, plane.restitution};
    }
    const model::RigidBody& body = scene_.rigid_bodies[o - planes];
    const Vector3 arm = end - poses[o - planes].position;
    const Vector3 velocity = body.velocity_at(end_time) + body.angular_velocity_at(end_time).cross(arm);
    return Meeting{-gap, normal, velocity, body.friction, body.restitution};
  };
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Vector3 free = is_free.row(i);
    if (free.isZero(0.0)) continue;
    const bool is_whole = free.minCoeff() > 0.0;
    std::size_t clear = 0;  // obstacles in turn, since the last one that was met and including it, that are not met
    for (std::size_t turn = 0; clear < obstacles && turn < kRounds * obstacles; ++turn, ++clear) {
      std::optional<Meeting> meeting = meeting_with(turn % obstacles, (x.row(i) + h * v.row(i)).transpose());
      if (!meeting) continue;
      if (turn >= obstacles) meeting->restitution = 0.0;  // it has rebounded
      const Vector3 along = is_whole ? meeting->normal : meeting->normal.cwiseProduct(free);
      const double share = is_whole ? 1.0 : along.squaredNorm();
      if (share < kLeastFree) continue;  // what holds the vertex decides
      clear = 0;
      const Vector3 velocity = v.row(i), change = change_of(velocity, *meeting, h, free, along, share);
      v.row(i) += change.transpose();
      const double length = std::sqrt(share), held = (meeting->normal - along).dot(velocity);
      found.push_back({int(i), along / length, (meeting->velocity.dot(meeting->normal) - held) / length});
    }
  }
  return found;
}

int VertexContacts::inside(const Points& x, double time, const Points& is_free, double depth) const {
  const std::vector<model::Pose> poses = poses_at(time);
  int count = 0;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    if (is_free.row(i).isZero(0.0)) continue;
    bool is_inside = false;
    Vector3 normal;
    for (std::size_t o = 0; o < scene_.colliders.size() + poses.size() && !is_inside; ++o)
      is_inside = gap_from(scene_, poses, o, x.row(i).transpose(), normal) < -depth;
    count += is_inside;
  }
  return count;
}

}  // namespace deformbench::cloth
