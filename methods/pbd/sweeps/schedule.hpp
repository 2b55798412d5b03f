// SPDX-License-Identifier: BSD-3-Clause
// Schedules of a sweep: packs of independent constraints.
#pragma once

#include <span>
#include <vector>

namespace deformbench::pbd {

/// Constraints of one kind as a flat list of vertices, `cardinality` each.
struct ConstraintGraph {
  std::span<const int> vertices;
  int cardinality;
  int vertex_count;
  int size() const { return int(vertices.size()) / cardinality; }
  std::span<const int> of(int constraint) const {
    return vertices.subspan(std::size_t(constraint) * std::size_t(cardinality), std::size_t(cardinality));
  }
};

/// Packs of `width` constraints without common vertices within a pack.
struct Schedule {
  int width;
  std::vector<int> constraints;  ///< width per pack; −1 is an empty lane
  std::vector<int> part_begins;  ///< first pack of every part, then the total; parts are defined by the scheduler
  std::vector<char> waits;       ///< per pack: shares a vertex with the previous pack
  int pack_count() const { return int(constraints.size()) / width; }
};

/// List scheduling: constraints that share a vertex keep their listed order, so the result equals the sequential sweep.
/// Every pack first takes ready constraints that depend on none of the previous `apart` − 1 ≥ 0 packs, whose results
/// are still in flight, then other ready ones. Priority: longest remaining chain or, for large meshes, listed order,
/// which is local in memory. One part.
Schedule list_schedule(const ConstraintGraph& graph, int width, int apart);

/// Greedy colouring: in listed order, each constraint gets the lowest colour free at all its vertices. One part per
/// colour; within a colour as listed.
Schedule colour_schedule(const ConstraintGraph& graph, int width);

}  // namespace deformbench::pbd
