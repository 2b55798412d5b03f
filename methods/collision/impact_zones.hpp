// SPDX-License-Identifier: BSD-3-Clause
// Groups of vertices that move as one: the last resort of collision processing. [B05] §12
#pragma once

#include <array>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::collision {

enum class ZoneMotion { None, Rigid, Affine };

/// Replaces the velocities of the `free` vertices by the rigid (V + ω × r) or affine (V + A r) motion that is nearest
/// to them, weighted by `masses` (kg, n), among those that give every prescribed component, of `free` and of `anchors`
/// vertices, the velocity that it has. Without prescribed components the momentum and, about any point, the angular
/// momentum at `positions` stay as they are. Where prescribed velocities fit no such motion, they are met in the least
/// squares.
void project_velocities(ZoneMotion motion, const std::vector<int>& free, const std::vector<int>& anchors,
                        const Points& positions, const Eigen::VectorXd& masses, const Points& is_free,
                        Points& velocities);

class ImpactZones {
 public:
  /// No zone yet. `is_free` (n×3) is 0 in prescribed components.
  explicit ImpactZones(const Points& is_free);

  /// The free ones of four vertices that collide become one zone, with the prescribed ones as its anchors: anchors do
  /// not join zones. Whether that changed anything.
  bool merge(const std::array<int, 4>& vertices);
  /// The zone of the vertices stays where it is from now on, also after it has grown. Whether that changed anything.
  bool stop(const std::array<int, 4>& vertices);

  /// Velocities of every zone from those before any zone was, and 0 in stopped ones. Calls moved(vertex) for each
  /// vertex of a zone that has changed since the last call.
  template <class Moved>
  void project(ZoneMotion motion, const Points& positions, const Eigen::VectorXd& masses, const Points& before,
               Points& velocities, Moved&& moved) {
    for (Zone& zone : gather()) {
      for (const int i : zone.free) velocities.row(i) = before.row(i);
      if (zone.is_stopped)
        for (const int i : zone.free) velocities.row(i).setZero();
      else
        project_velocities(motion, zone.free, zone.anchors, positions, masses, is_free_, velocities);
      for (const int i : zone.free) moved(i);
    }
  }

  struct Zone {
    std::vector<int> free, anchors;
    bool is_stopped = false;
  };
  /// All zones, by their first vertex.
  std::vector<Zone> zones() const { return collect(false); }

 private:
  int root(int vertex) const;
  bool is_anchor(int vertex) const { return is_free_.row(vertex).isZero(); }
  std::vector<Zone> collect(bool changed_only) const;
  std::vector<Zone> gather();

  const Points is_free_;
  mutable std::vector<int> parents_;
  std::vector<char> is_member_, is_stopped_, has_changed_;  ///< the last two of roots
  std::vector<std::array<int, 2>> anchors_;                 ///< vertex of a zone and prescribed vertex
};

}  // namespace deformbench::collision
