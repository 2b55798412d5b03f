// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>

namespace deformbench::pbd {

namespace {

constexpr int kVerticesNearAnyway = 1 << 13;  // vertices whose positions fit the L2 cache in any order

struct Dependencies {
  std::vector<int> successors;     ///< cardinality per constraint: the next one at each vertex, or −1
  std::vector<int> waits_for;      ///< number of earlier neighbours, counted once per vertex
  std::vector<int> longest_after;  ///< length of the longest chain that starts here
};

Dependencies dependencies_of(const ConstraintGraph& graph) {
  const int n = graph.size(), k = graph.cardinality;
  Dependencies d;
  d.successors.assign(graph.vertices.size(), -1);
  d.waits_for.assign(std::size_t(n), 0);
  d.longest_after.assign(std::size_t(n), 1);
  std::vector<int> next(std::size_t(graph.vertex_count), -1);
  for (int c = n - 1; c >= 0; --c)
    for (int j = 0; j < k; ++j) {
      const auto at = std::size_t(c) * std::size_t(k) + std::size_t(j);
      int& following = next[std::size_t(graph.vertices[at])];
      d.successors[at] = following;
      if (following >= 0) {
        ++d.waits_for[std::size_t(following)];
        d.longest_after[std::size_t(c)] =
            std::max(d.longest_after[std::size_t(c)], 1 + d.longest_after[std::size_t(following)]);
      }
      following = c;
    }
  return d;
}

void set_waits(const ConstraintGraph& graph, Schedule& schedule) {
  std::vector<int> last_pack(std::size_t(graph.vertex_count), -2);
  schedule.waits.assign(std::size_t(schedule.pack_count()), 0);
  for (std::size_t lane = 0; lane < schedule.constraints.size(); ++lane) {
    const int c = schedule.constraints[lane], pack = int(lane) / schedule.width;
    if (c < 0) continue;
    for (const int v : graph.of(c)) {
      int& last = last_pack[std::size_t(v)];
      schedule.waits[std::size_t(pack)] |= last == pack - 1;
      last = pack;
    }
  }
}

Schedule schedule_by(const ConstraintGraph& graph, int width, int apart, Dependencies d, bool longest_first) {
  const auto key = [&](int c) {  // smallest first
    return std::pair<int, int>{longest_first ? -d.longest_after[std::size_t(c)] : 0, c};
  };
  using Key = std::pair<int, int>;
  using Queue = std::priority_queue<Key, std::vector<Key>, std::greater<>>;
  Queue ready, fresh;                                              // without and with neighbours in recent packs
  std::vector<std::vector<int>> to_ready(std::size_t(apart) + 1);  // by the pack from which they are ready, modulo
  std::vector<char> is_taken(std::size_t(graph.size()), 0);
  for (int c = 0; c < graph.size(); ++c)
    if (d.waits_for[std::size_t(c)] == 0) ready.push(key(c));

  Schedule result{width, {}, {0}, {}};
  std::vector<int> pack;
  for (int done = 0, t = 0; done < graph.size(); ++t) {
    std::vector<int>& arriving = to_ready[std::size_t(t) % to_ready.size()];
    for (const int c : arriving)
      if (!is_taken[std::size_t(c)]) ready.push(key(c));
    arriving.clear();
    pack.clear();
    for (Queue* queue : {&ready, &fresh})
      while (int(pack.size()) < width && !queue->empty()) {
        const int c = queue->top().second;
        queue->pop();
        if (is_taken[std::size_t(c)]) continue;
        is_taken[std::size_t(c)] = 1;
        pack.push_back(c);
      }
    for (const int c : pack)
      for (int j = 0; j < graph.cardinality; ++j) {
        const int s = d.successors[std::size_t(c) * std::size_t(graph.cardinality) + std::size_t(j)];
        if (s < 0 || --d.waits_for[std::size_t(s)] > 0) continue;
        fresh.push(key(s));
        to_ready[std::size_t(t + apart) % to_ready.size()].push_back(s);
      }
    done += int(pack.size());
    result.constraints.insert(result.constraints.end(), pack.begin(), pack.end());
    result.constraints.resize(std::size_t(t + 1) * std::size_t(width), -1);
  }
  result.part_begins.push_back(result.pack_count());
  set_waits(graph, result);
  return result;
}

}  // namespace

Schedule list_schedule(const ConstraintGraph& graph, int width, int apart) {
  return schedule_by(graph, width, apart, dependencies_of(graph), graph.vertex_count <= kVerticesNearAnyway);
}

Schedule colour_schedule(const ConstraintGraph& graph, int width) {
  std::vector<std::uint64_t> taken(std::size_t(graph.vertex_count), 0);  // bit: colour within the current group of 64
  std::vector<int> colour(std::size_t(graph.size()), -1);
  int colours = 0;
  for (int first = 0, left = graph.size(); left > 0; first += 64) {  // 64 colours at a time
    std::fill(taken.begin(), taken.end(), 0);
    for (int c = 0; c < graph.size(); ++c) {
      if (colour[std::size_t(c)] >= 0) continue;
      std::uint64_t all = 0;
      for (const int v : graph.of(c)) all |= taken[std::size_t(v)];
      if (all == ~std::uint64_t(0)) continue;
      const int bit = __builtin_ctzll(~all);
      for (const int v : graph.of(c)) taken[std::size_t(v)] |= std::uint64_t(1) << bit;
      colour[std::size_t(c)] = first + bit;
      colours = std::max(colours, first + bit + 1);
      --left;
    }
  }
  Schedule result{width, {}, {0}, {}};
  for (int k = 0; k < colours; ++k) {
    for (int c = 0; c < graph.size(); ++c)
      if (colour[std::size_t(c)] == k) result.constraints.push_back(c);
    const auto w = std::size_t(width);
    result.constraints.resize((result.constraints.size() + w - 1) / w * w, -1);
    result.part_begins.push_back(result.pack_count());
  }
  set_waits(graph, result);
  return result;
}

}  // namespace deformbench::pbd
