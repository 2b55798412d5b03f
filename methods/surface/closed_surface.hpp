// SPDX-License-Identifier: BSD-3-Clause
// Closed triangle surfaces: checks the precondition of [MG04] §5.2 (a closed manifold) and repairs, with a warning,
// what needs no vertex to move (vertices shared by several fans).
#pragma once

#include <string>
#include <vector>

#include "methods/model/mesh_checks.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

struct ClosedSurface {
  model::TriangleMesh mesh;           ///< closed, edge- and vertex-manifold, oriented outwards
  std::vector<int> source_vertices;   ///< vertex of `mesh` → vertex of the input
  std::vector<std::string> warnings;  ///< one line per kind of repair
};

enum class SelfContact {
  Ignore,
  Warn,  ///< counts triangles that intersect outside common vertices and edges, as a warning
};

/// Checks that `input` is closed, edge-manifold and encloses a volume. Repairs, each with a warning: coincident
/// vertices are welded if that closes open edges; vertices shared by several fans are split (or refused if strict);
/// shells are reoriented by nesting depth (shells.hpp); unused vertices are dropped. Throws InputError "file:line: …"
/// with index from 0 and coordinates of the offending edge or vertex, also if the whole surface is inside out.
ClosedSurface closed_surface(const model::TriangleMesh& input, const model::MeshSource& source = {},
                             model::FanPolicy fans = model::FanPolicy::Split,
                             SelfContact contact = SelfContact::Ignore);

/// V − E + F of the used vertices: 2 − 2 handles for a connected closed surface.
int euler_characteristic(const Triangles& triangles);
/// Generalised winding number of `point`: 1 inside, 0 outside a closed surface; exact up to rounding away from the
/// surface (solid angles of van Oosterom & Strackee 1983). O(triangles).
double winding_number(const model::TriangleMesh& mesh, const Vector3& point);
/// Unit vertex normals (n×3), weighted by triangle angle at the vertex; zero for unused vertices.
Points vertex_normals(const model::TriangleMesh& mesh);

}  // namespace deformbench::surface
