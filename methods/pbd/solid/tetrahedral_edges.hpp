// SPDX-License-Identifier: BSD-3-Clause
// Geometric constraints of a tetrahedral mesh: one distance per edge, one volume per tetrahedron. [MHHR07] §3.3,
// [MMC16]
#pragma once

#include <vector>

#include "methods/model/position_constraint.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// One per mesh edge a < b, sorted by (b − a, a) as for cloth.
std::vector<StretchConstraint> edge_distances(const model::TetMesh& mesh);
/// One per tetrahedron, in mesh order: C = V − V0 (m³), V signed, so that inverted tetrahedra are restored.
std::vector<model::PositionConstraint> tetrahedron_volumes(const model::TetMesh& mesh, double stiffness,
                                                           double compliance);
/// Two triangles per tetrahedron; connected components stay the same.
Triangles joining_triangles(const Tetrahedra& tetrahedra);

}  // namespace deformbench::pbd
