// SPDX-License-Identifier: BSD-3-Clause
// Closed surfaces for inflation: procedural bear, cow-like quadruped, or user's file. [MHHR07] Figs. 1, 7, 11
#pragma once

#include <string>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

/// "bear" (facing +z) or "quadruped" (+x), y up, about `triangles` triangles, or a surface file. Scaled to
/// `length` (m, longest extent), box centred at 0. Closed and outward oriented; procedural ones do not
/// self-intersect. Throws InputError if a file is not closed.
model::TriangleMesh character_surface(const std::string& model, int triangles, double length, const std::string& scene);

}  // namespace deformbench::scenes
