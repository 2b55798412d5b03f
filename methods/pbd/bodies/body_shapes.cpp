// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/bodies/body_shapes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace deformbench::pbd {
namespace {

using model::ShapeKind;

/// Sine of the smallest angle by which a corner's lowest neighbour must lie below it.
constexpr double kLeastCornerSlope = 0.1;

std::vector<BodyShapes::Corner> box_corners(const Vector3& half) {
  std::vector<BodyShapes::Corner> corners;
  for (int i = 0; i < 8; ++i) {
    const Vector3 signs((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
    corners.push_back({signs.cwiseProduct(half), signs.normalized(), half.minCoeff()});
  }
  return corners;
}

/// Vertices whose neighbours all lie below their tangent plane, at least one of them well below.
std::vector<BodyShapes::Corner> mesh_corners(const model::TriangleMesh& mesh) {
  const auto count = std::size_t(mesh.vertex_count());
  Points normals = Points::Zero(mesh.vertex_count(), 3);
  const auto position = [&](Eigen::Index t, int k) -> Vector3 { return mesh.positions.row(mesh.triangles(t, k % 3)); };
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 area = (position(t, 1) - position(t, 0)).cross(position(t, 2) - position(t, 0));
    const double length = area.norm();
    if (length == 0) continue;
    for (int k = 0; k < 3; ++k) {
      const double cosine = (position(t, k + 1) - position(t, k)).dot(position(t, k + 2) - position(t, k));
      normals.row(mesh.triangles(t, k)) += std::atan2(length, cosine) / length * area.transpose();
    }
  }
  normals.rowwise().normalize();
  std::vector<double> highest(count, -1.0), lowest(count, 0.0),
      shortest(count, std::numeric_limits<double>::infinity());
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto v = std::size_t(mesh.triangles(t, k));
      for (const int other : {k + 1, k + 2}) {
        const Vector3 edge = position(t, other) - position(t, k);
        if (edge.squaredNorm() == 0) continue;
        shortest[v] = std::min(shortest[v], edge.norm());
        const double slope = edge.normalized().dot(normals.row(mesh.triangles(t, k)));
        highest[v] = std::max(highest[v], slope);
        lowest[v] = std::min(lowest[v], slope);
      }
    }
  }
  std::vector<BodyShapes::Corner> corners;
  for (std::size_t v = 0; v < count; ++v) {
    if (lowest[v] > -kLeastCornerSlope || highest[v] > 1e-6) continue;
    const auto row = Eigen::Index(v);
    corners.push_back({mesh.positions.row(row), normals.row(row), 0.5 * shortest[v]});
  }
  return corners;
}

}  // namespace

BodyShapes::BodyShapes(const Scene& scene) {
  entries_.resize(scene.rigid_bodies.size());
  for (std::size_t b = 0; b < entries_.size(); ++b) {
    const model::Shape& shape = scene.rigid_bodies[b].shape;
    Entry& entry = entries_[b];
    entry.shape.kind = shape.kind;
    entry.shape.radius = shape.radius;
    entry.shape.half_length = shape.half_length;
    entry.shape.half_extents = shape.half_extents;
    switch (shape.kind) {
      case ShapeKind::Sphere:
        entry.radius = shape.radius;
        entry.feelers = {{Vector3::Zero(), shape.radius}};
        break;
      case ShapeKind::Capsule:
        entry.radius = shape.radius + shape.half_length;
        for (const double y : {-1.0, 0.0, 1.0})
          entry.feelers.push_back({Vector3(0, y * shape.half_length, 0), shape.radius});
        break;
      case ShapeKind::Box:
        entry.radius = shape.half_extents.norm();
        entry.corners = box_corners(shape.half_extents);
        break;
      case ShapeKind::Mesh:
        entry.mesh = std::make_unique<numerics::MeshDistance>(shape.mesh);
        entry.radius = std::sqrt(shape.mesh.positions.rowwise().squaredNorm().maxCoeff());
        entry.corners = mesh_corners(shape.mesh);
        break;
    }
    std::stable_sort(entry.corners.begin(), entry.corners.end(),
                     [](const Corner& s, const Corner& t) { return s.position.x() < t.position.x(); });
    for (const Corner& corner : entry.corners) {
      entry.feelers.push_back({corner.position, 0.0});
      entry.thickest_corner = std::max(entry.thickest_corner, corner.thickness);
    }
  }
}

double BodyShapes::signed_distance(int body, const Vector3& point, Vector3& closest, Vector3& normal) const {
  const Entry& entry = at(body);
  if (!entry.mesh) return model::signed_distance(entry.shape, point, closest, normal);
  const auto nearest = entry.mesh->nearest(point);
  closest = nearest->closest;
  normal = nearest->normal;
  return nearest->distance;
}

BodyShapes::Clearance& BodyShapes::clearance(int body, Eigen::Index vertex) {
  auto& known = entries_[std::size_t(body)].clearances;
  const auto index = std::size_t(vertex);
  if (index >= known.size()) known.resize(std::max(index + 1, 2 * known.size()));
  return known[index];
}

}  // namespace deformbench::pbd
