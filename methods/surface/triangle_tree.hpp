// SPDX-License-Identifier: BSD-3-Clause
// Bounding-box tree over triangles, so that a coarse lattice need not visit every triangle of a fine surface. Internal
// to methods/surface.
#pragma once

#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

class TriangleTree {
 public:
  explicit TriangleTree(const model::TriangleMesh& mesh);

  /// Traversal from the root: `enter(low, high)` returns whether to descend into this box, `look(triangle)` receives
  /// the triangles of the entered leaves.
  template <class Enter, class Look>
  void visit(Enter&& enter, Look&& look) const {
    if (nodes_.empty()) return;
    std::vector<int> open{0};
    while (!open.empty()) {
      const Node& node = nodes_[std::size_t(open.back())];
      open.pop_back();
      if (!enter(node.low, node.high)) continue;
      if (node.count == 0) {
        open.push_back(node.first + 1);
        open.push_back(node.first);
      } else {
        for (int k = 0; k < node.count; ++k) look(order_[std::size_t(node.first + k)]);
      }
    }
  }

 private:
  struct Node {
    Vector3 low, high;
    int first = 0;  ///< in order_; inner nodes: first child, in nodes_
    int count = 0;  ///< triangles; 0 for inner nodes
  };
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace deformbench::surface
