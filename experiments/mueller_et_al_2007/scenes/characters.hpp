// SPDX-License-Identifier: BSD-3-Clause
// Closed surfaces for inflation: a bear made here, a cow-like quadruped, or a file of the user. [MHHR07] Figs. 1, 7,
// 11
#pragma once

#include <string>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

/// "bear", "quadruped" (about `triangles` triangles; y up, looking to +z or +x; its box centred at the origin)
/// or a surface file, scaled to `length` (m, longest extent). Closed and outward oriented; surfaces made here do not
/// self-intersect. InputError, naming `scene`, for a file that is not closed.
model::TriangleMesh character_surface(const std::string& model, int triangles, double length, const std::string& scene);

}  // namespace deformbench::scenes
