// SPDX-License-Identifier: BSD-3-Clause
// Bounding-volume hierarchy (BVH) over a fixed set of moving boxes: built once, refitted in O(n), rebuilt when the
// extents of its leaves have doubled.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/numerics/box.hpp"

namespace deformbench::numerics {

class BoxTree {
 public:
  /// Refits the tree to `boxes`, which must outlive the queries. Rebuilds it first if their number has changed, or if
  /// the total extent of its leaves exceeds kGrowth times that of the last build.
  void update(const std::vector<Box>& boxes);
  /// Number of builds so far.
  int builds() const { return builds_; }

  /// Adds to `found` each index ≥ `from` of a box that overlaps `query` (touching counts), once, in an order that
  /// depends on the last build. May be called from several threads.
  void find_overlaps(const Box& query, int from, std::vector<int>& found) const;
  /// Adds to `found` the index of every box that the segment from a to b meets, each once, and possibly of boxes
  /// missed by less than float rounding.
  void find_met(const Vector3& a, const Vector3& b, std::vector<int>& found) const;

 private:
  static constexpr int kLanes = 16;
  static constexpr int kMostLevels = 8;  // 16⁸ boxes
  static constexpr double kGrowth = 2.0;
  /// Boxes of sixteen children relative to origin_; missing children have empty boxes. Rounding to float is monotone,
  /// so no overlap is missed; the double-precision boxes make the final test.
  struct alignas(64) Node {
    float low[3][kLanes], high[3][kLanes];
    int last[kLanes];  ///< the largest index below each child
  };

  /// Traversal: `hits(node)` returns the lanes to descend into, `take(index)` receives the boxes at the leaves.
  template <class Hits, class Take>
  void go_down(Hits&& hits, Take&& take) const;
  float rounded(double x, int c) const { return float(x - origin_[c]); }
  void arrange();
  void fit();

  const std::vector<Box>* boxes_ = nullptr;
  Vector3 origin_ = Vector3::Zero();
  std::vector<int> order_;  ///< of the boxes; every 16, 256, 4096, … consecutive ones are close in space
  std::vector<Node> nodes_;
  std::vector<std::size_t> level_starts_;                  ///< in nodes_, from the level of the leaves up to the root
  double leaf_extent_ = 0.0, extent_when_arranged_ = 0.0;  // m
  int builds_ = 0;
};

}  // namespace deformbench::numerics
