// SPDX-License-Identifier: BSD-3-Clause
// Signed distance to a triangle surface and the first entry of a segment, by a tree of bounding boxes.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "methods/model/triangle_distance.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::numerics {

class MeshDistance {
 public:
  /// Copies the mesh. Triangles without area are dropped. Throws InputError if none is left.
  explicit MeshDistance(const model::TriangleMesh& mesh);

  struct Nearest {
    double distance;    ///< m; negative behind the surface (inside a closed one)
    Vector3 closest;    ///< on the surface
    Vector3 normal;     ///< unit gradient of the distance; on the surface itself the angle-weighted pseudo-normal
    bool is_on_border;  ///< the closest point is on an open edge: the sign is unreliable
    int triangle;       ///< of this tree, a hint for the next search
  };
  /// The nearest point of the surface, if nearer than `reach` (m). `hint`, a triangle returned for a nearby point,
  /// speeds up the search and affects only ties.
  std::optional<Nearest> nearest(const Vector3& point, double reach = std::numeric_limits<double>::infinity(),
                                 int hint = -1) const;

  struct Entry {
    double time;     ///< 0 … 1 along the segment
    Vector3 point;   ///< on the surface
    Vector3 normal;  ///< unit, of the triangle
  };
  /// First crossing of the segment through the surface from front to back. A start less than `tolerance` (m) behind a
  /// triangle counts as on its front.
  std::optional<Entry> first_entry(const Vector3& start, const Vector3& end, double tolerance) const;

  bool is_closed() const { return is_closed_; }
  double diagonal() const { return (upper_ - lower_).norm(); }  ///< m, of the bounding box
  const Vector3& lower() const { return lower_; }               ///< bounding box, m
  const Vector3& upper() const { return upper_; }

 private:
  struct Node {
    Vector3 lower, upper;
    int first;  ///< first triangle, or left child; the right child follows it
    int count;  ///< triangles; 0: inner node
  };
  struct Triangle {
    Vector3 a, b, c, normal;
    int number;  ///< index in features_
  };
  struct Features {
    std::array<Vector3, 6> normals;  ///< pseudo-normals by TriangleFeature: edges AB, BC, CA, vertices A, B, C
    std::array<bool, 6> is_on_border{};
  };
  void build(int node, int begin, int end);

  std::vector<Node> nodes_;
  std::vector<Triangle> triangles_;  ///< in the order of the tree's leaves
  std::vector<Features> features_;
  bool is_closed_ = true;
  Vector3 lower_, upper_;
};

}  // namespace deformbench::numerics
