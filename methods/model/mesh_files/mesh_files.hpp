// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes meshes. The format is recognised by content where possible (several share an extension), else by
// extension. Any fault of a file is one InputError: "file:line: cause, expected …"; in the binary part of a file
// "file: byte N: cause, expected …".
#pragma once

#include <array>
#include <string>
#include <vector>

#include "methods/model/mesh_source.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

struct TetMeshReadOptions {
  /// Swap two vertices of elements with negative volume: some formats orient them so (Netgen, older TetGen).
  bool reorient = true;
};

/// A triangle with a group number: on the boundary or between two regions.
struct GroupedFace {
  std::array<int, 3> vertices;
  int group;  ///< Gmsh physical group (2.2) or surface entity (4.1), MEDIT reference, Netgen condition, TetGen marker
};

struct TetMeshFile {
  TetMesh mesh;                      ///< metres are assumed
  std::string format;                ///< "netgen_vol", "gmsh_4.1_binary", …
  std::vector<int> element_regions;  ///< material or region of each element as in the file; empty if all equal
  std::vector<GroupedFace> faces;    ///< in the order of the file; empty if it has none
  int flipped_elements = 0;          ///< elements that were reoriented
  MeshSource source;                 ///< lines, for messages
  std::vector<std::string> notes;    ///< what the reader changed or left out, one line each
};

struct TriangleMeshFile {
  TriangleMesh mesh;
  std::string format;
  int triangulated_polygons = 0;  ///< faces of more than three vertices that were cut into triangles
  int merged_vertices = 0;        ///< STL: corners with exactly equal coordinates became one vertex
  MeshSource source;
  std::vector<std::string> notes;
};

/// Linear tetrahedra from: the CS 6967 assignment's `v`/`t` text; Netgen native (.vol) and neutral; TetGen
/// (.node or .ele; reads the other too, and .face if it exists); MEDIT ASCII (.mesh); Gmsh 2.2 and 4.1, ASCII and
/// binary (.msh); legacy VTK unstructured grids, ASCII and binary (.vtk). Triangles become `faces`; other elements of
/// lower dimension are skipped with a note, other solid elements are refused. Quality: see mesh_checks.hpp.
TetMeshFile read_tet_mesh(const std::string& path, const TetMeshReadOptions& options = {});
/// The same for the content of a .mesh file (the assignment's text, MEDIT, either Netgen format); messages call it
/// `name`.
TetMeshFile read_dot_mesh(const std::string& name, const std::string& content, const TetMeshReadOptions& options = {});

/// Surfaces from OBJ, PLY (ASCII, binary of both byte orders), STL (ASCII, binary) and OFF.
TriangleMeshFile read_triangle_mesh(const std::string& path);

enum class DotMesh { Medit, AssignmentText };  ///< format of a written .mesh file

/// By extension: .mesh MEDIT ASCII or the assignment's text, .vtk legacy VTK ASCII, .vt the assignment's text,
/// .node or .ele both TetGen files. Numbers read back bit for bit. InputError for other extensions or if the file
/// cannot be written.
void write_tet_mesh(const std::string& path, const TetMesh& mesh, DotMesh dot_mesh = DotMesh::Medit);
/// Content that write_tet_mesh writes to a .mesh file.
std::string dot_mesh_text(const TetMesh& mesh, DotMesh dot_mesh);

/// By extension: .obj, .ply (ASCII), .off, .stl (binary, single precision).
void write_triangle_mesh(const std::string& path, const TriangleMesh& mesh);

}  // namespace deformbench::model
