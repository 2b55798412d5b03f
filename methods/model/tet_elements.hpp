// SPDX-License-Identifier: BSD-3-Clause
// The tetrahedra of a scene as linear elements: what a method of its own usually begins with.
#pragma once

#include <array>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench {

struct TetElement {
  std::array<int, 4> vertices;
  Eigen::Matrix<double, 3, 4> gradients;  ///< column a: ∇N_a in the rest shape, 1/m
  double volume;                          ///< at rest, m³
  double lambda, mu;                      ///< Lamé constants, Pa

  /// F = Σ x_a ⊗ ∇N_a at `positions` (n×3, m).
  Matrix3 deformation_gradient(const Points& positions) const {
    Matrix3 f = Matrix3::Zero();
    for (int a = 0; a < 4; ++a) f += positions.row(vertices[std::size_t(a)]).transpose() * gradients.col(a).transpose();
    return f;
  }
};

/// In the order of the mesh.
std::vector<TetElement> tet_elements(const Scene& scene);

}  // namespace deformbench
