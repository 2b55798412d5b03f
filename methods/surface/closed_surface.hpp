// SPDX-License-Identifier: BSD-3-Clause
// Closed triangle surfaces: what [MG04] §5.2 presupposes of a surface (a closed manifold) is checked here, and
// what can be repaired without moving a vertex (a vertex shared by several fans) is repaired, with a warning.
#pragma once

#include <string>
#include <vector>

#include "methods/model/mesh_checks.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

struct ClosedSurface {
  model::TriangleMesh mesh;           ///< closed, edge- and vertex-manifold, oriented outwards
  std::vector<int> source_vertices;   ///< vertex of `mesh` → vertex of the input
  std::vector<std::string> warnings;  ///< at most one line: the vertices that were split
};

/// Checks that `input` is closed, edge-manifold and oriented outwards, and splits vertices that several fans share
/// (or, strict, refuses them). Throws InputError "file:line: …" naming the offending edge or vertex: indices from 0
/// and coordinates.
ClosedSurface closed_surface(const model::TriangleMesh& input, const model::MeshSource& source = {},
                             model::FanPolicy fans = model::FanPolicy::Split);

/// V − E + F over the vertices that triangles use: 2 for a sphere, 2 less a handle.
int euler_characteristic(const Triangles& triangles);
/// Generalised winding number of `point`: 1 inside, 0 outside a closed surface; exact to rounding off the surface
/// (solid angles of van Oosterom & Strackee 1983). O(triangles).
double winding_number(const model::TriangleMesh& mesh, const Vector3& point);
/// Unit vertex normals (n×3), triangles weighted by their angle at the vertex; zero for an unused vertex.
Points vertex_normals(const model::TriangleMesh& mesh);

}  // namespace deformbench::surface
