// SPDX-License-Identifier: BSD-3-Clause
// Material-free constraints of a tetrahedral mesh: a distance per edge, a volume per tetrahedron. [MHHR07] §3.3,
// [MMC16]
#pragma once

#include <vector>

#include "methods/model/position_constraint.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// One per mesh edge, ordered as for cloth: by (b − a, a) with a < b.
std::vector<StretchConstraint> edge_distances(const model::TetMesh& mesh);
/// One per tetrahedron, as listed: C = V − V0 (m³) with the signed volume, so that inverted tetrahedra are restored.
std::vector<model::PositionConstraint> tetrahedron_volumes(const model::TetMesh& mesh, double stiffness,
                                                           double compliance);
/// Triangles with the same connectivity as the tetrahedra, two per tetrahedron.
Triangles joining_triangles(const Tetrahedra& tetrahedra);

}  // namespace deformbench::pbd
