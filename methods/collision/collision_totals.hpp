// SPDX-License-Identifier: BSD-3-Clause
// Collision counts summed over the substeps of a step, as frame arrays.
#pragma once

#include <string>
#include <vector>

#include "methods/collision/collisions.hpp"
#include "methods/facets.hpp"

namespace deformbench::collision {

struct CollisionTotals {
  CollisionCounts counts;           ///< sums; maximum for largest_zone
  std::vector<int> sweep_contacts;  ///< contacts per sweep, in order of substeps

  /// Adds the counts of the last call of resolve.
  void add(const Collisions& collisions);

  /// `collisions_unresolved`, `vertices_stopped`, if any.
  std::vector<SimulationEvent> events() const;
  static std::vector<std::string> array_names();
  /// Throws InputError for an unknown name.
  MethodArray array(const std::string& name) const;
};

}  // namespace deformbench::collision
