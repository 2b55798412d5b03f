// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies, moved by forces or by a given motion, and their attachments: plain data.
#pragma once

#include <string>

#include "methods/model/triangle_mesh.hpp"
#include "methods/model/types.hpp"

namespace deformbench::model {

enum class ShapeKind {
  Sphere,   ///< radius
  Capsule,  ///< radius, half_length: the segment (0, ±half_length, 0), thickened
  Box,      ///< half_extents
  Mesh,     ///< mesh: closed and convex for a dynamic body; for a kinematic one any oriented surface, also an open one
};

/// In the body's frame, whose origin is the centre of mass of a dynamic body.
struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  double radius = 0.0;                     ///< m
  double half_length = 0.0;                ///< m
  Vector3 half_extents = Vector3::Zero();  ///< m
  TriangleMesh mesh;                       ///< counter-clockwise seen from the allowed side
};

struct Pose {
  Vector3 position = Vector3::Zero();         ///< m
  Matrix3 orientation = Matrix3::Identity();  ///< body to world
};

struct RigidBody {
  std::string name;
  Shape shape;
  double mass = 0.0;  ///< kg; 0: kinematic, moved only by its given motion
  Pose start;
  Vector3 velocity = Vector3::Zero();          ///< m/s, of the origin
  Vector3 angular_velocity = Vector3::Zero();  ///< rad/s, world
  Vector3 swing = Vector3::Zero();             ///< m; kinematic only: + swing·sin(2π(t − start_time)/swing_period)
  double swing_period = 1.0;                   ///< s
  double start_time = 0.0;                     ///< s; until then the body does not move (dynamic: held)
  double friction = 0.0;                       ///< Coulomb coefficient for all contacts, ≥ 0
  double restitution = 0.0;                    ///< 0 … 1

  bool is_kinematic() const { return mass == 0.0; }
  /// Pose of a kinematic body at `time`: start, displaced by velocity and swing, rotated by angular_velocity.
  Pose pose_at(double time) const;
  /// Velocity (m/s) and angular velocity (rad/s) of a kinematic body at `time`.
  Vector3 velocity_at(double time) const;
  Vector3 angular_velocity_at(double time) const;
};

/// Inertia (kg m², body frame) of a uniform solid about its origin; InputError if a mesh is not closed.
Matrix3 solid_inertia(const Shape& shape, double mass);

/// The surface as triangles, body frame, for pictures: spheres and capsules as polyhedra, boxes and meshes exactly.
TriangleMesh surface_of(const Shape& shape);

/// Distance (m) from `point` (body frame) to the surface, negative inside; for an open mesh the sign is the side of
/// the closest triangle. `closest`: surface point; `normal`: unit gradient of the distance.
double signed_distance(const Shape& shape, const Vector3& point, Vector3& closest, Vector3& normal);

/// A vertex fixed to a body.
struct Attachment {
  int vertex = 0;
  int body = 0;  ///< index into Scene::rigid_bodies
  /// Two-way coupling. If false, or if the body is kinematic, the vertex only follows.
  bool pulls_body = true;
};

}  // namespace deformbench::model
