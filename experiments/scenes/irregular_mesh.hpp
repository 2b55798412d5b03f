// SPDX-License-Identifier: BSD-3-Clause
// Meshes without the regularity of a grid: graded spacings, random numbering.
#pragma once

#include <cstdint>

#include "methods/model/scene.hpp"

namespace deformbench::scenes {

/// Streams of a scene's seed that are in use here; a scene takes others.
enum MeshStream : std::uint64_t { kVertexOrder = 11, kElementOrder, kCornerOrder, kDensity };

/// Spacings grow geometrically along each axis, by `ratio` ≥ 1 in total; the box of the points stays.
void grade(Points& points, double ratio);

/// Vertices, elements and corners of elements in random order, orientations kept; vertex sets follow. Groups
/// of `group` > 1 elements, the parts of a hexahedron, keep their order and that of their corners.
void renumber(Scene& scene, std::uint64_t seed, int group = 1);

}  // namespace deformbench::scenes
