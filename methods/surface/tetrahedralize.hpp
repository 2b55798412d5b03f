// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedral meshes from closed surfaces by regular cells ([MT03], used by [MG04] §7): lattice cells that touch the
// surface or lie inside are kept, so the mesh contains the surface. Its boundary is a staircase; no vertex is moved
// towards the surface.
#pragma once

#include <string>
#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

enum class CellLattice {
  Cubes,        ///< cubes of alternating parity, five tetrahedra each: as in the paper; coarse staircase
  BodyCentred,  ///< single tetrahedra of a body-centred lattice: closer fit, better shapes
};
/// "cubes" | "body_centred"; InputError otherwise.
CellLattice cell_lattice_from_name(const std::string& name);

struct LatticeMesh {
  model::TetMesh mesh;                ///< positive elements; vertices and elements in lattice order, x slowest
  double cell_size = 0.0;             ///< edge of the cubes (m)
  Vector3 anchor = Vector3::Zero();   ///< position of the surface's bounding-box centre within its cell, in [0, 1)³
  int added_tetrahedra = 0;           ///< neither touching nor inside: added to make the boundary manifold
  int pinches = 0;                    ///< remaining non-manifold boundary edges and vertices
  int parts = 1;                      ///< face-connected components
  std::vector<std::string> warnings;  ///< split surface vertices; remaining pinches and parts
};

/// Cells of edge `cell_size` (m). If kept cells touch only in an edge or vertex, cells are added until the boundary is
/// manifold. Throws InputError if the surface is open, non-manifold or inside out (naming the edge), or if the size is
/// not positive or gives more than 2²⁶ cells in the bounding box.
LatticeMesh tetrahedralize(const model::TriangleMesh& surface, double cell_size,
                           CellLattice lattice = CellLattice::Cubes, const Vector3& anchor = Vector3::Zero());

/// As above, with cell size and anchor searched so that the mesh has `target` tetrahedra within relative `tolerance`.
/// Priorities: the surface's number of handles (no cells that bridge two legs), then the count, then small cells; a
/// perfect match ends the search. Deterministic. Throws InputError with the nearest count found if none is within the
/// tolerance.
LatticeMesh tetrahedralize_to_count(const model::TriangleMesh& surface, int target,
                                    CellLattice lattice = CellLattice::Cubes, double tolerance = 0.05);

}  // namespace deformbench::surface
