// SPDX-License-Identifier: BSD-3-Clause
// Tearing of a cloth: an overstretched edge splits one of its vertices. [MHHR07] §5.4
//
// Where the paper says nothing (B-PBD-11):
//   which end              the one on the boundary, where a tear would run on; else the first one of the edge
//   which side keeps       the one towards the other end of the edge, and on it the fan with the lowest triangle
//   centroid on the plane  counts as towards the other end
//   several fans           triangles that after the split hang together in a vertex alone: every fan gets a vertex of
//   its own,
//                          also at the far ends of the edges that were cut, even where such an end is held. A duplicate
//                          of a held vertex is to be held, too (`parents` tells).
//   masses, bending        are made from the new triangles by the caller: a third of each triangle at rest, a
//   bending
//                          constraint at every interior edge that is left
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

struct VertexTear {
  int vertex;      ///< that was split
  int duplicate;   ///< index of the new vertex, appended
  int edge_other;  ///< other end of the edge that was stretched too far
};

/// The current triangles, and where every vertex comes from.
class TearableCloth {
 public:
  /// Throws InputError for a corner that is no vertex.
  TearableCloth(const Triangles& triangles, Eigen::Index vertex_count);

  const Triangles& triangles() const { return triangles_; }
  int vertex_count() const { return int(stars_.size()); }
  const std::vector<int>& parents() const { return parents_; }  ///< one per vertex: the vertex of the first mesh
  /// One a vertex: the vertex that it was split from, lower than itself; itself for a vertex of the first mesh.
  const std::vector<int>& sources() const { return sources_; }
  /// Triangles round a vertex, ascending.
  std::span<const int> star(int vertex) const { return stars_[std::size_t(vertex)]; }
  /// Edges of the last tear() that were to tear and could not: all triangles on one side at both ends, or these held.
  std::span<const std::array<int, 2>> refused() const { return refused_; }

  /// Splits one end of each edge of the list (longest first as given) by the plane through the end perpendicular to the
  /// edge: triangles whose centroid is on the far side get the duplicate. What would leave the mesh non-manifold
  /// (several fans at a vertex) is split into one vertex a fan. An end whose triangles all lie on one side is tried at
  /// the other end; else nothing happens. Vertices in `held` are not chosen. Edges that an earlier one of the list has
  /// torn open are passed over. `positions` (m): a row for every vertex before the call.
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
