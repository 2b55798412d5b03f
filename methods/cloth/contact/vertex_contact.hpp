// SPDX-License-Identifier: BSD-3-Clause
// Contact of single vertices with planes and bodies of prescribed motion: [B05] §8.
#pragma once

#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// A vertex stopped by an obstacle.
struct VertexContact {
  int vertex;
  Vector3 normal;         ///< unit, away from the obstacle, 0 in the prescribed components
  double obstacle_speed;  ///< m/s, along `normal`, with which the vertex follows the obstacle
};

class VertexContacts {
 public:
  explicit VertexContacts(const Scene& scene) : scene_(scene) {}

  bool has_obstacles() const { return !scene_.colliders.empty() || !scene_.rigid_bodies.empty(); }

  /// Changes `v` (n×3, m/s) of a step of `h` (s) from `x` to `end_time`. A vertex that would end inside an
  /// obstacle ends on its surface; with restitution it leaves with that fraction of its normal speed. In a groove it
  /// ends outside all walls, up to 0.75²⁰⁰ of the overlap at 30°. All other velocities stay bit-identical, in
  /// particular for separating vertices. Held components (`is_free`, n×3, 0 there) do not change.
  std::vector<VertexContact> stop(const Points& x, double h, double end_time, const Points& is_free, Points& v) const;

  /// Number of vertices with a free component that are deeper than `depth` (m) inside an obstacle.
  int inside(const Points& x, double time, const Points& is_free, double depth) const;

 private:
  std::vector<model::Pose> poses_at(double time) const;

  const Scene& scene_;
};

}  // namespace deformbench::cloth
