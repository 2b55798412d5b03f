// SPDX-License-Identifier: BSD-3-Clause
// What cracks have parted for good, for solids whose neighbours are found anew. [PKAGDG05] §5
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace deformbench::meshless {

struct NodeCloud;

/// Nodes of different pieces, and pairs that a crack hid from each other wholly as they were neighbours. A shape of a
/// broken solid as new reference would join pieces that lie within a support of each other, as no area parts them
/// there any more.
class PartedPairs {
 public:
  PartedPairs() = default;
  /// By the weights of the cloud now, and all that was parted `before`.
  PartedPairs(const NodeCloud& cloud, const PartedPairs& before);

  bool has(int i, int j) const;
  bool empty() const { return pieces_.empty(); }
  /// After nodes were added to the cloud, each as a part of its parent, which may be itself.
  void follow_nodes(std::span<const int> parents);

 private:
  std::vector<int> pieces_;                 ///< of every node
  std::vector<std::pair<int, int>> pairs_;  ///< smaller number first, ascending
};

}  // namespace deformbench::meshless
