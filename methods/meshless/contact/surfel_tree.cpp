// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/contact/surfel_tree.hpp"

namespace deformbench::meshless {
namespace {

template <class At>
numerics::Box box_of(std::span<const int> surfels, At&& at) {
  numerics::Box box{at(surfels.front()), at(surfels.front())};
  for (const int s : surfels) {
    box.low = box.low.cwiseMin(at(s));
    box.high = box.high.cwiseMax(at(s));
  }
  return box;
}

}  // namespace

SurfelTree::SurfelTree(std::span<const Surfel> rest, std::span<const int> pieces, double apart)
    : pieces_(pieces.begin(), pieces.end()), apart_(apart) {
  for (const Surfel& surfel : rest) rest_.push_back(surfel.position);
  now_ = rest_;
  for (int s = 0; s < int(rest.size()); ++s)
    if (pieces_[std::size_t(s)] >= 0) order_.push_back(s);
  if (order_.empty()) return;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return pieces_[std::size_t(a)] < pieces_[std::size_t(b)]; });
  nodes_.push_back({{}, {}, 0, int(order_.size()), -1, -1});
  for (std::size_t node = 0; node < nodes_.size(); ++node) build(int(node));
  refit(rest);
}

void SurfelTree::build(int at) {
  Node node = nodes_[std::size_t(at)];
  const auto begin = order_.begin() + node.first, end = begin + node.count;
  const auto piece = [&](int s) { return pieces_[std::size_t(s)]; };
  node.rest = box_of({begin, end}, [&](int s) -> const Vector3& { return rest_[std::size_t(s)]; });
  node.piece = piece(*begin) == piece(*(end - 1)) ? piece(*begin) : -1;
  if (node.piece < 0 || node.count > kLeaf) {
    auto middle = begin + node.count / 2;
    if (node.piece < 0) {
      // At a boundary between two pieces, the one nearest to the middle.
      const auto low = std::partition_point(begin, end, [&](int s) { return piece(s) < piece(*middle); });
      middle = low != begin ? low : std::partition_point(begin, end, [&](int s) { return piece(s) <= piece(*begin); });
    } else {
      Eigen::Index axis = 0;
      (node.rest.high - node.rest.low).maxCoeff(&axis);
      std::nth_element(begin, middle, end, [&](int a, int b) {
        const double x = rest_[std::size_t(a)][axis], y = rest_[std::size_t(b)][axis];
        return x != y ? x < y : a < b;
      });
    }
    node.left = int(nodes_.size());
    const int left = int(middle - begin);
    nodes_.push_back({{}, {}, node.first, left, -1, -1});
    nodes_.push_back({{}, {}, node.first + left, node.count - left, -1, -1});
  }
  nodes_[std::size_t(at)] = node;
}

void SurfelTree::refit(std::span<const Surfel> now) {
  for (std::size_t s = 0; s < now.size(); ++s) now_[s] = now[s].position;
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    Node& node = nodes_[k];
    if (node.left < 0) {
      node.now = box_of(std::span<const int>(order_).subspan(std::size_t(node.first), std::size_t(node.count)),
                        [&](int s) -> const Vector3& { return now_[std::size_t(s)]; });
      continue;
    }
    const numerics::Box &a = nodes_[std::size_t(node.left)].now, &b = nodes_[std::size_t(node.left) + 1].now;
    node.now = {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
  }
}

}  // namespace deformbench::meshless
