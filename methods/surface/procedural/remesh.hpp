// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/procedural/body.hpp"

namespace deformbench::surface {

/// Reduces a closed manifold mesh of the body's surface to `triangle_count` triangles (±1 by parity) by collapsing its
/// shortest edges (weighted, so that thin parts keep more of theirs), and evens them out: edge flips towards six
/// neighbours per vertex, tangential smoothing, projection onto the surface. Stays closed and manifold. Returns more
/// triangles when no further edge can be collapsed.
model::TriangleMesh remesh(const model::TriangleMesh& mesh, const Body& body, int triangle_count);

/// Moves the vertices of triangles that intersect each other, and those next to them, to the mean of their neighbours,
/// until no triangles intersect or `rounds` are over. Returns whether none do.
bool untangle(model::TriangleMesh& mesh, int rounds);

}  // namespace deformbench::surface
