// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/procedural/body.hpp"

namespace deformbench::surface {

/// Zero level set of a body by marching tetrahedra on a body-centred lattice of cube edge `spacing` (m): closed, edge-
/// and vertex-manifold by construction, oriented outwards; triangle shapes vary (see remesh.hpp).
model::TriangleMesh march(const Body& body, double spacing);

}  // namespace deformbench::surface
