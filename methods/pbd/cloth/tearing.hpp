// SPDX-License-Identifier: BSD-3-Clause
// Tearing of cloth: an overstretched edge splits one of its vertices. [MHHR07] §5.4
//
// Decisions where the paper is silent (B-PBD-11):
//    which end              the boundary end, which continues a tear; otherwise the first vertex of the edge
//    which side keeps       the side of the edge's other end; on it the fan with the lowest triangle keeps the vertex
//    centroid on the plane  counts as on the side of the other end
//    several fans           If triangles are connected only through a vertex after the split, every fan gets its own
//                           vertex, also at far ends of cut edges, even held ones. The duplicate of a held vertex must
//                           also be held (`parents` tells).
//    masses, bending        rebuilt by the caller from the new triangles: a third of each rest triangle, a bend
//                           constraint per remaining interior edge
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

struct VertexTear {
  int vertex;      ///< the vertex that was split
  int duplicate;   ///< index of the new vertex, appended
  int edge_other;  ///< other end of the overstretched edge
};

/// Current triangles and the origin of every vertex.
class TearableCloth {
 public:
  /// Throws InputError if a corner is not a vertex.
  TearableCloth(const Triangles& triangles, Eigen::Index vertex_count);

  const Triangles& triangles() const { return triangles_; }
  int vertex_count() const { return int(stars_.size()); }
  const std::vector<int>& parents() const { return parents_; }  ///< one per vertex: its vertex in the initial mesh
  /// One per vertex: the vertex it was split from (a lower index); itself in the initial mesh.
  const std::vector<int>& sources() const { return sources_; }
  /// Triangles around a vertex, ascending.
  std::span<const int> star(int vertex) const { return stars_[std::size_t(vertex)]; }
  /// Edges that the last tear() could not split: at both ends all triangles lie on one side, or the end is held.
  std::span<const std::array<int, 2>> refused() const { return refused_; }

  /// Splits one end of each edge (in the given order, longest first) by the plane through the end perpendicular to the
  /// edge: triangles with centroid on the far side get the duplicate. Vertices left with several fans are split into
  /// one vertex per fan. If an end has all triangles on one side, the other end is tried, then the edge is refused.
  /// Ends in `held` are not split. Edges already opened by earlier ones are skipped. `positions` (m): one row per
  /// vertex before the call.
  std::vector<VertexTear> tear(const std::vector<std::array<int, 2>>& edges, const Points& positions,
                               const std::vector<bool>& held);

 private:
  bool are_neighbours(int a, int b) const;
  bool is_boundary(int vertex) const;
  std::vector<std::vector<int>> fans(int vertex, const std::vector<int>& triangles) const;
  bool split(int vertex, int other, const Points& positions, std::vector<VertexTear>& tears);
  void give_duplicate(int vertex, int other, const std::vector<int>& triangles, std::vector<VertexTear>& tears);

  Triangles triangles_;
  std::vector<int> parents_, sources_;
  std::vector<std::vector<int>> stars_;
  std::vector<std::array<int, 2>> refused_;
};

}  // namespace deformbench::pbd
