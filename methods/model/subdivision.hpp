// SPDX-License-Identifier: BSD-3-Clause
// Straight-sided 10-node tetrahedra, stored as groups of eight linear ones, so that mesh files, surfaces, probes and
// methods for tetrahedra work on the same nodes; methods with quadratic elements recover the groups.
#pragma once

#include <array>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::model {

/// Corners 0…3 of each element, then the midpoints of edges 01 02 03 12 13 23.
using QuadraticTetrahedra = Eigen::Matrix<int, Eigen::Dynamic, 10, Eigen::RowMajor>;
inline constexpr std::array<std::array<int, 2>, 6> kEdgesOfTetrahedron{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Splits ten nodes at positions `x` (m) into eight tetrahedra: four at the corners, then four of the octahedron
/// between the midpoints, cut along its shortest diagonal. Orientation is kept.
std::array<std::array<int, 4>, 8> parts_of(const std::array<int, 10>& nodes, const std::array<Vector3, 10>& x);

/// Each tetrahedron becomes its eight parts. Old vertices come first, unchanged; the midpoints follow in the order of
/// first use by an element. InputError if the mesh would exceed 2³¹ indices.
TetMesh subdivide(const TetMesh& mesh);

/// The nodes of the elements that `subdivide` split, in order. InputError naming the first group of eight that is not
/// such an element. A midpoint may be off by 1e-9 of its edge.
QuadraticTetrahedra quadratic_tetrahedra(const TetMesh& mesh);

}  // namespace deformbench::model
