// SPDX-License-Identifier: BSD-3-Clause
// Straight-sided 10-node tetrahedra as groups of eight ordinary ones, so that every mesh file, surface, probe and
// method that knows tetrahedra knows their nodes, too: a method with quadratic elements finds the groups again.
#pragma once

#include <array>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::model {

/// Corners 0…3 of each element, then the middles of its edges 01 02 03 12 13 23.
using QuadraticTetrahedra = Eigen::Matrix<int, Eigen::Dynamic, 10, Eigen::RowMajor>;
inline constexpr std::array<std::array<int, 2>, 6> kEdgesOfTetrahedron{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// The eight tetrahedra of ten nodes at places `x`: at the corners, then those of the octahedron between the middles,
/// which is cut along its shortest diagonal. They are oriented as the corners are.
std::array<std::array<int, 4>, 8> parts_of(const std::array<int, 10>& nodes, const std::array<Vector3, 10>& x);

/// Each tetrahedron becomes its eight parts. Old vertices come first and stay as they are; the middles follow in the
/// order in which elements meet them. InputError if the mesh would exceed 2³¹ indices.
TetMesh subdivide(const TetMesh& mesh);

/// The nodes of the elements that `subdivide` cut, element after element; InputError, with the first group that is
/// none, for every other mesh. A middle may be off by 1e-9 of its edge.
QuadraticTetrahedra quadratic_tetrahedra(const TetMesh& mesh);

}  // namespace deformbench::model
