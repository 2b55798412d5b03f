// SPDX-License-Identifier: BSD-3-Clause
// A tetrahedral mesh in its rest configuration. Plain data; generators and files are elsewhere.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::model {

struct TetMesh {
  Points rest_positions;  ///< n×3, m
  Tetrahedra tetrahedra;  ///< m×4; det[x1−x0, x2−x0, x3−x0] > 0 for a well-formed element

  Eigen::Index vertex_count() const { return rest_positions.rows(); }
  Eigen::Index element_count() const { return tetrahedra.rows(); }
};

/// Signed volume (m³) of tetrahedron `element` of `mesh` at the vertex positions `positions` (n×3).
double tetrahedron_volume(const TetMesh& mesh, const Eigen::Ref<const Points>& positions, Eigen::Index element);
/// Sum of the signed volumes (m³).
double total_volume(const TetMesh& mesh, const Eigen::Ref<const Points>& positions);
/// Per-element deformation gradient F = D_s D_m⁻¹ (3×3, dimensionless) at `positions`.
Matrix3 deformation_gradient(const TetMesh& mesh, const Eigen::Ref<const Points>& positions, Eigen::Index element);

}  // namespace deformbench::model
