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
  std::vector<std::string> warnings;  ///< one line for every kind of repair
};

enum class SelfContact {
  Ignore,
  Warn,  ///< triangles that meet elsewhere than in common vertices and edges are counted, in a warning
};

/// Checks that `input` is closed, edge-manifold and encloses a volume. What can be repaired without moving a vertex is,
/// with a warning each: where edges are open, vertices of the same place are welded if that closes the surface;
/// vertices that several fans share are split (or, strict, refused); parts are turned over as their depth in others
/// asks (shells.hpp); vertices that no triangle uses are dropped. Throws InputError "file:line: …" naming the offending
/// edge or vertex: indices from 0 and coordinates; and where the whole surface is inside out.
ClosedSurface closed_surface(const model::TriangleMesh& input, const model::MeshSource& source = {},
                             model::FanPolicy fans = model::FanPolicy::Split,
                             SelfContact contact = SelfContact::Ignore);

/// V − E + F over the vertices that triangles use: 2 for a sphere, 2 less a handle.
int euler_characteristic(const Triangles& triangles);
/// Generalised winding number of `point`: 1 inside, 0 outside a closed surface; exact to rounding off the surface
/// (solid angles of van Oosterom & Strackee 1983). O(triangles).
double winding_number(const model::TriangleMesh& mesh, const Vector3& point);
/// Unit vertex normals (n×3), triangles weighted by their angle at the vertex; zero for an unused vertex.
Points vertex_normals(const model::TriangleMesh& mesh);

}  // namespace deformbench::surface
