// SPDX-License-Identifier: BSD-3-Clause
// A surface that rides on a tetrahedral mesh, [MG04] §5.1: every surface vertex is linked to the tetrahedron that
// contains it, or else to the closest one, by barycentric coordinates. Positions are interpolated; normals are
// rotated by R_e as the paper prints it, or mapped by F⁻ᵀ, which is exact (erratum B-IVM-10).
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
  /// Links the vertices of `surface` to `tets` in the rest state; outside vertices are extrapolated from the closest
  /// tetrahedron. Among equals the lowest element index wins. Throws InputError on an element without volume.
  Embedding(const model::TetMesh& tets, const model::TriangleMesh& surface);

  Eigen::Index vertex_count() const { return rest_normals_.rows(); }
  const std::vector<int>& elements() const { return elements_; }  ///< linked element, one per surface vertex
  const BarycentricCoordinates& barycentric() const { return barycentric_; }  ///< negative entries outside
  const Points& rest_normals() const { return rest_normals_; }                ///< n×3, unit
  /// Distance (m) by which a surface vertex sticks out of the mesh; 0 inside. One a surface vertex.
  const std::vector<double>& outside_distances() const { return outside_; }

  /// Interpolated positions at the vertex positions `x` of the tetrahedral mesh (m).
  void interpolate(const Eigen::Ref<const Points>& x, Points& positions) const;
  /// Normals R_e n as printed in [MG04] §5.1; `rotations` holds one rotation per element. Exact for rotations only.
  void normals_by_rotation(std::span<const Matrix3> rotations, Points& normals) const;
  /// Normals F⁻ᵀ n / |F⁻ᵀ n|, exact for every affine map; computed with cof F = det F · F⁻ᵀ, which also is the normal
  /// of the mapped surface where an element is inverted; zero where it is collapsed to a line.
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
