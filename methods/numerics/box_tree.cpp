// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/box_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "methods/numerics/lanes.hpp"

namespace deformbench::numerics {
namespace {

using Floats = Pack<float, 16>;
using Integers = Pack<int, 16>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Calls f(lane) for every lane that is set.
template <class F>
DEFORMBENCH_INLINE void for_lanes(const Integers& lanes, F&& f) {
  const auto bytes = __builtin_convertvector(lanes, Pack<signed char, 16>);
  std::uint64_t halves[2];
  __builtin_memcpy(halves, &bytes, sizeof(halves));
  for (std::uint32_t half = 0; half < 2; ++half)
    for (std::uint64_t bits = halves[half] & 0x0101010101010101u; bits != 0; bits &= bits - 1)
      f(8 * half + std::uint32_t(std::countr_zero(bits)) / 8);
}

/// Recursive split along the longest side into a first part of the largest power of two and the rest, so that every
/// 16, 256, 4096, … consecutive entries are close in space.
void sort_by_place(const std::vector<Vector3>& centres, int* first, int* last) {
  const std::size_t count = std::size_t(last - first);
  if (count <= 1) return;
  Vector3 low = centres[std::size_t(*first)], high = low;
  for (const int* i = first; i != last; ++i) {
    low = low.cwiseMin(centres[std::size_t(*i)]);
    high = high.cwiseMax(centres[std::size_t(*i)]);
  }
  Eigen::Index axis = 0;
  (high - low).maxCoeff(&axis);
  int* const middle = first + std::bit_floor(count - 1);
  std::nth_element(first, middle, last, [&](int a, int b) {
    const double x = centres[std::size_t(a)][axis], y = centres[std::size_t(b)][axis];
    return x < y || (x == y && a < b);
  });
  sort_by_place(centres, first, middle);
  sort_by_place(centres, middle, last);
}

}  // namespace

void BoxTree::update(const std::vector<Box>& boxes) {
  boxes_ = &boxes;
  if (boxes.size() != order_.size()) arrange();
  if (order_.empty()) return;
  fit();
  if (!(leaf_extent_ > kGrowth * extent_when_arranged_)) return;
  arrange();
  fit();
  extent_when_arranged_ = leaf_extent_;
}

template <class Hits, class Take>
DEFORMBENCH_INLINE void BoxTree::go_down(Hits&& hits, Take&& take) const {
  struct Place {
    std::uint32_t level, node;
  } stack[kLanes * kMostLevels];
  int size = 0;
  stack[size++] = {std::uint32_t(level_starts_.size()) - 1, 0};
  while (size > 0) {
    const Place at = stack[--size];
    for_lanes(hits(nodes_[level_starts_[at.level] + at.node]), [&](std::uint32_t lane) {
      const std::uint32_t child = kLanes * at.node + lane;
      if (at.level > 0)
        stack[size++] = {at.level - 1, child};
      else
        take(order_[child]);
    });
  }
}

void BoxTree::find_overlaps(const Box& query, int from, std::vector<int>& found) const {
  if (order_.empty()) return;
  Floats low[3], high[3];
  for (int c = 0; c < 3; ++c) {
    low[c] = Floats{} + rounded(query.low[c], c);
    high[c] = Floats{} + rounded(query.high[c], c);
  }
  go_down(
      [&](const Node& node) {
        Integers hits = load<Integers>(node.last) >= from;
        for (int c = 0; c < 3; ++c)
          hits &= (load<Floats>(node.low[c]) <= high[c]) & (low[c] <= load<Floats>(node.high[c]));
        return hits;
      },
      [&](int index) {
        if (overlap((*boxes_)[std::size_t(index)], query)) found.push_back(index);
      });
}

/// By separating axes. [E05] §5.3.3
void BoxTree::find_met(const Vector3& a, const Vector3& b, std::vector<int>& found) const {
  if (order_.empty()) return;
  constexpr float kRounding = 1e-6f;  // relative: some units in the last place of a float
  float middle[3], half[3], reach[3], slack[3];
  for (int c = 0; c < 3; ++c) {
    const float from = rounded(a[c], c), to = rounded(b[c], c);
    middle[c] = 0.5f * (from + to);
    half[c] = 0.5f * (to - from);
    reach[c] = std::abs(half[c]);
    slack[c] = kRounding * (std::abs(from) + std::abs(to));
  }
  go_down(
      [&](const Node& node) {
        Integers hits = load<Integers>(node.last) >= 0;
        Floats way[3], size[3];
        for (int c = 0; c < 3; ++c) {
          const Floats low = load<Floats>(node.low[c]), high = load<Floats>(node.high[c]);
          const Floats centre = 0.5f * (low + high), extent = 0.5f * (high - low);
          way[c] = centre - middle[c];
          size[c] = extent + (kRounding * (extent + (centre < 0.0f ? -centre : centre)) + slack[c]);
          hits &= (way[c] <= size[c] + reach[c]) & (-way[c] <= size[c] + reach[c]);
        }
        for (int c = 0; c < 3; ++c) {
          const int d = (c + 1) % 3, e = (c + 2) % 3;
          const Floats off = way[d] * half[e] - way[e] * half[d], most = size[d] * reach[e] + size[e] * reach[d];
          hits &= (off <= most) & (-off <= most);
        }
        return hits;
      },
      [&](int index) { found.push_back(index); });
}

void BoxTree::arrange() {
  const std::vector<Box>& boxes = *boxes_;
  ++builds_;
  extent_when_arranged_ = 0.0;
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vector3> centres(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    centres[i] = 0.5 * (boxes[i].low + boxes[i].high);
    if (!centres[i].allFinite()) centres[i].setZero();  // diverged states must sort too
  }
  sort_by_place(centres, order_.data(), order_.data() + order_.size());
  level_starts_.clear();
  std::size_t nodes = 0;
  for (std::size_t count = boxes.size(); count > 0;) {
    count = (count + kLanes - 1) / kLanes;
    level_starts_.push_back(nodes);
    nodes += count;
    if (count == 1) break;
  }
  nodes_.resize(nodes);
}

void BoxTree::fit() {
  const std::vector<Box>& boxes = *boxes_;
  origin_ = boxes[std::size_t(order_[0])].low;
  leaf_extent_ = 0.0;
  for (std::size_t level = 0; level < level_starts_.size(); ++level) {
    const std::size_t start = level_starts_[level];
    const std::size_t end = level + 1 < level_starts_.size() ? level_starts_[level + 1] : nodes_.size();
    const std::size_t below = level > 0 ? level_starts_[level - 1] : 0;
    const std::size_t children = level > 0 ? start - below : order_.size();
    for (std::size_t n = 0; n < end - start; ++n) {
      Node& node = nodes_[start + n];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t child = kLanes * n + lane;
        float low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
        int last = -1;
        if (child < children && level == 0) {
          last = order_[child];
          for (int c = 0; c < 3; ++c) {
            low[c] = rounded(boxes[std::size_t(last)].low[c], c);
            high[c] = rounded(boxes[std::size_t(last)].high[c], c);
          }
        } else if (child < children) {
          const Node& of = nodes_[below + child];
          for (std::size_t k = 0; k < kLanes; ++k) {
            last = std::max(last, of.last[k]);
            for (int c = 0; c < 3; ++c) {
              low[c] = std::min(low[c], of.low[c][k]);
              high[c] = std::max(high[c], of.high[c][k]);
            }
          }
          if (level == 1)
            for (int c = 0; c < 3; ++c) leaf_extent_ += double(high[c] - low[c]);
        }
        node.last[lane] = last;
        for (int c = 0; c < 3; ++c) {
          node.low[c][lane] = low[c];
          node.high[c][lane] = high[c];
        }
      }
    }
  }
  if (extent_when_arranged_ == 0.0) extent_when_arranged_ = leaf_extent_;
}

}  // namespace deformbench::numerics
