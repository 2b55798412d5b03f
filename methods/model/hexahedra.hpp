// SPDX-License-Identifier: BSD-3-Clause
// Trilinear hexahedra as groups of six tetrahedra round a diagonal, as BlockSplit::KuhnSix cuts a cell, so that every
// scene, surface, probe and method that knows tetrahedra knows their nodes, too: a method with hexahedra finds the
// groups again.
#pragma once

#include "methods/model/tet_mesh.hpp"

namespace deformbench::model {

/// Corners of each element: bit k of a corner's number is its coordinate along axis k of the unit cube.
using Hexahedra = Eigen::Matrix<int, Eigen::Dynamic, 8, Eigen::RowMajor>;

/// ∂N_a/∂ξ_k at ξ in the unit cube, [a][k].
Eigen::Matrix<double, 8, 3> trilinear_gradients(const Vector3& xi);
/// Point q of the eight of Gauss' rule of two points along each axis; their weights are equal.
Vector3 gauss_point(int q);

/// The hexahedra of which each six tetrahedra in turn are the parts. Their vertices must be ordered as make_block
/// orders them: the diagonal's start first, then the corner next to it. InputError, with the first group that is none,
/// for every other mesh, and for a hexahedron that is folded at one of its Gauss points.
Hexahedra hexahedra(const TetMesh& mesh);

}  // namespace deformbench::model
