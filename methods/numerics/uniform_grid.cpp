// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/uniform_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace deformbench::numerics {

UniformGrid::UniformGrid() : starts_(2, 0) {}

UniformGrid::UniformGrid(const std::vector<Box>& boxes, const Box& bounds, double cell_size, int most_cells)
    : low_(bounds.low) {
  const Vector3 extent = bounds.high - bounds.low;
  size_ = std::max({cell_size, extent.maxCoeff() / most_cells, std::numeric_limits<double>::min()});
  for (int k = 0; k < 3; ++k) count_[k] = std::clamp(int(std::ceil(extent[k] / size_)), 1, most_cells);
  starts_.assign(std::size_t(count_[0]) * std::size_t(count_[1]) * std::size_t(count_[2]) + 1, 0);
  for (const Box& box : boxes)
    for_cells(cell_of(box.low), cell_of(box.high), [&](const Cell& at) { ++starts_[index(at) + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  entries_.resize(std::size_t(starts_.back()));
  std::vector<int> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for_cells(cell_of(boxes[b].low), cell_of(boxes[b].high),
              [&](const Cell& at) { entries_[std::size_t(next[index(at)]++)] = int(b); });
}

double UniformGrid::place(double coordinate, int axis) const {
  return (coordinate - low_[axis]) / size_;
}

UniformGrid::Cell UniformGrid::cell_of(const Vector3& point) const {
  Cell at;
  for (int k = 0; k < 3; ++k) at[k] = int(std::clamp(std::floor(place(point[k], k)), 0.0, count_[k] - 1.0));
  return at;
}

}  // namespace deformbench::numerics
