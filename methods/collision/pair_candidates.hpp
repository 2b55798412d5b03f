// SPDX-License-Identifier: BSD-3-Clause
// Candidate pairs of points and triangles, and of edges, that may come near each other within a step.
#pragma once

#include <array>
#include <compare>
#include <vector>

#include "methods/collision/moving_pair.hpp"
#include "methods/model/types.hpp"
#include "methods/numerics/box_tree.hpp"

namespace deformbench::collision {

struct Candidate {
  PairKind kind;
  int first;   ///< point, or edge
  int second;  ///< triangle, or edge of higher index
  auto operator<=>(const Candidate&) const = default;
};

class PairCandidates {
 public:
  /// The result does not depend on the number of `threads`.
  PairCandidates(Eigen::Index vertex_count, const Triangles& triangles, bool points_faces, bool edges_edges,
                 int threads = 1);

  /// All pairs without a common vertex whose boxes around the whole motion, each padded by `reach`/2 (m), overlap.
  /// Ascending, so the order depends only on the pairs. Points are vertices of triangles only.
  const std::vector<Candidate>& find(const Points& start, const Points& end, double reach = 0.0);
  /// Update after a call with the same start and the same end except for vertices with `has_moved` (n flags).
  /// Primitives that stay within their boxes keep them; those that leave get new boxes, and only their pairs are
  /// searched again. The result includes all pairs within `reach` at the start, or that meet on the way.
  const std::vector<Candidate>& find_again(const Points& start, const Points& end, const std::vector<char>& has_moved);

  /// Vertices of a candidate: point and triangle, or both edges.
  std::array<int, 4> vertices(const Candidate& candidate) const {
    const std::array<int, 3>& t = triangles_[std::size_t(candidate.second)];
    if (candidate.kind == PairKind::PointTriangle) return {points_[std::size_t(candidate.first)][0], t[0], t[1], t[2]};
    const std::array<int, 2>&e = edges_[std::size_t(candidate.first)], &f = edges_[std::size_t(candidate.second)];
    return {e[0], e[1], f[0], f[1]};
  }
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }

 private:
  /// Points, triangles or edges: boxes around their motion, and the BVH of these.
  struct Group {
    std::vector<numerics::Box> boxes;
    numerics::BoxTree tree;
    std::vector<char> has_left;  ///< its box since the last search
    std::size_t left = 0;        ///< how many
  };
  template <class Primitives>
  void place(const Primitives& primitives, const Points& start, const Points& end, double reach, Group& group) const;
  template <class Primitives>
  void place_again(const Primitives& primitives, const Points& start, const Points& end,
                   const std::vector<char>& has_moved, double reach, Group& group) const;
  /// Appends the results of search(i, indices, found) for i = 0 … count − 1, in the order of i, for any number of
  /// threads.
  template <class Search>
  void gather(std::size_t count, Search&& search, std::vector<Candidate>& found);
  void add_points_faces(std::vector<Candidate>& found);
  void add_edges_edges(std::vector<Candidate>& found);

  const bool points_faces_, edges_edges_;
  const int threads_;
  double reach_ = 0.0;
  std::vector<std::array<int, 1>> points_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<std::array<int, 3>> triangles_;
  Group of_points_, of_edges_, of_triangles_;
  std::vector<Candidate> found_, new_, merged_;
  std::vector<std::vector<Candidate>> parts_;  ///< of gather
};

}  // namespace deformbench::collision
