// SPDX-License-Identifier: BSD-3-Clause
// Surface embedded in a tetrahedral mesh, [MG04] §5.1: every surface vertex is linked by barycentric coordinates to the
// containing or else closest tetrahedron. Positions are interpolated; normals are rotated by R_e as printed, or mapped
// by F⁻ᵀ, which is exact (erratum B-IVM-10).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/linked_points.hpp"

namespace deformbench::surface {

class Embedding {
 public:
  /// Links the vertices of `surface` to `tets` at rest; outside vertices are extrapolated from the closest tetrahedron.
  /// Ties: lowest element index. Throws InputError for elements without volume.
  Embedding(const model::TetMesh& tets, const model::TriangleMesh& surface);

  Eigen::Index vertex_count() const { return rest_normals_.rows(); }
  const std::vector<int>& elements() const { return elements_; }  ///< linked element, one per surface vertex
  const BarycentricCoordinates& barycentric() const { return barycentric_; }  ///< negative entries outside
  const Points& rest_normals() const { return rest_normals_; }                ///< n×3, unit
  /// Distance (m) of each surface vertex from the mesh; 0 inside.
  const std::vector<double>& outside_distances() const { return outside_; }

  /// Positions interpolated from the mesh's vertex positions `x` (m).
  void interpolate(const Eigen::Ref<const Points>& x, Points& positions) const;
  /// Normals R_e n as printed in [MG04] §5.1; `rotations` holds one rotation per element. Exact for rotations only.
  void normals_by_rotation(std::span<const Matrix3> rotations, Points& normals) const;
  /// Normals F⁻ᵀ n / |F⁻ᵀ n|, exact for affine maps; computed by cof F = det F · F⁻ᵀ, which also gives the mapped
  /// surface's normal in inverted elements; zero in elements collapsed to a line.
  void normals_by_inverse_transpose(const Eigen::Ref<const Points>& x, Points& normals) const;
  /// Positions and F⁻ᵀ normals in one pass.
  void update(const Eigen::Ref<const Points>& x, Points& positions, Points& normals) const;
  /// Positions and R_e normals in one pass.
  void update(const Eigen::Ref<const Points>& x, std::span<const Matrix3> rotations, Points& positions,
              Points& normals) const;

 private:
  void check_size(const Eigen::Ref<const Points>& x) const;

  Eigen::Index tet_vertex_count_ = 0;
  Tetrahedra tetrahedra_;
  std::vector<int> elements_;
  BarycentricCoordinates barycentric_;
  Points rest_normals_;
  std::vector<double> outside_;
  LinkedPoints points_;
};

}  // namespace deformbench::surface
