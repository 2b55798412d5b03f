// SPDX-License-Identifier: BSD-3-Clause
// Nodes that sample the inside of a closed surface, one for every cell of an octree whose centre lies inside.
// [PKAGDG05] §4
#pragma once

#include <vector>

#include "methods/meshless/sampling/octree.hpp"

namespace deformbench::meshless {

struct SamplingOptions {
  OctreeOptions octree;
  int repulsion_iterations = 3;
  /// κ and r of the repulsion: one iteration moves x_i by κ Σ_j (1 − d_ij/r_ij) (x_i − x_j) over the nodes of adjacent
  /// cells nearer than r_ij, which is `repulsion_reach` times the mean edge of both cells. Whatever κ is, nodes of
  /// cells with a common corner stay half as far apart as the centres of these cells.
  double repulsion_strength = 0.05;
  double repulsion_reach = 2.0;
};

/// One entry per node.
struct VolumeSamples {
  Points positions;              ///< n×3, m
  Points centres;                ///< n×3, m, of the cells
  std::vector<double> supports;  ///< m
  std::vector<int> levels;       ///< of the cells, 0 the root
};

/// Nodes in the order of the octree's cells. `surface` is closed and oriented outwards. Throws InputError where no cell
/// has its centre inside.
VolumeSamples sample_volume(const model::TriangleMesh& surface, const SamplingOptions& options);

}  // namespace deformbench::meshless
