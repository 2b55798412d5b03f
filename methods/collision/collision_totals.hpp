// SPDX-License-Identifier: BSD-3-Clause
// What collisions had to do in the substeps of one step, as arrays for frames.
#pragma once

#include <string>
#include <vector>

#include "methods/collision/collisions.hpp"
#include "methods/facets.hpp"

namespace deformbench::collision {

struct CollisionTotals {
  CollisionCounts counts;           ///< sums; of largest_zone the largest
  std::vector<int> sweep_contacts;  ///< pairs that every sweep has found, substep after substep

  /// Adds what the last call of resolve had to do.
  void add(const Collisions& collisions);

  /// `collisions_unresolved`, `vertices_stopped`, where there are any.
  std::vector<SimulationEvent> events() const;
  static std::vector<std::string> array_names();
  /// Throws InputError for another name.
  MethodArray array(const std::string& name) const;
};

}  // namespace deformbench::collision
