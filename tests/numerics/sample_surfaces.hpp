// SPDX-License-Identifier: BSD-3-Clause
// Shapes of bodies, an uneven closed surface and an open one, for the tests of distances and contacts.
#pragma once

#include <cmath>
#include <utility>

#include "methods/model/rigid_body.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench {

inline model::Shape sphere(double radius) {
  model::Shape shape;
  shape.radius = radius;
  return shape;
}
inline model::Shape capsule(double radius, double half_length) {
  model::Shape shape = sphere(radius);
  shape.kind = model::ShapeKind::Capsule;
  shape.half_length = half_length;
  return shape;
}
inline model::Shape box(const Vector3& half) {
  model::Shape shape;
  shape.kind = model::ShapeKind::Box;
  shape.half_extents = half;
  return shape;
}
inline model::Shape mesh_shape(model::TriangleMesh mesh) {
  model::Shape shape;
  shape.kind = model::ShapeKind::Mesh;
  shape.mesh = std::move(mesh);
  return shape;
}

/// Closed, not convex: a ball of radius about 1 with dents, up to 0.3 m deep.
inline model::TriangleMesh dented_ball() {
  model::TriangleMesh mesh = model::surface_of(sphere(1.0));
  for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3 x = mesh.positions.row(v);
    mesh.positions.row(v) *= 1.0 + 0.3 * std::sin(5 * x.x()) * std::cos(4 * x.y() + 1) * std::cos(3 * x.z());
  }
  return mesh;
}

/// Open: hills over [−1, 1]², front up; n × n squares.
inline model::TriangleMesh terrain(int n, double height = 0.15) {
  model::TriangleMesh mesh;
  mesh.positions.resize((n + 1) * (n + 1), 3);
  mesh.triangles.resize(2 * n * n, 3);
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double x = 2.0 * i / n - 1, z = 2.0 * j / n - 1;
      mesh.positions.row(i * (n + 1) + j) << x, height * std::sin(4 * x) * std::cos(5 * z), z;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j, b = a + n + 1, t = 2 * (i * n + j);
      mesh.triangles.row(t) << a, a + 1, b + 1;
      mesh.triangles.row(t + 1) << a, b + 1, b;
    }
  return mesh;
}

inline Vector3 random_in_cube(numerics::RandomStream& random, double half) {
  return {random.uniform(-half, half), random.uniform(-half, half), random.uniform(-half, half)};
}

}  // namespace deformbench
