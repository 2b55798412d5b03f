// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/pair_layout.hpp"

#include <algorithm>
#include <numeric>

namespace deformbench::meshless {
namespace {

/// Two zeros between any two of the lowest 21 bits.
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

/// Rows of so many pairs, empty but for the filling.
PairLayout::Rows rows_of(const std::vector<std::size_t>& counts) {
  PairLayout::Rows rows;
  rows.first.assign(1, 0);
  for (const std::size_t count : counts)
    rows.first.push_back(rows.first.back() + up_to_multiple(count, PairLayout::kRowMultiple));
  rows.places.resize(rows.first.back());
  rows.weights.assign(rows.first.back(), 0.0);
  for (std::size_t place = 0; place < counts.size(); ++place)
    std::fill(rows.places.begin() + std::ptrdiff_t(rows.first[place]),
              rows.places.begin() + std::ptrdiff_t(rows.first[place + 1]), std::uint32_t(place));
  return rows;
}

/// Where the pair with `other` stands in the row of `place`, or its end. The filling stands behind the pairs.
std::size_t find_pair(const PairLayout::Rows& rows, std::size_t place, std::uint32_t other) {
  std::size_t end = rows.first[place + 1];
  while (end > rows.first[place] && rows.places[end - 1] == place) --end;
  const auto begin = rows.places.begin();
  const auto found = std::lower_bound(begin + std::ptrdiff_t(rows.first[place]), begin + std::ptrdiff_t(end), other);
  const auto at = std::size_t(found - begin);
  return at < end && rows.places[at] == other ? at : rows.first[place + 1];
}

}  // namespace

PairLayout::PairLayout(const NodeCloud& cloud, std::size_t multiple) {
  set_order(cloud);
  set_rows(cloud, multiple);
}

/// Along Morton's curve through the bounding box.
void PairLayout::set_order(const NodeCloud& cloud) {
  const auto n = std::size_t(cloud.size());
  const Vector3 low = cloud.rest.colwise().minCoeff();
  const double extent = (Vector3(cloud.rest.colwise().maxCoeff()) - low).maxCoeff();
  const double scale = extent > 0.0 ? double((1 << 21) - 1) / extent : 0.0;
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 x = scale * (Vector3(cloud.rest.row(Eigen::Index(i))) - low);
    keys[i] = spread(std::uint64_t(x[0])) | spread(std::uint64_t(x[1])) << 1 | spread(std::uint64_t(x[2])) << 2;
  }
  node_of.resize(n);
  std::iota(node_of.begin(), node_of.end(), 0);
  std::stable_sort(node_of.begin(), node_of.end(),
                   [&](int a, int b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
  place_of.resize(n);
  for (std::size_t place = 0; place < n; ++place) place_of[std::size_t(node_of[place])] = std::uint32_t(place);
}

void PairLayout::set_rows(const NodeCloud& cloud, std::size_t multiple) {
  const std::size_t slots = up_to_multiple(size(), multiple);
  std::vector<std::size_t> owned_counts(slots, 0), met_counts(slots, 0);
  for (std::size_t i = 0; i < size(); ++i) {
    owned_counts[place_of[i]] = cloud.first[i + 1] - cloud.first[i];
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
      ++met_counts[place_of[std::size_t(cloud.neighbours[p])]];
  }
  owned = rows_of(owned_counts);
  met = rows_of(met_counts);
  pair_count_ = cloud.neighbours.size();
  std::vector<std::pair<std::uint32_t, double>> row;
  std::vector<std::size_t> next(met.first.begin(), met.first.end() - 1);
  for (std::size_t place = 0; place < size(); ++place) {
    const auto i = std::size_t(node_of[place]);
    row.clear();
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
      row.emplace_back(place_of[std::size_t(cloud.neighbours[p])], cloud.weights[p]);
    std::sort(row.begin(), row.end());
    std::size_t at = owned.first[place];
    for (const auto& [other, weight] : row) {
      owned.places[at] = other;
      owned.weights[at++] = weight;
      const std::size_t there = next[other]++;  // rows of `met` are sorted too, as places ascend here
      met.places[there] = std::uint32_t(place);
      met.weights[there] = weight;
    }
  }
}

bool PairLayout::update_weights(const NodeCloud& cloud, std::span<const int> nodes) {
  for (const int node : nodes) {
    const auto i = std::size_t(node);
    const std::size_t place = place_of[i];
    const auto set_weight = [&](std::size_t at, double weight) {
      const std::uint32_t other = owned.places[at];
      if (other == place) return;
      owned.weights[at] = weight;
      met.weights[find_pair(met, other, std::uint32_t(place))] = weight;
    };
    for (std::size_t at = owned.first[place]; at < owned.end(place); ++at) set_weight(at, 0.0);
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      const std::size_t at = find_pair(owned, place, place_of[std::size_t(cloud.neighbours[p])]);
      if (at == owned.end(place)) return false;
      set_weight(at, cloud.weights[p]);
    }
  }
  return true;
}

}  // namespace deformbench::meshless
