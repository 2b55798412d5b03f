// SPDX-License-Identifier: BSD-3-Clause
// Signed distance of a point to the shapes of rigid bodies.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/model/rigid_body.hpp"
#include "methods/model/triangle_distance.hpp"

namespace deformbench::model {
namespace {

/// Outwards from a centre (or the nearest point of an axis); any direction at the centre itself.
double distance_to_ball(const Vector3& centre, double radius, const Vector3& point, Vector3& closest, Vector3& normal) {
  const Vector3 from_centre = point - centre;
  const double length = from_centre.norm();
  normal = length > 0 ? Vector3(from_centre / length) : Vector3::UnitX();
  closest = centre + radius * normal;
  return length - radius;
}

double distance_to_box(const Vector3& half, const Vector3& point, Vector3& closest, Vector3& normal) {
  const Vector3 beyond = point.cwiseAbs() - half;
  Eigen::Index axis = 0;
  if (beyond.maxCoeff(&axis) <= 0) {  // inside: out through the nearest face
    const double side = point[axis] < 0 ? -1.0 : 1.0;
    closest = point;
    closest[axis] = side * half[axis];
    normal = Vector3::Zero();
    normal[axis] = side;
    return beyond[axis];
  }
  closest = point.cwiseMin(half).cwiseMax(-half);
  const double distance = (point - closest).norm();
  normal = (point - closest) / distance;
  return distance;
}

Vector3 corner(const TriangleMesh& mesh, Eigen::Index triangle, Eigen::Index k) {
  return mesh.positions.row(mesh.triangles(triangle, k % 3)).transpose();
}

Vector3 area_vector(const TriangleMesh& mesh, Eigen::Index t) {
  return (corner(mesh, t, 1) - corner(mesh, t, 0)).cross(corner(mesh, t, 2) - corner(mesh, t, 0));
}

/// Sum of unit normals over the triangles around a feature: equal weights at an edge, weighted by angle at a vertex.
/// The sign of its product with p − closest gives the side of the surface (Bærentzen & Aanæs 2005).
Vector3 pseudo_normal(const TriangleMesh& mesh, Eigen::Index triangle, TriangleFeature feature) {
  if (feature == TriangleFeature::Face) return area_vector(mesh, triangle).normalized();
  const int k = int(feature) % 3;
  const bool is_edge = int(feature) < 3;
  const int a = mesh.triangles(triangle, k);
  const int b = mesh.triangles(triangle, (k + 1) % 3);
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 area = area_vector(mesh, t);
    const double length = area.norm();
    if (length == 0) continue;
    for (Eigen::Index c = 0; c < 3; ++c) {
      if (mesh.triangles(t, c) != a) continue;
      const Vector3 to_next = corner(mesh, t, c + 1) - corner(mesh, t, c);
      const Vector3 to_last = corner(mesh, t, c + 2) - corner(mesh, t, c);
      if (!is_edge)
        sum += std::atan2(length, to_next.dot(to_last)) / length * area;
      else if (mesh.triangles(t, (c + 1) % 3) == b || mesh.triangles(t, (c + 2) % 3) == b)
        sum += area / length;
    }
  }
  return sum.normalized();
}

double distance_to_mesh(const TriangleMesh& mesh, const Vector3& point, Vector3& closest, Vector3& normal) {
  double least = std::numeric_limits<double>::infinity();
  Eigen::Index triangle = 0;
  TriangleFeature feature = TriangleFeature::Face;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    if (area_vector(mesh, t).isZero(0.0)) continue;
    const Vector3 a = corner(mesh, t, 0), b = corner(mesh, t, 1), c = corner(mesh, t, 2);
    const ClosestOnTriangle found = closest_on_triangle(point, a, b, c);
    const Vector3 there = found.weights[0] * a + found.weights[1] * b + found.weights[2] * c;
    const double squared = (point - there).squaredNorm();
    if (squared >= least) continue;
    least = squared;
    closest = there;
    triangle = t;
    feature = found.feature;
  }
  normal = pseudo_normal(mesh, triangle, feature);
  const double distance = std::sqrt(least);
  const double side = normal.dot(point - closest) < 0 ? -1.0 : 1.0;
  // Away from the surface the gradient of the distance is the better normal; on it only the pseudo-normal is defined.
  const double size = mesh.positions.cwiseAbs().maxCoeff();
  if (feature != TriangleFeature::Face && distance > 1e-9 * size) normal = side / distance * (point - closest);
  return side * distance;
}

}  // namespace

double signed_distance(const Shape& shape, const Vector3& point, Vector3& closest, Vector3& normal) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return distance_to_ball(Vector3::Zero(), shape.radius, point, closest, normal);
    case ShapeKind::Capsule: {
      const Vector3 on_axis(0, std::clamp(point.y(), -shape.half_length, shape.half_length), 0);
      return distance_to_ball(on_axis, shape.radius, point, closest, normal);
    }
    case ShapeKind::Box:
      return distance_to_box(shape.half_extents, point, closest, normal);
    case ShapeKind::Mesh:
      break;
  }
  return distance_to_mesh(shape.mesh, point, closest, normal);
}

}  // namespace deformbench::model
