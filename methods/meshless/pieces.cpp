// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/pieces.hpp"

#include <algorithm>

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

std::vector<int> pieces_of_surfels(const SurfelMotion& motion, const std::vector<int>& pieces) {
  std::vector<int> found(motion.surfels().size(), -1);
  for (std::size_t s = 0; s < found.size(); ++s) {
    const auto weights = motion.weights_of(s);
    const auto largest = std::max_element(weights.begin(), weights.end());
    if (largest == weights.end() || !(*largest > 0.0)) continue;
    found[s] = pieces[std::size_t(motion.nodes_of(s)[std::size_t(largest - weights.begin())])];
  }
  return found;
}

}  // namespace deformbench::meshless
