// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/triangle_tree.hpp"

#include <algorithm>
#include <numeric>

namespace deformbench::surface {
namespace {

constexpr int kTrianglesALeaf = 4;

}  // namespace

TriangleTree::TriangleTree(const model::TriangleMesh& mesh) {
  const auto count = std::size_t(mesh.triangle_count());
  if (count == 0) return;
  std::vector<Vector3> low(count), high(count);
  for (std::size_t t = 0; t < count; ++t) {
    const auto corner = [&](int c) -> Vector3 {
      return mesh.positions.row(mesh.triangles(Eigen::Index(t), c)).transpose();
    };
    low[t] = corner(0).cwiseMin(corner(1)).cwiseMin(corner(2));
    high[t] = corner(0).cwiseMax(corner(1)).cwiseMax(corner(2));
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.push_back({Vector3::Zero(), Vector3::Zero(), 0, int(count)});
  for (std::size_t n = 0; n < nodes_.size(); ++n) {  // grows during the loop
    const int first = nodes_[n].first, size = nodes_[n].count;
    const auto at = [](int t) { return std::size_t(t); };
    Vector3 box_low = low[at(order_[at(first)])], box_high = high[at(order_[at(first)])];
    for (int k = 1; k < size; ++k) {
      box_low = box_low.cwiseMin(low[at(order_[at(first + k)])]);
      box_high = box_high.cwiseMax(high[at(order_[at(first + k)])]);
    }
    nodes_[n].low = box_low;
    nodes_[n].high = box_high;
    if (size <= kTrianglesALeaf) continue;
    Eigen::Index axis = 0;
    (box_high - box_low).maxCoeff(&axis);
    const int half = size / 2;
    std::nth_element(
        order_.begin() + first, order_.begin() + first + half, order_.begin() + first + size,
        [&](int s, int t) { return low[at(s)][axis] + high[at(s)][axis] < low[at(t)][axis] + high[at(t)][axis]; });
    nodes_[n].count = 0;
    nodes_[n].first = int(nodes_.size());
    nodes_.push_back({Vector3::Zero(), Vector3::Zero(), first, half});
    nodes_.push_back({Vector3::Zero(), Vector3::Zero(), first + half, size - half});
  }
}

}  // namespace deformbench::surface
