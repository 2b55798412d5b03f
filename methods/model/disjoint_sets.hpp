// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace deformbench::model {

/// Disjoint sets of the numbers 0 … n−1 (union-find with path halving). The root of a set is its smallest member,
/// independent of the order of unions.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : up_(count) { std::iota(up_.begin(), up_.end(), 0); }

  /// Smallest member of the set of i.
  int root(int i) {
    while (up(i) != i) i = up(i) = up(up(i));
    return i;
  }
  /// Merges two sets; false if already one.
  bool unite(int a, int b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    if (b < a) std::swap(a, b);
    up(b) = a;
    return true;
  }

 private:
  int& up(int i) { return up_[std::size_t(i)]; }
  std::vector<int> up_;
};

}  // namespace deformbench::model
