// SPDX-License-Identifier: BSD-3-Clause
// Pairs separated permanently by cracks, for solids whose neighbours are searched again. [PKAGDG05] §5
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace deformbench::meshless {

struct NodeCloud;

/// Nodes of different pieces, and former neighbours completely hidden by a crack. A new reference would otherwise
/// rejoin pieces within a support of each other, since no crack area lies between them there.
class PartedPairs {
 public:
  PartedPairs() = default;
  /// From the current weights of the cloud and all pairs parted `before`.
  PartedPairs(const NodeCloud& cloud, const PartedPairs& before);

  bool has(int i, int j) const;
  bool empty() const { return pieces_.empty(); }
  /// After nodes were added to the cloud, each split from its parent (possibly itself).
  void follow_nodes(std::span<const int> parents);

 private:
  std::vector<int> pieces_;                 ///< per node
  std::vector<std::pair<int, int>> pairs_;  ///< smaller number first, ascending
};

}  // namespace deformbench::meshless
