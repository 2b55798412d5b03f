// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedral meshes from closed surfaces by regular cells ([MT03], used by [MG04] §7): cells
// of a lattice are kept where they touch the surface or lie inside, so the mesh contains the surface completely.
// The boundary is a staircase; nothing is moved towards the surface.
#pragma once

#include <string>
#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

enum class CellLattice {
  Cubes,        ///< cubes of alternating parity, five tetrahedra each: the original; coarse staircase
  BodyCentred,  ///< tetrahedra of a body-centred lattice kept one by one: fits closer, better shaped
};
/// "cubes" | "body_centred"; InputError names these otherwise.
CellLattice cell_lattice_from_name(const std::string& name);

struct LatticeMesh {
  model::TetMesh mesh;                ///< positive elements; vertices and elements in lattice order, x slowest
  double cell_size = 0.0;             ///< edge of the cubes (m)
  Vector3 anchor = Vector3::Zero();   ///< where in its cell the centre of the surface's bounding box lies, in [0, 1)³
  int added_tetrahedra = 0;           ///< neither touching nor inside: kept to make the boundary manifold
  int pinches = 0;                    ///< boundary edges and vertices that still are not manifold
  int parts = 1;                      ///< parts that are connected through faces
  std::vector<std::string> warnings;  ///< vertices of the surface that were split; what remains of pinches and parts
};

/// Cells of edge `cell_size` (m). Where the kept cells touch in an edge or vertex only, cells are added until the
/// boundary is manifold. Throws InputError when the surface is open, not manifold or inside out (naming the edge), or
/// when the size is not positive or gives more than 2²⁶ cells in the bounding box.
LatticeMesh tetrahedralize(const model::TriangleMesh& surface, double cell_size,
                           CellLattice lattice = CellLattice::Cubes, const Vector3& anchor = Vector3::Zero());

/// The same with cell size and anchor searched so that the mesh has `target` tetrahedra within `tolerance` (relative).
/// Among those the handles of the surface are kept first (cells that bridge two legs are avoided), then the count is
/// matched, then the smallest cells are taken; a perfect match ends the search. Deterministic. Throws InputError,
/// naming the nearest count found, when none is within the tolerance.
LatticeMesh tetrahedralize_to_count(const model::TriangleMesh& surface, int target,
                                    CellLattice lattice = CellLattice::Cubes, double tolerance = 0.05);

}  // namespace deformbench::surface
