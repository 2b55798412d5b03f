// SPDX-License-Identifier: BSD-3-Clause
// How a sweep goes over a list of constraints: in packs of independent ones.
#pragma once

#include <span>
#include <vector>

namespace deformbench::pbd {

/// Constraints of one kind by their vertices, `cardinality` of each, one after the other.
struct ConstraintGraph {
  std::span<const int> vertices;
  int cardinality;
  int vertex_count;
  int size() const { return int(vertices.size()) / cardinality; }
  std::span<const int> of(int constraint) const {
    return vertices.subspan(std::size_t(constraint) * std::size_t(cardinality), std::size_t(cardinality));
  }
};

/// Packs of `width` constraints no two of which share a vertex.
struct Schedule {
  int width;
  std::vector<int> constraints;  ///< width a pack; −1 is an empty lane
  std::vector<int> part_begins;  ///< first pack of every part, then their number; what a part is says who made it
  std::vector<char> waits;       ///< one per pack: whether it shares a vertex with the pack before it
  int pack_count() const { return int(constraints.size()) / width; }
};

/// List scheduling: any two constraints that share a vertex are done in the order in which they are listed, so that the
/// result is that of the sequential sweep. Every pack takes what is ready: first what waits for none of the `apart` − 1
/// ≥ 0 packs before it, whose results are still on their way, then the rest. The constraints that the longest chains of
/// others wait for go first, or, where the mesh is too large for that, those listed first, as they are near each other
/// in memory. One part.
Schedule list_schedule(const ConstraintGraph& graph, int width, int apart);

/// Greedy colouring: in the order of the list, a constraint gets the lowest colour that none of its vertices has yet.
/// One part a colour; within a colour as listed.
Schedule colour_schedule(const ConstraintGraph& graph, int width);

}  // namespace deformbench::pbd
