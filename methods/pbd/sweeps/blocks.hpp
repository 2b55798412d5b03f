// SPDX-License-Identifier: BSD-3-Clause
// Partition of the mesh into blocks, so that threads need not synchronise after every colour: each thread has its own
// blocks; borders between blocks follow after all blocks.
#pragma once

#include <span>
#include <vector>

#include "methods/pbd/sweeps/schedule.hpp"

namespace deformbench::pbd {

/// Vertices in a sequence of `count` ≥ 1 blocks: every constraint lies in one block or in two consecutive ones. No
/// vertex has constraints across both ends of its block.
struct Blocks {
  int count = 1;
  std::vector<int> of_vertex;
  /// Blocks come first, then borders: border b lies between the blocks b and b + 1.
  int region_count() const { return 2 * count - 1; }
  /// Region of a constraint with these vertices. No two blocks share a vertex, nor do two borders.
  int region_of(std::span<const int> vertices) const;
};

/// At most `most` blocks of about equally many constraints, contiguous in the vertex numbering or breadth-first
/// order; fewer (≥ 1) if constraints span more than two blocks or over a quarter lie in borders. All `graphs` have
/// the same vertices.
Blocks cut_into_blocks(std::span<const ConstraintGraph> graphs, int most);

/// Each region coloured separately, one part per region. A region's first pack never waits: blocks share no vertex, and
/// borders follow after all blocks.
Schedule block_schedule(const ConstraintGraph& graph, int width, const Blocks& blocks);

}  // namespace deformbench::pbd
