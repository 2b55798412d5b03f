// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/pieces.hpp"

#include "methods/model/disjoint_sets.hpp"

namespace deformbench::meshless {

std::vector<int> pieces_of_nodes(const NodeCloud& cloud) {
  const auto count = std::size_t(cloud.size());
  model::DisjointSets sets(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = cloud.first[i]; k < cloud.first[i + 1]; ++k)
      if (cloud.weights[k] > 0.0) sets.unite(int(i), cloud.neighbours[k]);
  std::vector<int> pieces(count, -1);
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto root = std::size_t(sets.root(int(i)));  // first node of the piece
    pieces[i] = root == i ? found++ : pieces[root];
  }
  return pieces;
}

}  // namespace deformbench::meshless
