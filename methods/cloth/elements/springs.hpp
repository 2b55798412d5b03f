// SPDX-License-Identifier: BSD-3-Clause
// Springs along the edges of a mesh and springs listed in the scene.
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
  bool is_broken = false;

  double energy(const Corners<2>& x) const;                       ///< J
  CornerVector<2> force(const Corners<2>& x) const;               ///< N; zero at zero length
  SquaredConstraint<1, 2> constraint(const Corners<2>& x) const;  ///< slope 0 at zero length
  /// ∂²W/∂x² (N/m). If `semidefinite`, the transverse term of compressed springs is omitted (no negative eigenvalue).
  CornerMatrix<2> stiffness_matrix(const Corners<2>& x, bool semidefinite) const;
};

/// The scene's cloth edges with `edge_stiffness` (N/m; omitted if 0), followed by its distance constraints with
/// stiffness 1/compliance.
std::vector<Spring> springs_of(const Scene& scene, double edge_stiffness);

}  // namespace deformbench::cloth
