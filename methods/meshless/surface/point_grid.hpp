// SPDX-License-Identifier: BSD-3-Clause
// Incremental hash grid of points. [THMPG03]
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "methods/numerics/box.hpp"

namespace deformbench::meshless {

class PointGrid {
 public:
  /// `cell_size` (m, > 0): about the radius of most queries.
  explicit PointGrid(double cell_size) : size_(cell_size) {}

  /// Points are numbered in order of insertion.
  void append(const Vector3& point) { cells_[cell_of(point)].push_back(count_++); }
  double cell_size() const { return size_; }

  /// Calls f(index) once for every point in the cells that meet the box: all points within it, and some outside. The
  /// order depends only on the box and the insertion order.
  template <class F>
  void for_cells_of(const numerics::Box& box, F&& f) const {
    const Cell first = cell_of(box.low), last = cell_of(box.high);
    for (auto i = first[0]; i <= last[0]; ++i)
      for (auto j = first[1]; j <= last[1]; ++j)
        for (auto k = first[2]; k <= last[2]; ++k)
          if (const auto found = cells_.find({i, j, k}); found != cells_.end())
            for (const int index : found->second) f(index);
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct HashOfCell {
    std::size_t operator()(const Cell& at) const {
      return std::size_t(at[0]) * 73856093u ^ std::size_t(at[1]) * 19349663u ^ std::size_t(at[2]) * 83492791u;
    }
  };
  Cell cell_of(const Vector3& point) const {
    Cell at;
    for (int c = 0; c < 3; ++c) at[std::size_t(c)] = std::int64_t(std::floor(point[c] / size_));
    return at;
  }

  double size_;
  int count_ = 0;
  std::unordered_map<Cell, std::vector<int>, HashOfCell> cells_;
};

}  // namespace deformbench::meshless
