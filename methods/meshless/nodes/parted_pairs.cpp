// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/parted_pairs.hpp"

#include <algorithm>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/meshless/nodes/pieces.hpp"

namespace deformbench::meshless {
namespace {

std::pair<int, int> in_order(int i, int j) {
  return {std::min(i, j), std::max(i, j)};
}

}  // namespace

PartedPairs::PartedPairs(const NodeCloud& cloud, const PartedPairs& before)
    : pieces_(pieces_of_nodes(cloud)), pairs_(before.pairs_) {
  std::vector<std::pair<int, int>> seen, hidden;
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      const int j = cloud.neighbours[p];
      if (cloud.weights[p] > 0.0) {
        seen.push_back(in_order(int(i), j));
      } else if (cloud.plain_weights[p] > 0.0) {
        hidden.push_back(in_order(int(i), j));
      }
    }
  // If supports differ, a pair may be hidden from one side only; it is then not parted.
  std::sort(seen.begin(), seen.end());
  std::erase_if(hidden, [&](const auto& pair) { return std::binary_search(seen.begin(), seen.end(), pair); });
  pairs_.insert(pairs_.end(), hidden.begin(), hidden.end());
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

bool PartedPairs::has(int i, int j) const {
  if (pieces_.empty()) return false;
  return pieces_[std::size_t(i)] != pieces_[std::size_t(j)] ||
         std::binary_search(pairs_.begin(), pairs_.end(), in_order(i, j));
}

void PartedPairs::follow_nodes(std::span<const int> parents) {
  if (pieces_.empty()) return;
  const std::size_t before = pieces_.size();
  std::vector<std::vector<int>> parts(before);
  for (std::size_t k = 0; k < parents.size(); ++k) parts[std::size_t(parents[k])].push_back(int(k));
  for (std::size_t k = before; k < parents.size(); ++k) pieces_.push_back(pieces_[std::size_t(parents[k])]);
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [i, j] : pairs_)
    for (const int a : parts[std::size_t(i)])
      for (const int b : parts[std::size_t(j)]) pairs.push_back(in_order(a, b));
  std::sort(pairs.begin(), pairs.end());
  pairs_ = std::move(pairs);
}

}  // namespace deformbench::meshless
