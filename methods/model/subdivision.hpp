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

/// Each tetrahedron becomes eight: its corners, then the octahedron between the middles of its edges, cut along its
/// shortest diagonal. Old vertices come first and stay as they are. InputError if the mesh would exceed 2³¹ indices.
TetMesh subdivide(const TetMesh& mesh);

/// The nodes of the elements that `subdivide` cut, element after element; InputError, with the first group that is
/// none, for every other mesh. A middle may be off by 1e-9 of its edge.
QuadraticTetrahedra quadratic_tetrahedra(const TetMesh& mesh);

}  // namespace deformbench::model
