// SPDX-License-Identifier: BSD-3-Clause
// The tetrahedra of a scene as linear elements: the usual start of a new method.
#pragma once

#include <array>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench {

struct TetElement {
  std::array<int, 4> vertices;
  /// Column a: ∇N_a in the rest shape, 1/m. Not aligned by Eigen: alignment depends on the instruction set, and a
  /// plug-in may be compiled for a different one.
  Eigen::Matrix<double, 3, 4, Eigen::DontAlign> gradients;
  double volume;      ///< at rest, m³
  double lambda, mu;  ///< Lamé constants, Pa

  /// F = Σ x_a ⊗ ∇N_a at `positions` (n×3, m).
  Matrix3 deformation_gradient(const Points& positions) const {
    Matrix3 f = Matrix3::Zero();
    for (int a = 0; a < 4; ++a) f += positions.row(vertices[std::size_t(a)]).transpose() * gradients.col(a).transpose();
    return f;
  }
};

static_assert(alignof(TetElement) == alignof(double));

/// In mesh order.
std::vector<TetElement> tet_elements(const Scene& scene);

}  // namespace deformbench
