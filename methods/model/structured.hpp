// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedral meshes of axis-aligned blocks, and their random perturbation. Every split fills the block exactly and
// keeps its faces flat.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::model {

/// Split of a grid cell into tetrahedra.
enum class BlockSplit {
  /// Five per cell, mirrored from cell to cell: the central tetrahedron of cell (i,j,k) with i+j+k even has the
  /// corners (1,0,0), (0,1,0), (0,0,1), (1,1,1) of its cell, else the other four. Fewest elements.
  AlternatingFive,
  /// Six per cell around the diagonal from (0,0,0) to (1,1,1), all of equal volume; direction-dependent.
  KuhnSix,
  /// Body-centred cubic lattice: a vertex in every cell centre, four elements per inner face, each with both centres
  /// and an edge. Best shaped, nearly isotropic. Block faces cut elements in half and add a vertex in the centre of
  /// boundary faces. 12 elements per inner cell, up to 24 per cell.
  BodyCentred,
};

/// "alternating_five" | "kuhn_six" | "body_centred"; InputError for other names.
BlockSplit block_split_from_name(const std::string& name);
std::string name_of(BlockSplit split);

/// Block [origin, origin + size] (m) of cells[0] × cells[1] × cells[2] cells. Vertices are ordered
/// lexicographically by (x, y, z), z fastest: for a bar long in x the bandwidth of the vertex graph is about
/// one cross-section. Elements are ordered by cell in the same way, and all have positive volume. InputError
/// for a cell count < 1, a size ≤ 0, a non-finite size or origin, or more than 2³¹/96 cells.
TetMesh make_block(const std::array<int, 3>& cells, const Vector3& origin, const Vector3& size,
                   BlockSplit split = BlockSplit::AlternatingFive);

struct JitterOptions {
  double fraction = 0.2;      ///< largest displacement along each axis, relative to the shortest edge; [0, 1]
  std::uint64_t seed = 1;     ///< same seed, same bits on every platform
  bool keep_boundary = true;  ///< boundary vertices stay where they are, so the shape is unchanged
  /// Displacements of an element's vertices are halved until it keeps this fraction of its volume, so no element is
  /// ever inverted. In [0, 1).
  double smallest_volume_ratio = 0.1;
};

/// A copy whose vertices are displaced at random (uniform in a cube). InputError if an option is out of range or an
/// element of `mesh` has no positive volume.
TetMesh jitter(const TetMesh& mesh, const JitterOptions& options = {});

/// Vertices with |x[axis] − coordinate| ≤ tolerance (m), ascending: selects faces of a block.
std::vector<int> vertices_on_plane(const Points& positions, int axis, double coordinate, double tolerance);

/// Length (m) of the shortest edge of any element; InputError when there are no elements.
double shortest_edge(const TetMesh& mesh);

}  // namespace deformbench::model
