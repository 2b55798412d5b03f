// SPDX-License-Identifier: BSD-3-Clause
// What can be wrong with a mesh, found and named. Finding is separate from refusing: a driver decides what it
// tolerates.
#pragma once

#include <string>
#include <vector>

#include "methods/model/mesh_source.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

enum class FindingKind {
  IndexOutOfRange,          ///< element names a vertex that is not there
  NonFinitePosition,        ///< a coordinate is NaN or infinite
  DegenerateElement,        ///< repeated vertex, or no volume (area) within rounding
  InvertedElement,          ///< tetrahedron of negative volume
  DuplicateElement,         ///< the same vertices as an earlier element
  UnreferencedVertex,       ///< vertex of no element
  OverlappingFace,          ///< face of three or more tetrahedra, or of two on the same side of it
  OpenEdge,                 ///< surface edge of one triangle
  NonManifoldEdge,          ///< (boundary) surface edge of three or more triangles
  InconsistentOrientation,  ///< two triangles run through their common edge in the same direction
  SharedFanVertex,          ///< (boundary) surface vertex whose triangles form several fans
  InsideOut,                ///< closed surface whose normals point inwards
  NoVolume,                 ///< closed surface that encloses nothing: flat, or folded onto itself
};

std::string name_of(FindingKind kind);  ///< "open_edge", …

struct Finding {
  FindingKind kind;
  std::vector<int> elements;  ///< tetrahedra or triangles concerned
  std::vector<int> vertices;  ///< vertices concerned; the two of an edge, the three of a face
  std::string message;        ///< one line, without the file
};

/// All problems of a tetrahedral mesh: indices and coordinates first (nothing else is looked at while these
/// are wrong), then elements, vertices, faces, then edges and vertices of the boundary. Those of the boundary
/// do not hinder a simulation: parts that touch along an edge or at a vertex hang together there like by a
/// hinge. A tetrahedron is degenerate when |6 V| ≤ 1e−12 (longest edge)³.
std::vector<Finding> find_problems(const TetMesh& mesh);

/// All problems of a surface that is meant to be closed, in the same order. A triangle is degenerate when
/// 2 A ≤ 1e−12 (longest edge)². InsideOut and NoVolume are only looked for when the surface is closed and consistent;
/// it has no volume when |V| ≤ 1e−12 of its area times the diagonal of its box.
std::vector<Finding> find_problems(const TriangleMesh& mesh);

/// "file:line: ", "file: " or "": where the mesh is from and, if known, the finding in it.
std::string place_of(const Finding& finding, const MeshSource& source);

/// InputError with the first finding whose kind is not tolerated: "file:line: message", and how many more.
void refuse_findings(const std::vector<Finding>& findings, const MeshSource& source,
                     const std::vector<FindingKind>& tolerated = {});

/// Throws unless the mesh can be simulated: every problem is refused but those of the boundary's
/// manifoldness.
void require_simulatable(const TetMesh& mesh, const MeshSource& source = {});

/// Throws unless the surface is closed, manifold (edges and vertices), consistent, outward oriented, and
/// without degenerate or duplicate triangles. Unreferenced vertices are tolerated.
void require_closed_surface(const TriangleMesh& mesh, const MeshSource& source = {});

/// Volume (m³) inside a closed surface, positive when it is oriented outwards.
double enclosed_volume(const TriangleMesh& mesh);

/// Sum of the areas (m²) of the triangles.
double surface_area(const TriangleMesh& mesh);

/// Whether a closed surface encloses nothing within rounding.
bool encloses_nothing(const TriangleMesh& mesh);

enum class FanPolicy {
  Split,   ///< each fan gets a vertex of its own: the parts come apart where they touched in a point
  Refuse,  ///< InputError that names the first such vertex
};

struct FanSplit {
  TriangleMesh mesh;                 ///< same triangles in the same order; new vertices at the end
  std::vector<int> split_vertices;   ///< vertices of the input that were split, ascending
  std::vector<int> original_vertex;  ///< for each vertex of `mesh` the one it came from
  std::string warning;               ///< one line that names the vertices, "" when there are none
};

/// Splits every vertex whose triangles form several fans (connected through edges at that vertex). Indices
/// must be in range.
FanSplit split_vertex_fans(const TriangleMesh& mesh, FanPolicy policy = FanPolicy::Split,
                           const MeshSource& source = {});

/// The mesh without the vertices of no element; the order of the others is kept.
TetMesh without_unreferenced_vertices(const TetMesh& mesh);
TriangleMesh without_unreferenced_vertices(const TriangleMesh& mesh);

}  // namespace deformbench::model
