// SPDX-License-Identifier: BSD-3-Clause
// Signed distance to a triangle surface by a tree of boxes: the judge's own, so that thousands of vertices against
// thousands of triangles cost milliseconds. Internal to the probes.
#pragma once

#include <array>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::harness {

/// The point of the triangle (a, b, c) that is nearest to `point`, as barycentric weights; a weight of 0 says that it lies
/// on an edge or at a corner.
Vector3 nearest_weights(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& point);

class MeshDistance {
 public:
  explicit MeshDistance(model::TriangleMesh mesh);

  /// Metres, negative behind the surface: by the angle-weighted normal at the nearest point (Bærentzen and Aanæs 2005), exact
  /// for closed surfaces. A point that is nearest to the rim of an open surface is beside it, not behind it. Points outside
  /// of the box of a closed surface get +∞ at once.
  double at(const Vector3& point) const;
  bool is_closed() const { return is_closed_; }

 private:
  struct Node {
    Vector3 low, high;
    int first, count;      ///< triangles of a leaf: `count` in order_ from `first`
    int right;             ///< second child; the first one follows the node
  };
  struct Nearest {
    double squared;
    int triangle = -1;
    Vector3 weights;
  };
  int build(int first, int count);
  void search(int node, const Vector3& point, Nearest& best) const;

  model::TriangleMesh mesh_;
  bool is_closed_ = true;
  std::vector<int> order_;
  std::vector<Node> nodes_;
  Points vertex_normals_;                             ///< angle weighted, any length
  std::vector<std::array<Vector3, 3>> edge_normals_;  ///< of each triangle's edges 01, 12, 20; zero on the rim
  std::vector<bool> is_rim_vertex_;
};

}  // namespace deformbench::harness
