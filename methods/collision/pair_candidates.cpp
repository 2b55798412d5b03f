// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/pair_candidates.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "methods/numerics/team.hpp"

namespace deformbench::collision {
namespace {

constexpr std::size_t kPart = 256;               // primitives per block of a thread
constexpr std::size_t kMostForOneThread = 1024;  // fewer do not pay for more threads

template <std::size_t N>
numerics::Box swept_box(const Points& start, const Points& end, const std::array<int, N>& vertices, double reach) {
  Vector3 low = start.row(vertices[0]).transpose(), high = low;
  for (const int i : vertices)
    for (int c = 0; c < 3; ++c) {
      low[c] = std::min({low[c], start(i, c), end(i, c)});
      high[c] = std::max({high[c], start(i, c), end(i, c)});
    }
  const Vector3 half = Vector3::Constant(0.5 * reach);
  return {low - half, high + half};
}

template <std::size_t N, std::size_t M>
bool share_a_vertex(const std::array<int, N>& a, const std::array<int, M>& b) {
  for (const int i : a)
    for (const int j : b)
      if (i == j) return true;
  return false;
}

}  // namespace

PairCandidates::PairCandidates(Eigen::Index vertex_count, const Triangles& triangles, bool points_faces,
                               bool edges_edges, int threads)
    : points_faces_(points_faces), edges_edges_(edges_edges), threads_(threads) {
  std::vector<char> is_used(std::size_t(vertex_count), 0);
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    triangles_.push_back({triangles(t, 0), triangles(t, 1), triangles(t, 2)});
    for (int k = 0; k < 3; ++k) {
      const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
      edges_.push_back({std::min(a, b), std::max(a, b)});
      is_used[std::size_t(a)] = 1;
    }
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (std::size_t i = 0; i < is_used.size(); ++i)
    if (is_used[i]) points_.push_back({int(i)});
}

template <class Primitives>
void PairCandidates::place(const Primitives& primitives, const Points& start, const Points& end, double reach,
                           Group& group) const {
  group.boxes.resize(primitives.size());
  const std::size_t n = primitives.size(), threads = n < kMostForOneThread ? 1 : std::size_t(threads_);
  numerics::run_team(int(threads), [&](int thread) {
    for (std::size_t i = n * std::size_t(thread) / threads; i < n * std::size_t(thread + 1) / threads; ++i)
      group.boxes[i] = swept_box(start, end, primitives[i], reach);
  });
}

template <class Primitives>
void PairCandidates::place_again(const Primitives& primitives, const Points& start, const Points& end,
                                 const std::vector<char>& has_moved, double reach, Group& group) const {
  group.has_left.assign(primitives.size(), 0);
  std::atomic<std::size_t> left{0};
  const std::size_t n = primitives.size(), threads = n < kMostForOneThread ? 1 : std::size_t(threads_);
  numerics::run_team(int(threads), [&](int thread) {
    std::size_t left_here = 0;
    for (std::size_t i = n * std::size_t(thread) / threads; i < n * std::size_t(thread + 1) / threads; ++i) {
      char moved = 0;
      for (const int vertex : primitives[i]) moved |= has_moved[std::size_t(vertex)];
      if (moved == 0) continue;
      const numerics::Box box = swept_box(start, end, primitives[i], 0.0);
      const numerics::Box& old = group.boxes[i];
      if ((box.low.array() >= old.low.array()).all() && (box.high.array() <= old.high.array()).all()) continue;
      const Vector3 half = Vector3::Constant(0.5 * reach);
      group.boxes[i] = {box.low - half, box.high + half};
      group.has_left[i] = 1;
      ++left_here;
    }
    left += left_here;
  });
  group.left = left;
}

template <class Search>
void PairCandidates::gather(std::size_t count, Search&& search, std::vector<Candidate>& found) {
  const std::size_t parts = (count + kPart - 1) / kPart;
  if (parts_.size() < parts) parts_.resize(parts);
  std::atomic<std::size_t> next{0};
  numerics::run_team(count < kMostForOneThread ? 1 : threads_, [&](int) {
    std::vector<int> indices;
    for (std::size_t part; (part = next.fetch_add(1, std::memory_order_relaxed)) < parts;) {
      parts_[part].clear();
      for (std::size_t i = part * kPart; i < std::min(count, (part + 1) * kPart); ++i) {
        indices.clear();
        search(int(i), indices, parts_[part]);
      }
    }
  });
  for (std::size_t part = 0; part < parts; ++part) found.insert(found.end(), parts_[part].begin(), parts_[part].end());
}

const std::vector<Candidate>& PairCandidates::find(const Points& start, const Points& end, double reach) {
  found_.clear();
  reach_ = reach;
  if (points_faces_) {
    place(points_, start, end, reach, of_points_);
    place(triangles_, start, end, reach, of_triangles_);
    of_triangles_.tree.update(of_triangles_.boxes);
    add_points_faces(found_);
  }
  if (edges_edges_) {
    place(edges_, start, end, reach, of_edges_);
    of_edges_.tree.update(of_edges_.boxes);
    add_edges_edges(found_);
  }
  return found_;
}

void PairCandidates::add_points_faces(std::vector<Candidate>& found) {
  gather(
      points_.size(),
      [&](int p, std::vector<int>& indices, std::vector<Candidate>& pairs) {
        of_triangles_.tree.find_overlaps(of_points_.boxes[std::size_t(p)], 0, indices);
        const std::array<int, 1>& point = points_[std::size_t(p)];
        std::erase_if(indices, [&](int t) { return share_a_vertex(point, triangles_[std::size_t(t)]); });
        std::sort(indices.begin(), indices.end());
        for (const int t : indices) pairs.push_back({PairKind::PointTriangle, p, t});
      },
      found);
}

void PairCandidates::add_edges_edges(std::vector<Candidate>& found) {
  gather(
      edges_.size(),
      [&](int e, std::vector<int>& indices, std::vector<Candidate>& pairs) {
        of_edges_.tree.find_overlaps(of_edges_.boxes[std::size_t(e)], e + 1, indices);
        const std::array<int, 2>& edge = edges_[std::size_t(e)];
        std::erase_if(indices, [&](int f) { return share_a_vertex(edge, edges_[std::size_t(f)]); });
        std::sort(indices.begin(), indices.end());
        for (const int f : indices) pairs.push_back({PairKind::EdgeEdge, e, f});
      },
      found);
}

const std::vector<Candidate>& PairCandidates::find_again(const Points& start, const Points& end,
                                                         const std::vector<char>& has_moved) {
  std::size_t left = 0, all = 0;
  const auto place_all_again = [&](const auto& primitives, Group& group) {
    place_again(primitives, start, end, has_moved, reach_, group);
    left += group.left;
    all += primitives.size();
  };
  if (points_faces_) place_all_again(points_, of_points_);
  if (points_faces_) place_all_again(triangles_, of_triangles_);
  if (edges_edges_) place_all_again(edges_, of_edges_);
  if (left == 0) return found_;
  // Pairs are searched from every primitive that has left its box; beyond this fraction a full search is faster.
  if (3 * left > all) return find(start, end, reach_);
  std::erase_if(found_, [&](const Candidate& pair) {
    const bool is_point = pair.kind == PairKind::PointTriangle;
    return (is_point ? of_points_ : of_edges_).has_left[std::size_t(pair.first)] != 0 ||
           (is_point ? of_triangles_ : of_edges_).has_left[std::size_t(pair.second)] != 0;
  });
  new_.clear();
  if (points_faces_) {
    of_points_.tree.update(of_points_.boxes);
    of_triangles_.tree.update(of_triangles_.boxes);
    gather(
        points_.size(),
        [&](int p, std::vector<int>& indices, std::vector<Candidate>& pairs) {
          if (!of_points_.has_left[std::size_t(p)]) return;
          of_triangles_.tree.find_overlaps(of_points_.boxes[std::size_t(p)], 0, indices);
          for (const int t : indices)
            if (!share_a_vertex(points_[std::size_t(p)], triangles_[std::size_t(t)]))
              pairs.push_back({PairKind::PointTriangle, p, t});
        },
        new_);
    gather(
        triangles_.size(),
        [&](int t, std::vector<int>& indices, std::vector<Candidate>& pairs) {
          if (!of_triangles_.has_left[std::size_t(t)]) return;
          of_points_.tree.find_overlaps(of_triangles_.boxes[std::size_t(t)], 0, indices);
          for (const int p : indices)
            if (!of_points_.has_left[std::size_t(p)] &&
                !share_a_vertex(points_[std::size_t(p)], triangles_[std::size_t(t)]))
              pairs.push_back({PairKind::PointTriangle, p, t});
        },
        new_);
  }
  if (edges_edges_) {
    of_edges_.tree.update(of_edges_.boxes);
    gather(
        edges_.size(),
        [&](int e, std::vector<int>& indices, std::vector<Candidate>& pairs) {
          if (!of_edges_.has_left[std::size_t(e)]) return;
          of_edges_.tree.find_overlaps(of_edges_.boxes[std::size_t(e)], 0, indices);
          for (const int f : indices) {
            const bool is_others = f < e && of_edges_.has_left[std::size_t(f)];  // found from f
            if (f != e && !is_others && !share_a_vertex(edges_[std::size_t(e)], edges_[std::size_t(f)]))
              pairs.push_back({PairKind::EdgeEdge, std::min(e, f), std::max(e, f)});
          }
        },
        new_);
  }
  std::sort(new_.begin(), new_.end());
  merged_.clear();
  merged_.reserve(found_.size() + new_.size());
  std::merge(found_.begin(), found_.end(), new_.begin(), new_.end(), std::back_inserter(merged_));
  std::swap(found_, merged_);
  return found_;
}

}  // namespace deformbench::collision
