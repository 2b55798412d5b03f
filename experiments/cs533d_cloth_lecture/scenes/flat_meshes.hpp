// SPDX-License-Identifier: BSD-3-Clause
// Flat triangulations with different hinges: regular, rectangular, irregular.
#pragma once

#include <cstdint>
#include <string>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

/// columns × rows vertices in the plane z = 0, centred at the origin, neighbours `spacing` apart (m); normals along
/// +z. `kind`: "equilateral"; "right", all diagonals alike; "jittered", equilateral with in-plane Gaussian noise of
/// deviation 0.1 spacing; "delaunay" of random points within a rectangle of evenly spaced ones.
model::TriangleMesh flat_mesh(const std::string& kind, int columns, int rows, double spacing, std::uint64_t seed);

}  // namespace deformbench::scenes
