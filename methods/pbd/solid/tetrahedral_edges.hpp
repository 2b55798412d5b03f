// SPDX-License-Identifier: BSD-3-Clause
// Constraints of a tetrahedral mesh without a material: a distance along every edge, a volume of every tetrahedron.
// [MHHR07] §3.3, [MMC16]
#pragma once

#include <vector>

#include "methods/model/position_constraint.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// One per edge of the mesh, in the order of those of a cloth: by (b − a, a) with a < b.
std::vector<StretchConstraint> edge_distances(const model::TetMesh& mesh);
/// One per tetrahedron, as listed: C = V − V0 (m³) with the signed volume, so that an inverted one is turned back.
std::vector<model::PositionConstraint> tetrahedron_volumes(const model::TetMesh& mesh, double stiffness,
                                                           double compliance);
/// Triangles that join what a tetrahedron joins, two of each.
Triangles joining_triangles(const Tetrahedra& tetrahedra);

}  // namespace deformbench::pbd
