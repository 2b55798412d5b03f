// SPDX-License-Identifier: BSD-3-Clause
// Surfels on a triangle mesh. [PKAGDG05] §3.1
#pragma once

#include <optional>
#include <vector>

#include "methods/meshless/surface/surfel.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/numerics/box.hpp"

namespace deformbench::meshless {

struct SurfelSampling {
  double radius = 0.05;             ///< m, of every splat
  double crease_angle = 0.6981317;  ///< rad, 40°: larger angles of normals separate sheets
};

/// Sheet of every triangle: 0, 1, … in the order of first triangles. Triangles that share an edge are of one sheet if
/// their normals differ by at most `crease_angle`.
std::vector<int> sheets_of_triangles(const model::TriangleMesh& mesh, double crease_angle);

/// Surfels of every sheet, at least 0.8 radii apart, with every point of its triangles within 0.91 radii of one: splats
/// leave no hole, and overlap the next sheet at creases, where the renderer clips them. Normals are interpolated from
/// the sheet's angle-weighted vertex normals. Deterministic. Throws InputError if the radius is not positive or gives
/// more than twenty million candidates. `region` (m, optional) restricts the sampling of large surfaces.
std::vector<std::vector<Surfel>> sample_surface(const model::TriangleMesh& mesh, const SurfelSampling& sampling,
                                                const std::optional<numerics::Box>& region = {});

}  // namespace deformbench::meshless
