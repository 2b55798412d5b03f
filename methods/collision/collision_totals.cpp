// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/collision_totals.hpp"

#include <algorithm>

#include "methods/model/error.hpp"

namespace deformbench::collision {

void CollisionTotals::add(const Collisions& collisions) {
  const CollisionCounts& of = collisions.counts();
  counts.repulsions += of.repulsions;
  counts.sweeps += of.sweeps;
  counts.first_contacts += of.first_contacts;
  counts.impulses += of.impulses;
  counts.zone_rounds += of.zone_rounds;
  counts.zones += of.zones;
  counts.zone_vertices += of.zone_vertices;
  counts.largest_zone = std::max(counts.largest_zone, of.largest_zone);
  counts.stopped_vertices += of.stopped_vertices;
  counts.unresolved += of.unresolved;
  sweep_contacts.insert(sweep_contacts.end(), collisions.contacts_of_sweeps().begin(),
                        collisions.contacts_of_sweeps().end());
}

std::vector<SimulationEvent> CollisionTotals::events() const {
  std::vector<SimulationEvent> found;
  if (counts.unresolved > 0)
    found.push_back({"collisions_unresolved", counts.unresolved, "pairs that may still meet within the step"});
  if (counts.stopped_vertices > 0)
    found.push_back(
        {"vertices_stopped", counts.stopped_vertices, "vertices of impact zones that had to stay in place"});
  return found;
}

std::vector<std::string> CollisionTotals::array_names() {
  return {"collision_counts", "sweep_contacts"};
}

MethodArray CollisionTotals::array(const std::string& name) const {
  MethodArray array{name, "1", "count", "", {}};
  array.is_integer = true;
  if (name == "collision_counts") {
    array.description =
        "Repulsions, sweeps, contacts of first sweeps, impulses, zone rounds, zones, vertices in zones, largest zone, "
        "stopped vertices, unresolved pairs of the step.";
    array.integers = {counts.repulsions,       counts.sweeps,    counts.first_contacts, counts.impulses,
                      counts.zone_rounds,      counts.zones,     counts.zone_vertices,  counts.largest_zone,
                      counts.stopped_vertices, counts.unresolved};
  } else if (name == "sweep_contacts") {
    array.description = "Pairs that every sweep of the step has found, one that only counts them last.";
    array.integers = sweep_contacts;
  } else {
    throw InputError("array '" + name + "': expected collision_counts or sweep_contacts");
  }
  array.shape = {array.integers.size()};
  return array;
}

}  // namespace deformbench::collision
