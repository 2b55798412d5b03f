// SPDX-License-Identifier: BSD-3-Clause
// Exact location of a surface in a tetrahedral mesh: the element of every vertex, or a refusal.
#pragma once

#include <string>
#include <vector>

#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/cutting/perturbed_points.hpp"
#include "methods/surface/cutting/tet_adjacency.hpp"

namespace deformbench::surface {

/// Per mesh vertex, a direction outwards through all its boundary faces, or the best compromise (largest
/// coordinate 1); zero for interior vertices.
Points outward_directions(const model::TetMesh& mesh, const TetAdjacency& tets);

/// Element containing each vertex of `surface`. InputError, beginning with `name`, for a vertex outside the mesh: index
/// (in `source_vertices`), position, distance.
std::vector<int> containing_elements(const model::TetMesh& mesh, const TetAdjacency& tets,
                                     const PerturbedPoints& points, const model::TriangleMesh& surface,
                                     const std::vector<int>& source_vertices, const std::string& name);

}  // namespace deformbench::surface
