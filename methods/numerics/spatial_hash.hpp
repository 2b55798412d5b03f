// SPDX-License-Identifier: BSD-3-Clause
// Hierarchy of hashed uniform grids: finds the boxes that overlap a query in time proportional to their number. Each
// grid is four times as coarse as the one before; a box is stored in the finest grid whose cells are at least its
// size, so a few large boxes (fast vertices) do not slow down the rest. [MHHR07] §4.3, [THMPG03]
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "methods/numerics/box.hpp"

namespace deformbench::numerics {

class SpatialHash {
 public:
  /// Sorts the boxes, which must be finite and outlive the queries. `cell_size` (m, > 0): of the finest grid; a little
  /// above the size of most boxes is best. O(n); memory is kept for the next call.
  void build(const std::vector<Box>& boxes, double cell_size);

  /// Calls f(index) once for every stored box that meets `query` (touching counts). The order depends on the boxes
  /// alone.
  template <class F>
  void for_overlaps(const Box& query, F&& f) const {
    if (boxes_ == nullptr || boxes_->empty()) return;
    const std::vector<Box>& boxes = *boxes_;
    for (int level = 0; level < kLevels; ++level) {
      if (level_count_[level] == 0 || (query.low.array() > high_.array()).any() ||
          (query.high.array() < low_.array()).any())
        continue;
      const Cell first = cell(query.low, level), last = cell(query.high, level);
      const Vector3 cells = (last - first).cast<double>().array() + 1.0;
      if (cells.prod() > double(boxes.size())) {  // cheaper to test every box than to visit every cell
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          if (levels_[i] == level && overlap(boxes[i], query)) f(int(i));
        }
        continue;
      }
      float low[3], high[3];
      round_outwards(query, low, high);
      for (std::int64_t k = first[2]; k <= last[2]; ++k) {
        for (std::int64_t j = first[1]; j <= last[1]; ++j) {
          for (std::int64_t i = first[0]; i <= last[0]; ++i) {
            const Cell at{i, j, k};
            const std::uint64_t key = key_of(at, level);
            const std::size_t bucket = bucket_of(at, level);
            for (std::uint32_t e = starts_[bucket]; e < starts_[bucket + 1]; ++e) {
              const Entry& entry = entries_[e];
              if (entry.key != key || entry.low[0] > high[0] || entry.high[0] < low[0] || entry.low[1] > high[1] ||
                  entry.high[1] < low[1] || entry.low[2] > high[2] || entry.high[2] < low[2]) {
                continue;
              }
              const Box& box = boxes[std::size_t(entry.box)];
              // Reported once: only in the cell of the lowest corner of the intersection.
              if (overlap(box, query) && cell(box.low.cwiseMax(query.low), level) == at) f(entry.box);
            }
          }
        }
      }
    }
  }

 private:
  using Cell = Eigen::Matrix<std::int64_t, 3, 1>;
  struct Entry {
    std::uint64_t key;
    int box;
    float low[3], high[3];  // of the box relative to low_, rounded outwards: rejects most boxes without a fetch
  };
  static constexpr int kLevels = 11;             // cells up to 4¹⁰ times the finest, about the largest extent
  static constexpr double kMostCells = 1048575;  // along an axis: 20 bits of the key

  Cell cell(const Vector3& point, int level) const {
    Cell at;
    for (int c = 0; c < 3; ++c) {
      at[c] = std::int64_t(std::clamp((point[c] - low_[c]) * inverse_size_[level], 0.0, kMostCells));
    }
    return at;
  }
  void round_outwards(const Box& box, float* low, float* high) const {
    for (int c = 0; c < 3; ++c) {
      // 1e-7 exceeds the relative rounding error 2⁻²⁴ of the conversion.
      const double from = box.low[c] - low_[c], to = box.high[c] - low_[c];
      low[c] = float(from - 1e-7 * std::abs(from));
      high[c] = float(to + 1e-7 * std::abs(to));
    }
  }
  static std::uint64_t key_of(const Cell& at, int level) {
    return (std::uint64_t(level) << 60) | (std::uint64_t(at[2]) << 40) | (std::uint64_t(at[1]) << 20) |
           std::uint64_t(at[0]);
  }
  // Neighbours along the first axis are neighbours in the table.
  std::size_t bucket_of(const Cell& at, int level) const {
    return std::size_t(std::uint64_t(at[0]) + std::uint64_t(at[1]) * 2654435761u + std::uint64_t(at[2]) * 805459861u +
                       std::uint64_t(level) * 40503u) &
           mask_;
  }
  template <class F>
  void for_cells(const Box& box, int level, F&& f) const {
    const Cell first = cell(box.low, level), last = cell(box.high, level);
    for (std::int64_t k = first[2]; k <= last[2]; ++k) {
      for (std::int64_t j = first[1]; j <= last[1]; ++j) {
        for (std::int64_t i = first[0]; i <= last[0]; ++i) f(Cell{i, j, k});
      }
    }
  }

  const std::vector<Box>* boxes_ = nullptr;
  Vector3 low_ = Vector3::Zero(), high_ = Vector3::Zero();
  double inverse_size_[kLevels] = {};
  std::size_t level_count_[kLevels] = {};
  std::size_t mask_ = 0;
  std::vector<std::int8_t> levels_;    // per box
  std::vector<std::uint32_t> starts_;  // per bucket
  std::vector<Entry> entries_;
};

}  // namespace deformbench::numerics
