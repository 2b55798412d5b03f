// SPDX-License-Identifier: BSD-3-Clause
// Uniform grid that stores the boxes overlapping each cell: for static geometry, built once and queried often.
// Geometry that moves every step belongs in the spatial hash.
#pragma once

#include <span>
#include <vector>

#include "methods/numerics/box.hpp"

namespace deformbench::numerics {

class UniformGrid {
 public:
  using Cell = Eigen::Vector3i;

  /// No boxes: one empty cell.
  UniformGrid();
  /// Covers `bounds` from its low corner; boxes that reach beyond are stored in the outermost cells. `cell_size` (m,
  /// > 0) is raised if an axis would need more than `most_cells`.
  UniformGrid(const std::vector<Box>& boxes, const Box& bounds, double cell_size, int most_cells);

  const Cell& count() const { return count_; }  ///< cells along each axis
  double cell_size() const { return size_; }    ///< m
  const Vector3& low() const { return low_; }   ///< m
  /// Position in units of cells; not clamped.
  double place(double coordinate, int axis) const;
  Cell cell_of(const Vector3& point) const;  ///< the nearest cell for points outside
  Vector3 centre(const Cell& cell) const { return low_ + size_ * cell.cast<double>() + Vector3::Constant(0.5 * size_); }
  /// Boxes that overlap a cell, ascending.
  std::span<const int> boxes_in(const Cell& cell) const {
    const std::size_t at = index(cell);
    return std::span(entries_).subspan(std::size_t(starts_[at]), std::size_t(starts_[at + 1] - starts_[at]));
  }
  template <class F>
  static void for_cells(const Cell& first, const Cell& last, F&& f) {
    for (int i = first[0]; i <= last[0]; ++i)
      for (int j = first[1]; j <= last[1]; ++j)
        for (int k = first[2]; k <= last[2]; ++k) f(Cell(i, j, k));
  }

 private:
  std::size_t index(const Cell& c) const {
    return (std::size_t(c[0]) * std::size_t(count_[1]) + std::size_t(c[1])) * std::size_t(count_[2]) +
           std::size_t(c[2]);
  }

  Vector3 low_ = Vector3::Zero();
  double size_ = 1.0;
  Cell count_ = Cell::Ones();
  std::vector<int> starts_, entries_;
};

}  // namespace deformbench::numerics
