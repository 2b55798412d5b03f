// SPDX-License-Identifier: BSD-3-Clause
// Contact of single vertices with planes and bodies of prescribed motion: [B05] §8.
#pragma once

#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// A vertex stopped by an obstacle.
struct VertexContact {
  int vertex;
  Vector3 normal;         ///< unit, away from the obstacle
  double obstacle_speed;  ///< m/s, of the obstacle along the normal
};

class VertexContacts {
 public:
  explicit VertexContacts(const Scene& scene) : scene_(scene) {}

  bool has_obstacles() const { return !scene_.colliders.empty() || !scene_.rigid_bodies.empty(); }

  /// Changes the velocities `v` (n×3) of a step of `h` from `x` to `end_time`. A vertex that would end inside an
  /// obstacle ends on its surface; with restitution it leaves with that fraction of its normal speed. All other
  /// velocities stay bit-identical, in particular for separating vertices. Vertices with any held component (`is_free`,
  /// n×3) are skipped.
  std::vector<VertexContact> stop(const Points& x, double h, double end_time, const Points& is_free, Points& v) const;

 private:
  const Scene& scene_;
};

}  // namespace deformbench::cloth
