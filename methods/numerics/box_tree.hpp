// SPDX-License-Identifier: BSD-3-Clause
// A bounding-volume hierarchy of boxes that move, while which boxes there are stays: arranged once, brought up to date
// in O(n) as they move, arranged anew when they have moved so far apart that its volumes have grown.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/numerics/box.hpp"

namespace deformbench::numerics {

class BoxTree {
 public:
  /// Brings the tree up to date with boxes that must outlive the queries: they are arranged where there is no tree of
  /// so many yet, or the extents of its leaves together have become kGrowth times what they were when it was arranged.
  void update(const std::vector<Box>& boxes);
  /// How often boxes have been arranged.
  int builds() const { return builds_; }

  /// Adds to `found` the index of every box that meets `query` (touching counts) and is at least `from`: each once, in
  /// an order that depends on how the tree was arranged. May be called from several threads.
  void find_overlaps(const Box& query, int from, std::vector<int>& found) const;
  /// Adds to `found` the index of every box that the segment from a to b meets, each once, and of some that it misses
  /// by less than rounding to float.
  void find_met(const Vector3& a, const Vector3& b, std::vector<int>& found) const;

 private:
  static constexpr int kLanes = 16;
  static constexpr int kMostLevels = 8;  // 16⁸ boxes
  static constexpr double kGrowth = 2.0;
  /// Boxes of sixteen children, less origin_; those of missing ones are empty. Rounding to float never turns `a ≤ b`
  /// round, so that no box that meets another one is missed, and the boxes themselves decide in the end.
  struct alignas(64) Node {
    float low[3][kLanes], high[3][kLanes];
    int last[kLanes];  ///< the largest index below each child
  };

  /// `hits(node)` are the lanes to go down, `take(index)` gets the boxes at the leaves.
  template <class Hits, class Take>
  void go_down(Hits&& hits, Take&& take) const;
  float rounded(double x, int c) const { return float(x - origin_[c]); }
  void arrange();
  void fit();

  const std::vector<Box>* boxes_ = nullptr;
  Vector3 origin_ = Vector3::Zero();
  std::vector<int> order_;  ///< of the boxes, so that each 16, 256, 4096, … lie near each other
  std::vector<Node> nodes_;
  std::vector<std::size_t> level_starts_;                  ///< in nodes_, from the level of the leaves up to the root
  double leaf_extent_ = 0.0, extent_when_arranged_ = 0.0;  // m
  int builds_ = 0;
};

}  // namespace deformbench::numerics
