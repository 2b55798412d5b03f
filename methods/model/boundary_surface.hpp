// SPDX-License-Identifier: BSD-3-Clause
// Faces of a tetrahedral mesh: faces of one element form its boundary, faces of two connect elements.
#pragma once

#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

/// Faces of exactly one element, counter-clockwise seen from outside where elements are positively oriented.
/// Vertex indices are those of the tetrahedral mesh; order: by element, then by local face (opposite to
/// vertex 0, 1, 2, 3). Indices must be in range. O(m log m).
Triangles boundary_triangles(const Tetrahedra& tetrahedra);
Triangles boundary_triangles(const TetMesh& mesh);

/// The element of each row of boundary_triangles.
std::vector<int> boundary_triangle_elements(const Tetrahedra& tetrahedra);

/// Vertices of the boundary triangles, ascending, each once.
std::vector<int> boundary_vertices(const TetMesh& mesh);

/// The boundary as a separate surface: only its vertices (rest positions), in ascending order of their index.
struct BoundarySurface {
  TriangleMesh surface;
  std::vector<int> mesh_vertex;  ///< for each surface vertex its index in the tetrahedral mesh
};
BoundarySurface boundary_surface(const TetMesh& mesh);

/// Boundary triangles whose three vertices all lie on the plane {x : x[axis] = coordinate} at rest, within
/// `tolerance` (m).
Triangles boundary_triangles_on_plane(const TetMesh& mesh, int axis, double coordinate, double tolerance);

/// Areas at rest per vertex (m²): a third of each triangle's to each of its corners.
Eigen::VectorXd vertex_areas(const Points& rest_positions, const Triangles& triangles);

/// Area (m²) per vertex that turns the pressure of a contact into a force: on the boundary vertex_areas, inside the
/// body the vertex's share of the volume to the power 2/3. Inner vertices meet obstacles only if the body is crushed.
Eigen::VectorXd contact_areas(const TetMesh& mesh);

/// Number of face-connected components of the mesh.
int face_connected_parts(const Tetrahedra& tetrahedra);

}  // namespace deformbench::model
