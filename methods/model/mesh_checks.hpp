// SPDX-License-Identifier: BSD-3-Clause
// Defects of a mesh. Finding is separate from refusing: the caller decides what it tolerates.
#pragma once

#include <string>
#include <vector>

#include "methods/model/mesh_source.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

enum class FindingKind {
  IndexOutOfRange,          ///< element names a nonexistent vertex
  NonFinitePosition,        ///< a coordinate is NaN or infinite
  DegenerateElement,        ///< repeated vertex, or no volume (area) within rounding
  InvertedElement,          ///< tetrahedron of negative volume
  DuplicateElement,         ///< the same vertices as an earlier element
  UnreferencedVertex,       ///< vertex of no element
  OverlappingFace,          ///< face of three or more tetrahedra, or of two on the same side of it
  OpenEdge,                 ///< surface edge of one triangle
  NonManifoldEdge,          ///< (boundary) surface edge of three or more triangles
  InconsistentOrientation,  ///< two triangles traverse their common edge in the same direction
  SharedFanVertex,          ///< (boundary) surface vertex whose triangles form several fans
  InsideOut,                ///< closed surface whose normals point inwards
  NoVolume,                 ///< closed surface that encloses nothing: flat, or folded onto itself
};

std::string name_of(FindingKind kind);  ///< "open_edge", …

struct Finding {
  FindingKind kind;
  std::vector<int> elements;  ///< affected tetrahedra or triangles
  std::vector<int> vertices;  ///< affected vertices; the two of an edge, the three of a face
  std::string message;        ///< one line, without the file
};

/// All problems of a tetrahedral mesh: indices and coordinates first (nothing else is checked if these are wrong),
/// then elements, vertices, faces, then edges and vertices of the boundary. Boundary problems do not prevent a
/// simulation: parts that touch along an edge or at a vertex are hinged there. A tetrahedron is degenerate when |6 V|
/// ≤ 1e−12 (longest edge)³.
std::vector<Finding> find_problems(const TetMesh& mesh);

/// All problems of a surface that is meant to be closed, in the same order. A triangle is degenerate when
/// 2 A ≤ 1e−12 (longest edge)². InsideOut and NoVolume are only checked on closed and consistent surfaces;
/// NoVolume if |V| ≤ 1e−12 × area × diagonal of the bounding box.
std::vector<Finding> find_problems(const TriangleMesh& mesh);

/// "file:line: ", "file: " or "": origin of the mesh and, if known, line of the finding.
std::string place_of(const Finding& finding, const MeshSource& source);

/// InputError with the first finding whose kind is not tolerated: "file:line: message", and how many more.
void refuse_findings(const std::vector<Finding>& findings, const MeshSource& source,
                     const std::vector<FindingKind>& tolerated = {});

/// InputError if the mesh is empty or has any problem other than a non-manifold boundary.
void require_simulatable(const TetMesh& mesh, const MeshSource& source = {});

/// InputError unless the surface is closed, edge- and vertex-manifold, consistently oriented outwards, and
/// without degenerate or duplicate triangles. Tolerates unreferenced vertices.
void require_closed_surface(const TriangleMesh& mesh, const MeshSource& source = {});

/// Volume (m³) inside a closed surface, positive when it is oriented outwards.
double enclosed_volume(const TriangleMesh& mesh);

/// Sum of the areas (m²) of the triangles.
double surface_area(const TriangleMesh& mesh);

/// Whether a closed surface encloses nothing within rounding.
bool encloses_nothing(const TriangleMesh& mesh);

enum class FanPolicy {
  Split,   ///< each fan gets its own vertex: parts that touched at a point are separated
  Refuse,  ///< InputError that names the first such vertex
};

struct FanSplit {
  TriangleMesh mesh;                 ///< same triangles in the same order; new vertices at the end
  std::vector<int> split_vertices;   ///< vertices of the input that were split, ascending
  std::vector<int> original_vertex;  ///< for each vertex of `mesh` its original
  std::string warning;               ///< one line that names the vertices, "" when there are none
};

/// Splits every vertex whose triangles form several fans (connected through edges at that vertex). Indices
/// must be in range.
FanSplit split_vertex_fans(const TriangleMesh& mesh, FanPolicy policy = FanPolicy::Split,
                           const MeshSource& source = {});

/// The mesh without vertices that no element uses; keeps the order of the others.
TetMesh without_unreferenced_vertices(const TetMesh& mesh);
TriangleMesh without_unreferenced_vertices(const TriangleMesh& mesh);

}  // namespace deformbench::model
