// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

namespace deformbench::pbd {

namespace {

/// Breadth-first order of the vertices over the constraints, per connected component from one of its ends, so that the
/// vertices of a constraint are close.
std::vector<int> search_order(std::span<const ConstraintGraph> graphs) {
  const auto n = std::size_t(graphs.front().vertex_count);
  std::vector<int> starts(n + 1, 0);
  for (const ConstraintGraph& graph : graphs)
    for (const int v : graph.vertices) ++starts[std::size_t(v) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::span<const int>> at(std::size_t(starts.back()));  // constraints of every vertex
  std::vector<int> next(starts.begin(), starts.end() - 1);
  for (const ConstraintGraph& graph : graphs)
    for (int c = 0; c < graph.size(); ++c)
      for (const int v : graph.of(c)) at[std::size_t(next[std::size_t(v)]++)] = graph.of(c);

  const auto search = [&](int first, std::vector<char>& is_reached, std::vector<int>& order) {
    std::size_t head = order.size();
    order.push_back(first);
    is_reached[std::size_t(first)] = 1;
    for (; head < order.size(); ++head) {
      const auto v = std::size_t(order[head]);
      for (int i = starts[v]; i < starts[v + 1]; ++i)
        for (const int u : at[std::size_t(i)])
          if (!is_reached[std::size_t(u)]) is_reached[std::size_t(u)] = 1, order.push_back(u);
    }
  };
  std::vector<char> is_seen(n, 0), is_reached(n, 0);
  std::vector<int> seen, order;
  for (std::size_t v = 0; v < n; ++v) {
    if (is_reached[v]) continue;
    search(int(v), is_seen, seen);
    search(seen.back(), is_reached, order);
  }
  return order;
}

/// `count` pieces of `order` with about equally many constraints. None if a piece is too short, or if borders, which
/// fewer threads can share, have more than a quarter of all constraints.
std::optional<Blocks> cut(std::span<const ConstraintGraph> graphs, const std::vector<int>& order, int count) {
  const std::size_t n = order.size();
  std::vector<std::int64_t> up_to(n, 0);  // incidences per place, then their prefix sums
  std::vector<int> place(n);
  for (std::size_t i = 0; i < n; ++i) place[std::size_t(order[i])] = int(i);
  for (const ConstraintGraph& graph : graphs)
    for (const int v : graph.vertices) ++up_to[std::size_t(place[std::size_t(v)])];
  std::partial_sum(up_to.begin(), up_to.end(), up_to.begin());

  Blocks blocks{count, std::vector<int>(n)};
  for (std::size_t i = 0; i < n; ++i)
    blocks.of_vertex[std::size_t(order[i])] =
        int(std::min<std::int64_t>(count - 1, count * up_to[i] / (up_to.back() + 1)));
  int all = 0, between = 0;
  const auto borders = static_cast<std::size_t>(count);
  std::vector<int> low(borders, int(n)), high(borders, -1);  // extent of each border's constraints
  for (const ConstraintGraph& graph : graphs)
    for (int c = 0; c < graph.size(); ++c) {
      int first = int(n), last = -1;
      for (const int v : graph.of(c))
        first = std::min(first, place[std::size_t(v)]), last = std::max(last, place[std::size_t(v)]);
      const int b = blocks.of_vertex[std::size_t(order[std::size_t(first)])],
                e = blocks.of_vertex[std::size_t(order[std::size_t(last)])];
      if (e > b + 1) return {};
      ++all;
      if (e == b) continue;
      ++between;
      low[std::size_t(b)] = std::min(low[std::size_t(b)], first);
      high[std::size_t(b)] = std::max(high[std::size_t(b)], last);
    }
  for (int b = 0; b + 2 < count; ++b)
    if (high[std::size_t(b)] >= low[std::size_t(b) + 1]) return {};
  if (4 * between > all) return {};
  return blocks;
}

}  // namespace

int Blocks::region_of(std::span<const int> vertices) const {
  int low = count, high = 0;
  for (const int v : vertices) {
    low = std::min(low, of_vertex[std::size_t(v)]);
    high = std::max(high, of_vertex[std::size_t(v)]);
  }
  return low == high ? low : count + low;
}

Blocks cut_into_blocks(std::span<const ConstraintGraph> graphs, int most) {
  const auto n = std::size_t(graphs.front().vertex_count);
  std::vector<int> listed(n);
  std::iota(listed.begin(), listed.end(), 0);
  std::vector<int> searched;
  for (int count = most; count > 1; --count) {
    if (auto blocks = cut(graphs, listed, count)) return *blocks;
    if (searched.empty()) searched = search_order(graphs);
    if (auto blocks = cut(graphs, searched, count)) return *blocks;
  }
  return {1, std::vector<int>(n, 0)};
}

Schedule block_schedule(const ConstraintGraph& graph, int width, const Blocks& blocks) {
  std::vector<std::vector<int>> members(std::size_t(blocks.region_count()));
  for (int c = 0; c < graph.size(); ++c) members[std::size_t(blocks.region_of(graph.of(c)))].push_back(c);
  Schedule all{width, {}, {0}, {}};
  std::vector<int> vertices;
  for (const std::vector<int>& own : members) {
    vertices.clear();
    for (const int c : own) vertices.insert(vertices.end(), graph.of(c).begin(), graph.of(c).end());
    const ConstraintGraph region{vertices, graph.cardinality, graph.vertex_count};
    const Schedule coloured = colour_schedule(region, width);
    for (const int c : coloured.constraints) all.constraints.push_back(c < 0 ? -1 : own[std::size_t(c)]);
    all.waits.insert(all.waits.end(), coloured.waits.begin(), coloured.waits.end());
    all.part_begins.push_back(all.pack_count());
  }
  return all;
}

}  // namespace deformbench::pbd
