// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/spatial_hash.hpp"

#include <bit>

namespace deformbench::numerics {

void SpatialHash::build(const std::vector<Box>& boxes, double cell_size) {
  boxes_ = &boxes;
  std::fill(std::begin(level_count_), std::end(level_count_), std::size_t{0});
  if (boxes.empty()) return;
  low_ = boxes.front().low;
  high_ = boxes.front().high;
  for (const Box& box : boxes) {
    low_ = low_.cwiseMin(box.low);
    high_ = high_.cwiseMax(box.high);
  }
  // Enlarges cells whose indices would not fit into a key.
  double size = std::max(cell_size, (high_ - low_).maxCoeff() / (0.5 * kMostCells));
  if (!(size > 0.0)) size = 1.0;
  double sizes[kLevels];
  for (int level = 0; level < kLevels; ++level, size *= 4.0) {
    sizes[level] = size;
    inverse_size_[level] = 1.0 / size;
  }
  levels_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double extent = (boxes[i].high - boxes[i].low).maxCoeff();
    int level = 0;
    while (level + 1 < kLevels && extent > sizes[level]) ++level;
    levels_[i] = std::int8_t(level);
    ++level_count_[level];
  }
  const std::size_t buckets = std::bit_ceil(2 * boxes.size());
  mask_ = buckets - 1;
  starts_.assign(buckets + 1, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for_cells(boxes[i], levels_[i], [&](const Cell& at) { ++starts_[bucket_of(at, levels_[i])]; });
  }
  std::uint32_t total = 0;
  for (std::uint32_t& start : starts_) start = total += start;
  entries_.resize(total);
  // Filled from the back: every start ends at the beginning of its bucket, and boxes ascend within a bucket.
  for (std::size_t i = boxes.size(); i-- > 0;) {
    Entry entry;
    entry.box = int(i);
    round_outwards(boxes[i], entry.low, entry.high);
    for_cells(boxes[i], levels_[i], [&](const Cell& at) {
      entry.key = key_of(at, levels_[i]);
      entries_[--starts_[bucket_of(at, levels_[i])]] = entry;
    });
  }
}

}  // namespace deformbench::numerics
