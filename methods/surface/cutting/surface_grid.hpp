// SPDX-License-Identifier: BSD-3-Clause
// Uniform grid over the triangles of a surface in its rest state ([MG04] §5.2): built once, valid for every
// deformation.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/model/triangle_mesh.hpp"
#include "methods/numerics/uniform_grid.hpp"

namespace deformbench::surface {

class SurfaceGrid {
 public:
  explicit SurfaceGrid(const model::TriangleMesh& surface);

  /// Triangles near the triangle (segment if b = c) a, b, c (m), including all that intersect it; unique, ascending.
  const std::vector<int>& near(const Vector3& a, const Vector3& b, const Vector3& c);
  int builds() const { return builds_; }  ///< how often the grid was built

 private:
  void build(const model::TriangleMesh& surface);

  int builds_ = 0;
  numerics::UniformGrid grid_;
  double slack_ = 0.0;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<int> found_;
};

}  // namespace deformbench::surface
