// SPDX-License-Identifier: BSD-3-Clause
// Inside–outside test for a closed surface by ray crossings. Internal to methods/surface.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

/// Triangles sorted into grid columns over y and z, built once for any number of rays along +x.
class RayCrossings {
 public:
  explicit RayCrossings(const model::TriangleMesh& mesh);

  struct Crossing {
    int triangle;
    int side;  ///< +1 if the ray leaves the enclosed solid, −1 if it enters
  };
  /// Triangles crossed by the ray from `point` along +x. A ray through an edge or vertex is shifted infinitesimally in
  /// y and, less, in z, so that counts are consistent for closed surfaces. Exact if the point is farther than rounding
  /// from the surface.
  void find(const Vector3& point, std::vector<Crossing>& crossings) const;

  /// Winding number at `point`: 1 inside, 0 outside.
  int winding(const Vector3& point) const;

 private:
  int column(double value, int axis) const;
  int edge_side(int a, int b, const Vector3& point) const;

  Points positions_;
  Triangles triangles_;
  Vector3 low_ = Vector3::Zero(), high_ = Vector3::Zero();
  int count_ = 1;  ///< columns along y, and along z
  std::vector<int> offsets_, members_;
};

}  // namespace deformbench::surface
