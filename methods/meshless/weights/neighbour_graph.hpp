// SPDX-License-Identifier: BSD-3-Clause
// Weights of all node pairs in material space, updated incrementally as cracks advance. [PKAGDG05] §3.2, §5
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/meshless/weights/triangulated_cracks.hpp"
#include "methods/meshless/weights/weight_rule.hpp"
#include "methods/numerics/spatial_hash.hpp"

namespace deformbench::meshless {

/// Statistics of an update.
struct WeightCounts {
  std::int64_t pairs = 0;    ///< in total
  std::int64_t tested = 0;   ///< tested against the cracks
  std::int64_t changed = 0;  ///< with a changed weight
  std::int64_t nodes = 0;    ///< with a changed pair: their gradients are recomputed
};

class NeighbourGraph {
 public:
  /// Uses the current pairs of `cloud`, which must outlive it; recreate when nodes are added.
  NeighbourGraph(NodeCloud& cloud, const WeightRule& rule);

  /// After changes of the cracks: updates affected pair weights and the gradients of their nodes. Bitwise equal to
  /// `recompute`.
  const WeightCounts& update(const TriangulatedCracks& cracks, const CrackChanges& changes);
  /// Recomputes all weights and gradients.
  const WeightCounts& recompute(const TriangulatedCracks& cracks);

  const WeightCounts& counts() const { return counts_; }                 ///< of the last update
  std::span<const int> changed_nodes() const { return changed_nodes_; }  ///< in the last update, ascending
  /// Ω (n): Ω_i = 1 + Σ_j ω_ij / (ω_ij without cracks). [PKAGDG05] §4
  std::vector<double> normalised_sums() const;
  const WeightRule& rule() const { return rule_; }
  std::vector<int> nodes_around(const Vector3& x) const;  ///< whose supports contain the point, ascending

 private:
  /// Recomputes the weight of a pair; returns whether it changed.
  bool weigh(const TriangulatedCracks& cracks, std::size_t node, std::size_t pair);
  void test_pairs(const TriangulatedCracks& cracks, const CrackChanges& changes, std::size_t node,
                  std::span<const std::pair<int, int>> near);

  NodeCloud& cloud_;
  const WeightRule rule_;
  std::vector<numerics::Box> reaches_;  // boxes around the supports
  numerics::SpatialHash nodes_;
  std::vector<int> changed_nodes_;
  WeightCounts counts_;
};

/// Weights of all pairs by brute force over all triangles: reference for updates, bitwise equal.
std::vector<double> weights_of_all_pairs(const NodeCloud& cloud, const WeightRule& rule,
                                         const TriangulatedCracks& cracks);

}  // namespace deformbench::meshless
