// SPDX-License-Identifier: BSD-3-Clause
// Edges and connected pieces of a triangle surface. Internal to the probes.
#pragma once

#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::harness {

/// An edge a–b, a < b, with the first triangle that contains a → b and the first that contains b → a; −1 if none.
struct ClothEdge {
  int a = 0, b = 0;
  int forward = -1, backward = -1;                ///< triangles
  int forward_corner = -1, backward_corner = -1;  ///< their vertices opposite to the edge
  int triangle_count = 0;

  bool is_interior() const { return forward >= 0 && backward >= 0; }
  /// At most one triangle on each side.
  bool is_manifold() const { return triangle_count == (forward >= 0) + (backward >= 0); }
};

/// All edges without duplicates, sorted by (a, b). O(m log m).
std::vector<ClothEdge> cloth_edges(const Eigen::Ref<const Triangles>& triangles);

/// Pieces connected through edges, numbered by their first triangle.
struct ClothPieces {
  std::vector<int> piece;       ///< of every triangle
  std::vector<bool> is_closed;  ///< per piece: each edge has a triangle on both sides
  int count() const { return int(is_closed.size()); }
};
ClothPieces cloth_pieces(const Eigen::Ref<const Triangles>& triangles);

}  // namespace deformbench::harness
