// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/procedural/body.hpp"

namespace deformbench::surface {

/// Reduces a closed manifold mesh of the body's surface to `triangle_count` triangles (±1 by parity) by collapsing its
/// shortest edges (weighted to preserve thin parts), with edge flips towards valence six, tangential smoothing and
/// projection onto the surface. Stays closed and manifold. Returns more triangles if no further edge can be collapsed.
model::TriangleMesh remesh(const model::TriangleMesh& mesh, const Body& body, int triangle_count);

/// Laplacian smoothing of the vertices of intersecting triangles and their neighbours, until no triangles
/// intersect or `rounds` are used up. Returns whether none intersect.
bool untangle(model::TriangleMesh& mesh, int rounds);

}  // namespace deformbench::surface
