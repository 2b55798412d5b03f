// SPDX-License-Identifier: BSD-3-Clause
// BVH over surfels, built once from their rest positions and refitted as they move: finds nearby surfels that may
// touch. [PKAGDG05] §5
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "methods/meshless/surface/surfel.hpp"
#include "methods/numerics/box.hpp"

namespace deformbench::meshless {

class SurfelTree {
 public:
  /// Surfels at rest, with the piece of each; −1: excluded. Two surfels may touch if they are of different pieces, or
  /// farther apart at rest than `apart` (m).
  SurfelTree(std::span<const Surfel> rest, std::span<const int> pieces, double apart);

  /// Refits to the current surfels; their number is unchanged.
  void refit(std::span<const Surfel> now);

  bool may_touch(int a, int b) const {
    const auto i = std::size_t(a), j = std::size_t(b);
    return pieces_[i] != pieces_[j] || (rest_[i] - rest_[j]).squaredNorm() > apart_ * apart_;
  }

  /// Calls f(a, b) once for every two surfels that may touch and are now at most `reach` (m) apart. The order depends
  /// on the surfels alone.
  template <class F>
  void for_pairs(double reach, F&& f) const {
    if (!nodes_.empty()) within(0, reach, f);
  }
  /// Calls f(b) once for every surfel that `surfel` may touch, at most `reach` (m) away now.
  template <class F>
  void for_near(int surfel, double reach, F&& f) const {
    if (!nodes_.empty()) near(0, surfel, reach, f);
  }

 private:
  struct Node {
    numerics::Box rest, now;
    int first, count;  // surfels, in order_
    int left;          // the right child follows it; −1: a leaf
    int piece;         // of all its surfels; −1: several
  };
  static constexpr int kLeaf = 6;

  void build(int node);
  static double distance2(const numerics::Box& a, const numerics::Box& b) {
    return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0).squaredNorm();
  }
  /// Whether no two surfels of the boxes may touch.
  bool belong_together(const Node& a, const Node& b) const {
    if (a.piece < 0 || a.piece != b.piece) return false;
    const Vector3 farthest = (a.rest.high - b.rest.low).cwiseMax(b.rest.high - a.rest.low);
    return farthest.squaredNorm() < kSurely * apart_ * apart_;
  }
  static constexpr double kSurely = 1.0 - 1e-12;  // box distances round differently from surfel distances

  template <class F>
  void test(int a, int b, double reach, F&& f) const {
    if ((now_[std::size_t(a)] - now_[std::size_t(b)]).squaredNorm() <= reach * reach && may_touch(a, b))
      f(std::min(a, b), std::max(a, b));
  }
  template <class F>
  void within(int at, double reach, F&& f) const {
    const Node& node = nodes_[std::size_t(at)];
    if (belong_together(node, node)) return;
    if (node.left < 0) {
      for (int i = node.first; i < node.first + node.count; ++i)
        for (int j = i + 1; j < node.first + node.count; ++j)
          test(order_[std::size_t(i)], order_[std::size_t(j)], reach, f);
      return;
    }
    within(node.left, reach, f);
    within(node.left + 1, reach, f);
    between(node.left, node.left + 1, reach, f);
  }
  template <class F>
  void between(int one, int other, double reach, F&& f) const {
    const Node &a = nodes_[std::size_t(one)], &b = nodes_[std::size_t(other)];
    if (distance2(a.now, b.now) > reach * reach / kSurely || belong_together(a, b)) return;
    if (a.left < 0 && b.left < 0) {
      for (int i = a.first; i < a.first + a.count; ++i)
        for (int j = b.first; j < b.first + b.count; ++j)
          test(order_[std::size_t(i)], order_[std::size_t(j)], reach, f);
    } else if (b.left < 0 || (a.left >= 0 && a.count >= b.count)) {
      between(a.left, other, reach, f);
      between(a.left + 1, other, reach, f);
    } else {
      between(one, b.left, reach, f);
      between(one, b.left + 1, reach, f);
    }
  }
  template <class F>
  void near(int at, int surfel, double reach, F&& f) const {
    const Node& node = nodes_[std::size_t(at)];
    const Vector3& x = now_[std::size_t(surfel)];
    if (distance2(node.now, {x, x}) > reach * reach / kSurely) return;
    if (node.left >= 0) {
      near(node.left, surfel, reach, f);
      near(node.left + 1, surfel, reach, f);
      return;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int other = order_[std::size_t(i)];
      if (other != surfel) test(surfel, other, reach, [&](int, int) { f(other); });
    }
  }

  std::vector<Vector3> rest_, now_;  // of every surfel
  std::vector<int> pieces_, order_;
  std::vector<Node> nodes_;  // children after their parents
  double apart_;
};

}  // namespace deformbench::meshless
