// SPDX-License-Identifier: BSD-3-Clause
// Trilinear hexahedra, stored as groups of six tetrahedra around a diagonal (BlockSplit::KuhnSix), so that scenes,
// surfaces, probes and methods for tetrahedra work on the same nodes; methods with hexahedra recover the groups.
#pragma once

#include "methods/model/tet_mesh.hpp"

namespace deformbench::model {

/// Corners of each element: bit k of a corner's number is its coordinate along axis k of the unit cube.
using Hexahedra = Eigen::Matrix<int, Eigen::Dynamic, 8, Eigen::RowMajor>;

/// ∂N_a/∂ξ_k at ξ in the unit cube, [a][k].
Eigen::Matrix<double, 8, 3> trilinear_gradients(const Vector3& xi);
/// Point q (0 … 7) of the 2×2×2 Gauss rule on the unit cube; all weights are 1/8.
Vector3 gauss_point(int q);

/// The hexahedra formed by consecutive groups of six tetrahedra, whose vertices must be ordered as by make_block:
/// start of the diagonal first, then a corner adjacent to it. InputError naming the first group that is not such a
/// hexahedron, or whose det J is zero or changes sign among the Gauss points.
Hexahedra hexahedra(const TetMesh& mesh);

}  // namespace deformbench::model
