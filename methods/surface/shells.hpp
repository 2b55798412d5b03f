// SPDX-License-Identifier: BSD-3-Clause
// Shells of a closed surface (connected components) and their required orientation. Internal to methods/surface.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

struct Shells {
  std::vector<int> of_triangle;     ///< shell index per triangle
  std::vector<int> first_triangle;  ///< of every shell
  std::vector<int> triangle_count;  ///< of every shell
  int count() const { return int(first_triangle.size()); }
};

/// A shell: triangles connected by common vertices. Numbered by their first triangle.
Shells shells_of(const model::TriangleMesh& mesh);

/// The number of other shells around a shell decides its orientation: at depth 0, 2, … it bounds a body and faces
/// outwards, at depth 1, 3, … it bounds a cavity and faces inwards. Intersecting shells (`contacts`, pairs of
/// triangles) do not contain each other. Flips wrongly oriented shells and returns a warning that names them, or "".
/// Throws InputError, beginning with `place`, if all are wrong ("inside out") or a shell encloses no volume.
std::string orient_by_depth(model::TriangleMesh& mesh, const std::vector<std::array<int, 2>>& contacts,
                            const std::string& place);

}  // namespace deformbench::surface
