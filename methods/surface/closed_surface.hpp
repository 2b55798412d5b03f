// SPDX-License-Identifier: BSD-3-Clause
// Checks that a triangle surface is a closed manifold, as [MG04] §5.2 requires, and repairs defects, with a warning,
// without moving vertices.
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
  Warn,  ///< warns how many triangle pairs intersect outside common vertices and edges
};

/// Checks that `input` is closed and edge-manifold and has a volume. Repairs, each with a warning: coincident
/// vertices are welded if that closes open edges; vertices shared by several fans are split or refused (`fans`);
/// shells are reoriented by nesting depth (shells.hpp); unused vertices are dropped. Throws InputError "file:line: …"
/// that names the offending edge or vertex (0-based); also if the whole surface is inside out.
ClosedSurface closed_surface(const model::TriangleMesh& input, const model::MeshSource& source = {},
                             model::FanPolicy fans = model::FanPolicy::Split,
                             SelfContact contact = SelfContact::Ignore);

/// V − E + F of used vertices: 2 − 2g for a closed connected surface (genus g).
int euler_characteristic(const Triangles& triangles);
/// Generalised winding number about `point`: 1 inside, 0 outside a closed surface, up to rounding unless on the
/// surface (solid angles, van Oosterom & Strackee 1983). O(triangles).
double winding_number(const model::TriangleMesh& mesh, const Vector3& point);
/// Unit angle-weighted vertex normals (n×3); zero for unused vertices.
Points vertex_normals(const model::TriangleMesh& mesh);

}  // namespace deformbench::surface
