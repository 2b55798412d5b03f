// SPDX-License-Identifier: BSD-3-Clause
// Tearing of a cloth: an overstretched edge splits one of its vertices. [MHHR07] §5.4
#pragma once

#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

struct VertexTear {
  int vertex;       ///< that was split
  int duplicate;    ///< index of the new vertex, appended
  int edge_other;   ///< other end of the edge that was stretched too far
};

/// The current triangles, and where every vertex comes from.
class TearableCloth {
 public:
  TearableCloth(const Triangles& triangles, Eigen::Index vertex_count);

  const Triangles& triangles() const { return triangles_; }
  const std::vector<int>& parents() const { return parents_; }   ///< one a vertex: the vertex of the first mesh

  /// Splits one end of each edge of the list (longest first as given) by the plane through the end perpendicular to the
  /// edge: triangles whose centroid is on the far side get the duplicate. What would leave the mesh non-manifold
  /// (several fans at a vertex) is split into one vertex a fan. An end whose triangles all lie on one side is tried at the
  /// other end; else nothing happens. Vertices in `held` are not chosen.
  std::vector<VertexTear> tear(const std::vector<std::array<int, 2>>& edges, const Points& positions,
                               const std::vector<bool>& held);

 private:
  Triangles triangles_;
  std::vector<int> parents_;
};

}  // namespace deformbench::pbd
