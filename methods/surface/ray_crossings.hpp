// SPDX-License-Identifier: BSD-3-Clause
// Inside or outside of a closed surface by counting where a ray passes through it. Internal to methods/surface.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

/// Triangles sorted into the columns of a grid over y and z, once for any number of rays along +x.
class RayCrossings {
 public:
  explicit RayCrossings(const model::TriangleMesh& mesh);

  struct Crossing {
    int triangle;
    int side;  ///< +1 where the ray leaves the solid that the triangle bounds, −1 where it enters
  };
  /// The triangles that the ray from `point` along +x passes through. A ray through an edge or a vertex counts as one
  /// that passes it at a little larger y and a still less larger z, so that a closed surface is never miscounted. Exact
  /// for a point that lies farther than rounding from the surface.
  void find(const Vector3& point, std::vector<Crossing>& crossings) const;

  /// How often the surface winds round `point`: 1 inside, 0 outside.
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
