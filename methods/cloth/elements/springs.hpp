// SPDX-License-Identifier: BSD-3-Clause
// Springs along the edges of a mesh, and those that a scene lists.
#pragma once

#include <vector>

#include "methods/cloth/elements/squared_constraint.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// W = k/2 (|x1 − x0| − rest)²: of the form C·C/2 with C = √k (|x1 − x0| − rest). [B05] §5
struct Spring {
  static constexpr int kVertices = 2, kSize = 1;
  std::array<int, 2> vertices;
  double rest_length;  ///< m
  double stiffness;    ///< N/m

  double energy(const Corners<2>& x) const;                       ///< J
  CornerVector<2> force(const Corners<2>& x) const;               ///< N; none where the spring has no length
  SquaredConstraint<1, 2> constraint(const Corners<2>& x) const;  ///< slope 0 where the spring has no length
  /// ∂²W/∂x² (N/m); without the part across a pressed spring where `semidefinite`, and then of no negative eigenvalue.
  CornerMatrix<2> stiffness_matrix(const Corners<2>& x, bool semidefinite) const;
};

/// The edges of the scene's cloth, each with `edge_stiffness` (N/m; none where it is 0), then its distance constraints
/// with 1/compliance.
std::vector<Spring> springs_of(const Scene& scene, double edge_stiffness);

}  // namespace deformbench::cloth
