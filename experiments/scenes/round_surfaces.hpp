// SPDX-License-Identifier: BSD-3-Clause
// Closed surfaces of octahedra, spheres and tori about the origin, outward oriented.
#pragma once

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

/// Corners on the axes at `radius`: 6 vertices, 8 triangles.
model::TriangleMesh octahedron(double radius);

/// Icosahedron subdivided n = `levels` times onto the sphere: 10·4ⁿ + 2 vertices, 20·4ⁿ triangles.
model::TriangleMesh icosphere(double radius, int levels);

/// Torus around z, `around` × `across` quadrilaterals, two triangles each.
model::TriangleMesh torus(double radius, double tube, int around, int across);

}  // namespace deformbench::scenes
