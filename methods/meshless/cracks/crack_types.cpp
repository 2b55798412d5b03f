// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_types.hpp"

#include <algorithm>

namespace deformbench::meshless {

const SheetName* sheet_of_end(const AdvancingFront& front, std::size_t i) {
  if (front.is_closed) return nullptr;
  return i == 0 ? &front.first_sheet : i + 1 == front.nodes.size() ? &front.last_sheet : nullptr;
}

int crack_of_edge(const AdvancingFront& front, std::size_t node) {
  const CrackNode& first = front.nodes[node];
  return first.other_crack >= 0 ? first.other_crack : first.crack;
}

int recent_since(const AdvancingFront& front) {
  return front.past.empty() ? 0 : front.past.front().second;
}

double extent_of(const AdvancingFront& front) {
  double extent = 0.0;
  for (std::size_t i = 0; i < front.nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      extent = std::max(extent, (front.nodes[i].position - front.nodes[j].position).norm());
  return extent;
}

void reverse(AdvancingFront& front) {
  std::reverse(front.nodes.begin(), front.nodes.end());
  for (CrackNode& node : front.nodes) {
    node.normal = -node.normal;
    node.flip = -node.flip;
    if (node.other_crack >= 0) std::swap(node.crack, node.other_crack);
  }
  std::swap(front.first_sheet, front.last_sheet);
  std::swap(front.first_cut, front.last_cut);
}

}  // namespace deformbench::meshless
