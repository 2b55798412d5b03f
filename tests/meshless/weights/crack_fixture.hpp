// SPDX-License-Identifier: BSD-3-Clause
// Blocks of irregular nodes with cracks.
#pragma once

#include <utility>
#include <vector>

#include "methods/meshless/weights/crack_weights.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {

/// n³ nodes of a solid of 1 m, displaced by up to 0.3 spacings, with supports of 2.2 spacings.
inline Scene node_scene(int n, std::uint64_t seed = 1) {
  Scene scene;
  scene.name = "nodes";
  scene.materials = {model::Material{}};
  const Eigen::Index count = Eigen::Index(n) * n * n;
  scene.particles.rest_positions = random_points(count, 0.3, seed);
  for (Eigen::Index i = 0; i < count; ++i)
    scene.particles.rest_positions.row(i) += Eigen::RowVector3d(double(i % n), double(i / n % n), double(i / n / n));
  scene.particles.rest_positions.array() = (scene.particles.rest_positions.array() + 0.5) / n;
  scene.particles.masses.setConstant(count, 1000.0 / double(count));
  scene.particles.supports.setConstant(count, 2.2 / n);
  return scene;
}

/// A strip through the middle of the block, normal to `normal`, whose straight front of `segments` pieces is `ahead` of
/// the middle (m), and advances by `advance` more in a second.
inline model::InitialCrack strip(double ahead, double advance, int segments = 6,
                                 const Vector3& normal = Vector3(0.1, 1.0, 0.3)) {
  const Vector3 n = normal.normalized(), along = Vector3::UnitX().cross(n).normalized(), forth = n.cross(along);
  const Vector3 middle = Vector3::Constant(0.5);
  model::InitialCrack crack;
  crack.surface.positions.resize(2 * (segments + 1), 3);
  crack.surface.triangles.resize(2 * segments, 3);
  std::vector<int> front;
  for (int k = 0; k <= segments; ++k) {
    const Vector3 side = middle + (4.0 * k / segments - 2.0) * along;
    crack.surface.positions.row(k) = side - 3.0 * forth;
    crack.surface.positions.row(segments + 1 + k) = side + ahead * forth;
    front.push_back(segments + 1 + k);
    if (k == 0) continue;
    crack.surface.triangles.row(2 * k - 2) << k - 1, k, segments + 1 + k;
    crack.surface.triangles.row(2 * k - 1) << k - 1, segments + 1 + k, segments + k;
  }
  crack.fronts = {front};
  crack.advance = advance * forth;
  crack.ramp.end = 1.0;
  return crack;
}

}  // namespace deformbench::meshless
