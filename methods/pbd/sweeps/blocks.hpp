// SPDX-License-Identifier: BSD-3-Clause
// The mesh in blocks, so that threads need not meet after every colour: each has blocks of its own, and what lies
// between two of them comes when all blocks are done.
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/sweeps/schedule.hpp"

namespace deformbench::pbd {

/// Vertices in `count` ≥ 1 blocks in a row: every constraint has its vertices in one block or in two that follow each
/// other. No vertex has constraints across both ends of its block.
struct Blocks {
  int count = 1;
  std::vector<int> of_vertex;
  /// Blocks come first, then borders: border b lies between the blocks b and b + 1.
  int region_count() const { return 2 * count - 1; }
  /// Region of a constraint with these vertices. No two blocks share a vertex, nor do two borders.
  int region_of(std::span<const int> vertices) const;
};

/// `most` blocks of about the same number of constraints, of vertices that follow each other in their numbering, or,
/// where that has neighbours far apart, in a breadth-first search; fewer, down to one, where constraints reach too far
/// for that. All `graphs` have the same vertices.
Blocks cut_into_blocks(std::span<const ConstraintGraph> graphs, int most);

/// Region by region, each coloured for itself. One part a region, of which the first pack never waits: blocks share no
/// vertex, and borders come when all blocks are done.
Schedule block_schedule(const ConstraintGraph& graph, int width, const Blocks& blocks);

}  // namespace deformbench::pbd
