// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/pair_layout.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace deformbench::meshless {
namespace {

// Nodes per block: few enough that copies of them and their guests fit the L2 cache, many enough to limit guests. Small
// bodies are also divided if each thread gets a worthwhile block.
constexpr std::size_t kMostNodes = 4096, kFewNodes = 512, kFewBlocks = 8;
constexpr std::size_t kSorted = 64;  ///< length of runs along the curve that are sorted by pair count

/// Inserts two zeros between any two of the lowest 21 bits.
std::uint64_t spread(std::uint64_t bits) {
  bits &= 0x1fffff;
  bits = (bits | bits << 32) & 0x1f00000000ffff;
  bits = (bits | bits << 16) & 0x1f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

std::size_t up_to_multiple(std::size_t count, std::size_t of) {
  return (count + of - 1) / of * of;
}

}  // namespace

PairLayout::PairLayout(const NodeCloud& cloud, std::size_t multiple) {
  set_order(cloud);
  set_blocks(cloud, multiple);
  set_rows(cloud);
}

/// Along Morton's curve through the bounding box.
void PairLayout::set_order(const NodeCloud& cloud) {
  const auto n = std::size_t(cloud.size());
  const Vector3 corner = cloud.rest.colwise().minCoeff();
  const double extent = (Vector3(cloud.rest.colwise().maxCoeff()) - corner).maxCoeff();
  const double scale = extent > 0.0 ? double((1 << 21) - 1) / extent : 0.0;
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 x = scale * (Vector3(cloud.rest.row(Eigen::Index(i))) - corner);
    keys[i] = spread(std::uint64_t(x[0])) | spread(std::uint64_t(x[1])) << 1 | spread(std::uint64_t(x[2])) << 2;
  }
  node_of.resize(n);
  std::iota(node_of.begin(), node_of.end(), 0);
  std::stable_sort(node_of.begin(), node_of.end(),
                   [&](int a, int b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
  // Nodes read side by side should have equally long rows and be close together.
  const auto pairs_of = [&](int i) { return cloud.first[std::size_t(i) + 1] - cloud.first[std::size_t(i)]; };
  for (std::size_t low = 0; low < n; low += kSorted)
    std::stable_sort(node_of.begin() + std::ptrdiff_t(low),
                     node_of.begin() + std::ptrdiff_t(std::min(n, low + kSorted)),
                     [&](int a, int b) { return pairs_of(a) < pairs_of(b); });
  place_of.resize(n);
  for (std::size_t place = 0; place < n; ++place) place_of[std::size_t(node_of[place])] = std::uint32_t(place);
}

/// A power of two, so that a curve through a cube is cut into boxes.
void PairLayout::set_blocks(const NodeCloud& cloud, std::size_t multiple) {
  const std::size_t slots = up_to_multiple(size(), multiple), batches = slots / multiple;
  const std::size_t wanted = std::max((size() + kMostNodes - 1) / kMostNodes, std::min(kFewBlocks, size() / kFewNodes));
  const std::size_t count = std::min(std::bit_ceil(wanted), batches);
  blocks.assign(count, {});
  guests.clear();
  std::vector<std::uint32_t> met;
  for (std::size_t b = 0; b < count; ++b) {
    Block& block = blocks[b];
    block.low = batches * b / count * multiple;
    block.high = batches * (b + 1) / count * multiple;
    met.clear();
    for (std::size_t place = block.low; place < std::min(block.high, size()); ++place) {
      const auto i = std::size_t(node_of[place]);
      for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
        const std::uint32_t other = place_of[std::size_t(cloud.neighbours[p])];
        if (other < block.low || other >= block.high) met.push_back(other);
      }
    }
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    block.guests.low = guests.size();
    guests.insert(guests.end(), met.begin(), met.end());
    block.guests.high = guests.size();
  }
  for (Block& block : blocks)
    for (const Block& other : blocks) {
      const auto begin = guests.begin() + std::ptrdiff_t(other.guests.low);
      const auto end = guests.begin() + std::ptrdiff_t(other.guests.high);
      const auto low = std::lower_bound(begin, end, block.low), high = std::lower_bound(low, end, block.high);
      if (low < high)
        block.elsewhere.push_back({std::size_t(low - guests.begin()), std::size_t(high - guests.begin())});
    }
}

void PairLayout::set_rows(const NodeCloud& cloud) {
  pair_count_ = cloud.neighbours.size();
  first.assign(1, 0);
  others.clear();
  weights.clear();
  others.reserve(pair_count_ + pair_count_ / 16);  // including padding
  weights.reserve(pair_count_ + pair_count_ / 16);
  std::vector<std::pair<std::uint32_t, double>> rows[kRows];
  for (const Block& block : blocks)
    for (std::size_t low = block.low; low < block.high; low += kRows) {
      std::size_t longest = 0;
      for (std::size_t r = 0; r < kRows; ++r) {
        rows[r].clear();
        if (low + r >= size()) continue;
        const auto i = std::size_t(node_of[low + r]);
        for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
          rows[r].emplace_back(*number_in(block, place_of[std::size_t(cloud.neighbours[p])]), cloud.weights[p]);
        std::sort(rows[r].begin(), rows[r].end());
        longest = std::max(longest, rows[r].size());
      }
      for (std::size_t k = 0; k < longest; ++k)
        for (std::size_t r = 0; r < kRows; ++r) {
          others.push_back(k < rows[r].size() ? rows[r][k].first : std::uint32_t(low + r - block.low));
          weights.push_back(k < rows[r].size() ? rows[r][k].second : 0.0);
        }
      first.push_back(others.size());
    }
}

const PairLayout::Block& PairLayout::block_of(std::size_t place) const {
  const auto behind = std::upper_bound(blocks.begin(), blocks.end(), place,
                                       [](std::size_t value, const Block& block) { return value < block.low; });
  return *(behind - 1);
}

std::size_t PairLayout::place_in(const Block& block, std::size_t number) const {
  const std::size_t own = block.own_count();
  return number < own ? block.low + number : guests[block.guests.low + number - own];
}

std::optional<std::uint32_t> PairLayout::number_in(const Block& block, std::uint32_t place) const {
  if (place >= block.low && place < block.high) return std::uint32_t(place - block.low);
  const auto begin = guests.begin() + std::ptrdiff_t(block.guests.low);
  const auto end = guests.begin() + std::ptrdiff_t(block.guests.high);
  const auto found = std::lower_bound(begin, end, place);
  if (found == end || *found != place) return std::nullopt;
  return std::uint32_t(block.own_count() + std::size_t(found - begin));
}

/// Index of the pair with this number in the row of `place`, if any. Pairs are ascending, followed by padding.
std::optional<std::size_t> PairLayout::find_pair(std::size_t place, std::uint32_t number) const {
  const auto own = std::uint32_t(place - block_of(place).low);
  const Range pairs = row(place);
  std::size_t low = 0, high = (pairs.high - pairs.low + kRows - 1) / kRows;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const std::uint32_t found = others[pairs.low + kRows * middle];
    if (found < number && found != own)
      low = middle + 1;
    else
      high = middle;
  }
  const std::size_t at = pairs.low + kRows * low;
  if (at >= pairs.high || others[at] != number) return std::nullopt;
  return at;
}

bool PairLayout::update_weights(const NodeCloud& cloud, std::span<const int> nodes) {
  for (const int node : nodes) {
    const auto i = std::size_t(node);
    const std::size_t place = place_of[i];
    const Block& block = block_of(place);
    const Range pairs = row(place);
    for (std::size_t p = pairs.low; p < pairs.high; p += kRows) weights[p] = 0.0;
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      const auto number = number_in(block, place_of[std::size_t(cloud.neighbours[p])]);
      const auto at = number ? find_pair(place, *number) : std::nullopt;
      if (!at) return false;
      weights[*at] = cloud.weights[p];
    }
  }
  return true;
}

}  // namespace deformbench::meshless
