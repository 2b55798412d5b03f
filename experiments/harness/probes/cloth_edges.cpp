// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/cloth_edges.hpp"

#include <algorithm>
#include <tuple>

#include "methods/model/disjoint_sets.hpp"

namespace deformbench::harness {
namespace {

struct Side {
  int a, b, triangle, corner;
  bool is_forward;
};

std::vector<Side> sorted_sides(const Eigen::Ref<const Triangles>& triangles) {
  std::vector<Side> sides;
  sides.reserve(std::size_t(triangles.size()));
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = triangles(t, k), to = triangles(t, (k + 1) % 3), corner = triangles(t, (k + 2) % 3);
      sides.push_back({std::min(from, to), std::max(from, to), int(t), corner, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& l, const Side& r) {
    return std::tie(l.a, l.b, l.triangle) < std::tie(r.a, r.b, r.triangle);
  });
  return sides;
}

}  // namespace

std::vector<ClothEdge> cloth_edges(const Eigen::Ref<const Triangles>& triangles) {
  std::vector<ClothEdge> edges;
  for (const Side& side : sorted_sides(triangles)) {
    if (edges.empty() || edges.back().a != side.a || edges.back().b != side.b) {
      edges.emplace_back();
      edges.back().a = side.a;
      edges.back().b = side.b;
    }
    ClothEdge& edge = edges.back();
    ++edge.triangle_count;
    int& triangle = side.is_forward ? edge.forward : edge.backward;
    if (triangle >= 0) continue;
    triangle = side.triangle;
    (side.is_forward ? edge.forward_corner : edge.backward_corner) = side.corner;
  }
  return edges;
}

ClothPieces cloth_pieces(const Eigen::Ref<const Triangles>& triangles) {
  ClothPieces pieces;
  pieces.piece.resize(std::size_t(triangles.rows()));
  model::DisjointSets sets(pieces.piece.size());
  const auto sides = sorted_sides(triangles);
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (sides[i].a == sides[i - 1].a && sides[i].b == sides[i - 1].b)
      sets.unite(sides[i].triangle, sides[i - 1].triangle);
  }
  for (int t = 0; t < int(pieces.piece.size()); ++t) {
    const int root = sets.root(t);
    if (root == t) {
      pieces.piece[std::size_t(t)] = pieces.count();
      pieces.is_closed.push_back(true);
    } else {
      pieces.piece[std::size_t(t)] = pieces.piece[std::size_t(root)];
    }
  }
  for (const ClothEdge& edge : cloth_edges(triangles)) {
    if (edge.is_interior()) continue;
    const int triangle = edge.forward >= 0 ? edge.forward : edge.backward;
    pieces.is_closed[std::size_t(pieces.piece[std::size_t(triangle)])] = false;
  }
  return pieces;
}

}  // namespace deformbench::harness
