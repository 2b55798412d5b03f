// SPDX-License-Identifier: BSD-3-Clause
// Nodes inside a closed surface, one per octree cell whose centre is inside. [PKAGDG05] §4
#pragma once

#include <vector>

#include "methods/meshless/sampling/octree.hpp"

namespace deformbench::meshless {

struct SamplingOptions {
  OctreeOptions octree;
  int repulsion_iterations = 3;
  /// κ and r of the repulsion: one iteration moves x_i by κ Σ_j (1 − d_ij/r_ij) (x_i − x_j), summed over nodes of
  /// adjacent cells closer than r_ij = `repulsion_reach` × mean edge of both cells. For any κ, nodes of cells with a
  /// common corner keep at least half their centres' distance.
  double repulsion_strength = 0.05;
  double repulsion_reach = 2.0;
};

/// One entry per node.
struct VolumeSamples {
  Points positions;              ///< n×3, m
  Points centres;                ///< n×3, m, of the cells
  std::vector<double> supports;  ///< m
  std::vector<int> levels;       ///< of the cells; root: 0
};

/// Nodes in the order of the octree's cells. `surface` must be closed and oriented outwards. Throws InputError if no
/// cell centre is inside.
VolumeSamples sample_volume(const model::TriangleMesh& surface, const SamplingOptions& options);

}  // namespace deformbench::meshless
