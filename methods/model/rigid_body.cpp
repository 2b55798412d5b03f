// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/rigid_body.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "methods/model/error.hpp"

namespace deformbench::model {

Pose RigidBody::pose_at(double time) const {
  const double moved = std::max(0.0, time - start_time);
  Pose pose = start;
  pose.position += moved * velocity;
  if (!swing.isZero(0.0)) pose.position += std::sin(2 * std::numbers::pi * moved / swing_period) * swing;
  const double speed = angular_velocity.norm();
  if (speed > 0)
    pose.orientation =
        Eigen::AngleAxisd(speed * moved, angular_velocity / speed).toRotationMatrix() * start.orientation;
  return pose;
}

Vector3 RigidBody::velocity_at(double time) const {
  if (time < start_time) return Vector3::Zero();
  const double rate = 2 * std::numbers::pi / swing_period;
  if (swing.isZero(0.0)) return velocity;
  return velocity + rate * std::cos(rate * (time - start_time)) * swing;
}

Vector3 RigidBody::angular_velocity_at(double time) const {
  return time < start_time ? Vector3(Vector3::Zero()) : angular_velocity;
}

namespace {

void require_closed(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t)
    for (Eigen::Index k = 0; k < 3; ++k) edges.push_back({mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3)});
  std::sort(edges.begin(), edges.end());
  for (const auto& [a, b] : edges)
    if (!std::binary_search(edges.begin(), edges.end(), std::array{b, a}))
      throw InputError("rigid body: edge (" + std::to_string(a) + ", " + std::to_string(b) +
                       ") of its mesh has a triangle on one side only, expected a closed surface");
}

/// ∫ x xᵀ dV of the tetrahedra that the triangles span with the origin, and their volume.
Matrix3 second_moments(const TriangleMesh& mesh, double& volume) {
  Matrix3 moments = Matrix3::Zero();
  double six_volumes = 0.0;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0));
    const Vector3 b = mesh.positions.row(mesh.triangles(t, 1));
    const Vector3 c = mesh.positions.row(mesh.triangles(t, 2));
    const double determinant = a.dot(b.cross(c));
    const Vector3 sum = a + b + c;
    moments += determinant / 120 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    six_volumes += determinant;
  }
  volume = six_volumes / 6;
  return moments;
}

/// Circles of latitude about the y axis; half_length 0 is a sphere.
TriangleMesh capsule_surface(double radius, double half_length) {
  const int around = 32, rings_a_half = 8;
  std::vector<Vector3> points{{0, -half_length - radius, 0}};
  for (const double side : {-1.0, 1.0}) {
    for (int i = 0; i < rings_a_half; ++i) {
      // From the pole to the equator below, from the equator to the pole above; a sphere has the equator once.
      const int ring = side < 0 ? rings_a_half - 1 - i : i;
      if (side > 0 && i == 0 && half_length == 0) continue;
      const double latitude = 0.5 * std::numbers::pi * ring / rings_a_half;
      for (int k = 0; k < around; ++k) {
        const double longitude = 2 * std::numbers::pi * k / around;
        points.emplace_back(radius * std::cos(latitude) * std::cos(longitude),
                            side * (half_length + radius * std::sin(latitude)),
                            radius * std::cos(latitude) * std::sin(longitude));
      }
    }
  }
  points.emplace_back(0, half_length + radius, 0);
  const int rings = int(points.size() - 2) / around;
  const int top = int(points.size()) - 1;
  std::vector<std::array<int, 3>> triangles;
  const auto at = [](int ring, int k) { return 1 + ring * around + k % around; };
  for (int k = 0; k < around; ++k) {
    triangles.push_back({0, at(0, k), at(0, k + 1)});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      triangles.push_back({at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)});
      triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)});
    }
    triangles.push_back({top, at(rings - 1, k + 1), at(rings - 1, k)});
  }
  TriangleMesh mesh{Points(Eigen::Index(points.size()), 3), Triangles(Eigen::Index(triangles.size()), 3)};
  for (std::size_t i = 0; i < points.size(); ++i) mesh.positions.row(Eigen::Index(i)) = points[i];
  for (std::size_t t = 0; t < triangles.size(); ++t)
    mesh.triangles.row(Eigen::Index(t)) << triangles[t][0], triangles[t][1], triangles[t][2];
  return mesh;
}

TriangleMesh box_surface(const Vector3& half) {
  TriangleMesh mesh{Points(8, 3), Triangles(12, 3)};
  for (int i = 0; i < 8; ++i)
    mesh.positions.row(i) << (i & 1 ? 1 : -1) * half[0], (i & 2 ? 1 : -1) * half[1], (i & 4 ? 1 : -1) * half[2];
  mesh.triangles << 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7,
      4, 7, 6;
  return mesh;
}

}  // namespace

Matrix3 solid_inertia(const Shape& shape, double mass) {
  const double r = shape.radius, h = shape.half_length;
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return 0.4 * mass * r * r * Matrix3::Identity();
    case ShapeKind::Capsule: {
      const double cylinder = mass * 2 * h / (2 * h + 4.0 / 3 * r);  // mass of the cylinder; the rest is two half balls
      const double balls = mass - cylinder;
      const double along = 0.5 * cylinder * r * r + 0.4 * balls * r * r;
      const double across = cylinder * (0.25 * r * r + h * h / 3) + balls * (0.4 * r * r + h * h + 0.75 * h * r);
      return Vector3(across, along, across).asDiagonal();
    }
    case ShapeKind::Box: {
      const Vector3 squares = shape.half_extents.cwiseAbs2();
      return (mass / 3 * (Vector3::Constant(squares.sum()) - squares)).asDiagonal();
    }
    case ShapeKind::Mesh:
      break;
  }
  require_closed(shape.mesh);
  double volume = 0.0;
  const Matrix3 moments = second_moments(shape.mesh, volume);
  if (!(volume > 0))
    throw InputError("rigid body: its mesh encloses " + std::to_string(volume) +
                     " m³, expected a closed surface wound outward");
  return mass / volume * (moments.trace() * Matrix3::Identity() - moments);
}

TriangleMesh surface_of(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return capsule_surface(shape.radius, 0.0);
    case ShapeKind::Capsule:
      return capsule_surface(shape.radius, shape.half_length);
    case ShapeKind::Box:
      return box_surface(shape.half_extents);
    case ShapeKind::Mesh:
      break;
  }
  return shape.mesh;
}

}  // namespace deformbench::model
