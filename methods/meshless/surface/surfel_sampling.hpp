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
  double crease_angle = 0.6981317;  ///< rad, 40°: triangles that meet at more belong to different sheets
};

/// The sheet of every triangle: 0, 1, … in the order of their first triangles. Triangles are of one sheet where they
/// share an edge at which their normals differ by at most `crease_angle`.
std::vector<int> sheets_of_triangles(const model::TriangleMesh& mesh, double crease_angle);

/// The surfels of every sheet. Surfels of a sheet are at least 0.8 radii apart, and every point of its triangles is
/// within 0.91 radii of one: splats leave no hole, and overlap the next sheet at a crease, where the renderer clips
/// them. Normals are interpolated between vertices, where they are weighted by the angles of the sheet's own triangles.
/// The same mesh gives the same surfels. Throws InputError where the radius is not positive, or so small that there
/// would be more than twenty million places to choose from. Only places within `region` (m), where one is given: of a
/// surface that reaches far beyond.
std::vector<std::vector<Surfel>> sample_surface(const model::TriangleMesh& mesh, const SurfelSampling& sampling,
                                                const std::optional<numerics::Box>& region = {});

}  // namespace deformbench::meshless
