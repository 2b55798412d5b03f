// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/contact/plane_contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace deformbench::meshless {
namespace {

/// Force of the obstacle on node i, which has the relative velocity `velocity`.
Vector3 force_on(Eigen::Index i, double depth, const Vector3& normal, double friction, const Vector3& velocity,
                 const NodePenalty& nodes) {
  const double push = nodes.stiffnesses[std::size_t(i)] * depth;
  const Vector3 sliding = velocity - velocity.dot(normal) * normal;
  const double speed = sliding.norm();
  Vector3 force = push * normal;
  if (speed > 0.0) force -= std::min(friction * push, nodes.masses[i] * speed / nodes.step) / speed * sliding;
  return force;
}

/// m, largest distance of the shape from its origin.
double reach_of(const model::Shape& shape) {
  if (shape.kind == model::ShapeKind::Box) return shape.half_extents.norm();
  return shape.radius + (shape.kind == model::ShapeKind::Capsule ? shape.half_length : 0.0);
}

}  // namespace

void add_plane_forces(std::span<const model::PlaneCollider> planes, const NodePenalty& nodes, Points& forces,
                      std::vector<char>& is_touched) {
  for (Eigen::Index i = 0; i < nodes.positions.rows(); ++i)
    for (const model::PlaneCollider& plane : planes) {
      const double depth = plane.offset - nodes.positions.row(i).dot(plane.normal);
      if (!(depth > 0.0)) continue;
      is_touched[std::size_t(i)] = 1;
      forces.row(i) += force_on(i, depth, plane.normal, plane.friction, nodes.velocities.row(i), nodes).transpose();
    }
}

void add_body_forces(std::span<const model::RigidBody> bodies, double time, const NodePenalty& nodes, Points& forces,
                     std::vector<char>& is_touched) {
  for (const model::RigidBody& body : bodies) {
    const model::Pose pose = body.pose_at(time);
    const Vector3 linear = body.velocity_at(time), angular = body.angular_velocity_at(time);
    const double reach = reach_of(body.shape);
    for (Eigen::Index i = 0; i < nodes.positions.rows(); ++i) {
      const Vector3 from = nodes.positions.row(i).transpose() - pose.position;
      if (from.squaredNorm() >= reach * reach) continue;
      Vector3 closest, normal;
      const double distance = model::signed_distance(body.shape, pose.orientation.transpose() * from, closest, normal);
      if (!(distance < 0.0)) continue;
      is_touched[std::size_t(i)] = 1;
      const Vector3 velocity = nodes.velocities.row(i).transpose() - linear - angular.cross(from);
      forces.row(i) += force_on(i, -distance, pose.orientation * normal, body.friction, velocity, nodes).transpose();
    }
  }
}

}  // namespace deformbench::meshless
