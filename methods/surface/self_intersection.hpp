// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

/// Pairs of triangles that intersect outside common vertices and edges (at most `limit`, ascending). Contact and
/// neighbours folded onto each other count. Candidates by a spatial hash.
std::vector<std::array<int, 2>> self_intersections(const model::TriangleMesh& mesh, std::size_t limit = 100);

/// Whether two triangles of `mesh` intersect outside common vertices and edges.
bool triangles_intersect(const model::TriangleMesh& mesh, Eigen::Index first, Eigen::Index second);

}  // namespace deformbench::surface
