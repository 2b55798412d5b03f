// SPDX-License-Identifier: BSD-3-Clause
// Weights of all pairs of nodes in material space, kept up to date where cracks advance. [PKAGDG05] §3.2, §5
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/weights/triangulated_cracks.hpp"
#include "methods/meshless/weights/weight_rule.hpp"
#include "methods/numerics/spatial_hash.hpp"

namespace deformbench::meshless {

/// What an update did.
struct WeightCounts {
  std::int64_t pairs = 0;    ///< all there are
  std::int64_t tested = 0;   ///< whose segment was held against the cracks
  std::int64_t changed = 0;  ///< whose weight is another number than before
  std::int64_t nodes = 0;    ///< of which a pair changed: their gradients are built anew
};

class NeighbourGraph {
 public:
  /// Sees the pairs of `cloud` as they are; to be made anew when nodes are added. The cloud must outlive it.
  NeighbourGraph(NodeCloud& cloud, const WeightRule& rule);

  /// After changes of the cracks: weights of pairs that they may have touched, and gradients of the nodes of which a
  /// weight changed. Leaves the same numbers, to the bit, as `recompute`.
  const WeightCounts& update(const TriangulatedCracks& cracks, const CrackChanges& changes);
  /// All weights and gradients.
  const WeightCounts& recompute(const TriangulatedCracks& cracks);

  const WeightCounts& counts() const { return counts_; }                 ///< of the last update
  std::span<const int> changed_nodes() const { return changed_nodes_; }  ///< in the last update, ascending
  /// Ω (n): sum of ω over ω without cracks, of all nodes in the support of each. [PKAGDG05] §4
  std::vector<double> normalised_sums() const;
  const WeightRule& rule() const { return rule_; }
  std::vector<int> nodes_around(const Vector3& x) const;  ///< in whose supports the point lies, ascending

 private:
  /// Weighs the pair anew; whether its weight changed.
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

/// Weights of all pairs by all triangles, without a search structure: what an update must leave, to the bit.
std::vector<double> weights_of_all_pairs(const NodeCloud& cloud, const WeightRule& rule,
                                         const TriangulatedCracks& cracks);

}  // namespace deformbench::meshless
