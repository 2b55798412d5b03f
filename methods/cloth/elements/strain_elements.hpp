// SPDX-License-Identifier: BSD-3-Clause
// Triangles and tetrahedra of St. Venant–Kirchhoff material as C·C/2: C = root × Green's strain, where rootᵀ·root is
// rest volume × elastic matrix. [B05] §5
#pragma once

#include <vector>

#include "methods/cloth/elements/squared_constraint.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// A simplex with `Dimension` rest dimensions in 3-D space: 2 for triangles, 3 for tetrahedra.
template <int Dimension>
struct StrainElement {
  static constexpr int kVertices = Dimension + 1, kSize = Dimension * (Dimension + 1) / 2;
  std::array<int, kVertices> vertices;
  Eigen::Matrix<double, Dimension, kVertices> slopes;  ///< gradients of the barycentric coordinates in rest space, 1/m
  Eigen::Matrix<double, kSize, kSize> root;  ///< upper triangular; rootᵀ·root = rest volume × elastic matrix

  double energy(const Corners<kVertices>& x) const;                  ///< J
  CornerVector<kVertices> force(const Corners<kVertices>& x) const;  ///< −(∂C/∂x)ᵀ C (N)
  SquaredConstraint<kSize, kVertices> constraint(const Corners<kVertices>& x) const;
  /// ∂²W/∂x² (N/m). If `semidefinite`, the geometric term is omitted and the matrix is positive semidefinite.
  CornerMatrix<kVertices> stiffness_matrix(const Corners<kVertices>& x, bool semidefinite) const;
};

using MembraneTriangle = StrainElement<2>;
using SolidTetrahedron = StrainElement<3>;

/// Plane stress: `stiffness` is Young's modulus times thickness (N/m).
std::vector<MembraneTriangle> membrane_of(const Points& rest, const Triangles& triangles, double stiffness,
                                          double poisson_ratio);
/// With the scene's materials.
std::vector<SolidTetrahedron> solid_of(const Scene& scene);

}  // namespace deformbench::cloth
