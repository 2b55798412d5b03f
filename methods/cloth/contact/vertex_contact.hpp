// SPDX-License-Identifier: BSD-3-Clause
// Vertices against planes and bodies of a given motion, each by itself: [B05] §8.
#pragma once

#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// A vertex that an obstacle stopped.
struct VertexContact {
  int vertex;
  Vector3 normal;         ///< unit, away from the obstacle
  double obstacle_speed;  ///< m/s, of the obstacle along the normal
};

class VertexContacts {
 public:
  explicit VertexContacts(const Scene& scene) : scene_(scene) {}

  bool has_obstacles() const { return !scene_.colliders.empty() || !scene_.rigid_bodies.empty(); }

  /// Changes velocities `v` (n×3) of a step of `h` from `x`, which ends at `end_time`: a vertex that would end inside
  /// an obstacle ends on its surface; with restitution it leaves with that share of its normal speed. What is left
  /// alone is left alone bit for bit: above all a vertex that separates. `is_free` (n×3) as in the simulation: vertices
  /// that are held in any component touch nothing.
  std::vector<VertexContact> stop(const Points& x, double h, double end_time, const Points& is_free, Points& v) const;

 private:
  const Scene& scene_;
};

}  // namespace deformbench::cloth
