// SPDX-License-Identifier: BSD-3-Clause
// Where a surface lies in a tetrahedral mesh, decided exactly: the element of every vertex, or a refusal.
#pragma once

#include <string>
#include <vector>

#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/cutting/perturbed_points.hpp"
#include "methods/surface/cutting/tet_adjacency.hpp"

namespace deformbench::surface {

/// For each vertex of the mesh a direction that leads outwards through all boundary faces at it (largest coordinate 1);
/// zero inside, and the best there is where none does.
Points outward_directions(const model::TetMesh& mesh, const TetAdjacency& tets);

/// The element that contains each vertex of `surface`. InputError, beginning with `name`, for one that sticks out:
/// which (index as in `source_vertices`), where, by how much.
std::vector<int> containing_elements(const model::TetMesh& mesh, const TetAdjacency& tets,
                                     const PerturbedPoints& points, const model::TriangleMesh& surface,
                                     const std::vector<int>& source_vertices, const std::string& name);

}  // namespace deformbench::surface
