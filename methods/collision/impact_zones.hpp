// SPDX-License-Identifier: BSD-3-Clause
// Groups of vertices that move as one: the last resort of collision processing. [B05] §12
#pragma once

#include <array>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::collision {

enum class ZoneMotion { None, Rigid, Affine };

/// Replaces the velocities of the `free` vertices by the nearest rigid (V + ω × r) or affine (V + A r) motion,
/// weighted by `masses` (kg, n), that matches the velocity of every prescribed component of `free` and `anchors`
/// vertices. Without prescribed components it conserves momentum and, about any point, angular momentum at
/// `positions`. If no motion matches the prescribed velocities, they are fitted in the least-squares sense.
void project_velocities(ZoneMotion motion, const std::vector<int>& free, const std::vector<int>& anchors,
                        const Points& positions, const Eigen::VectorXd& masses, const Points& is_free,
                        Points& velocities);

class ImpactZones {
 public:
  /// Starts without zones. `is_free` (n×3) is 0 in prescribed components.
  explicit ImpactZones(const Points& is_free);

  /// Merges the free ones of four colliding vertices into one zone, with the prescribed ones as anchors; anchors do
  /// not connect zones. Returns whether anything changed.
  bool merge(const std::array<int, 4>& vertices);
  /// Stops the zone of the vertices permanently, even if it grows. Returns whether anything changed.
  bool stop(const std::array<int, 4>& vertices);

  /// Sets the velocities of zones changed since the last call from those before merging (`before`), 0 in stopped
  /// ones. Calls moved(vertex) for each free vertex of these.
  template <class Moved>
  void project(ZoneMotion motion, const Points& positions, const Eigen::VectorXd& masses, const Points& before,
               Points& velocities, Moved&& moved) {
    for (Zone& zone : gather()) {
      for (const int i : zone.free) velocities.row(i) = before.row(i);
      if (zone.is_stopped)
        for (const int i : zone.free) velocities.row(i).array() *= 1.0 - is_free_.row(i).array();
      else
        project_velocities(motion, zone.free, zone.anchors, positions, masses, is_free_, velocities);
      for (const int i : zone.free) moved(i);
    }
  }

  struct Zone {
    std::vector<int> free, anchors;
    bool is_stopped = false;
  };
  /// All zones, ordered by first vertex.
  std::vector<Zone> zones() const { return collect(false); }

 private:
  int root(int vertex) const;
  bool is_anchor(int vertex) const { return is_free_.row(vertex).isZero(); }
  std::vector<Zone> collect(bool changed_only) const;
  std::vector<Zone> gather();

  const Points is_free_;
  mutable std::vector<int> parents_;
  std::vector<char> is_member_, is_stopped_, has_changed_;  ///< the last two for roots only
  std::vector<std::array<int, 2>> anchors_;                 ///< vertex of a zone and prescribed vertex
};

}  // namespace deformbench::collision
