// SPDX-License-Identifier: BSD-3-Clause
// Triangles and tetrahedra of St. Venant–Kirchhoff material, as C·C/2: C holds the components of Green's strain times
// a root of the elastic matrix and of the rest volume. [B05] §5
#pragma once

#include <vector>

#include "methods/cloth/elements/squared_constraint.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// A simplex of `Dimension` rest dimensions in space: 2 a triangle, 3 a tetrahedron.
template <int Dimension>
struct StrainElement {
  static constexpr int kVertices = Dimension + 1, kSize = Dimension * (Dimension + 1) / 2;
  std::array<int, kVertices> vertices;
  Eigen::Matrix<double, Dimension, kVertices> slopes;  ///< of the linear functions at the corners in rest space, 1/m
  Eigen::Matrix<double, kSize, kSize> root;  ///< upper triangular; rootᵀ·root = rest volume × elastic matrix

  double energy(const Corners<kVertices>& x) const;                  ///< J
  CornerVector<kVertices> force(const Corners<kVertices>& x) const;  ///< −(∂C/∂x)ᵀ C (N)
  SquaredConstraint<kSize, kVertices> constraint(const Corners<kVertices>& x) const;
  /// ∂²W/∂x² (N/m); without the stress's own part where `semidefinite`, and then of no negative eigenvalue.
  CornerMatrix<kVertices> stiffness_matrix(const Corners<kVertices>& x, bool semidefinite) const;
};

using MembraneTriangle = StrainElement<2>;
using SolidTetrahedron = StrainElement<3>;

/// Plane stress: `stiffness` is Young's modulus times thickness (N/m).
std::vector<MembraneTriangle> membrane_of(const Points& rest, const Triangles& triangles, double stiffness,
                                          double poisson_ratio);
/// With the materials of the scene.
std::vector<SolidTetrahedron> solid_of(const Scene& scene);

}  // namespace deformbench::cloth
