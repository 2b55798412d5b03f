// SPDX-License-Identifier: BSD-3-Clause
// Mesh readers and the builders they fill. Internal to mesh_files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/model/mesh_files/text_scanner.hpp"

namespace deformbench::model {

/// A hexahedron as in the file: its corners round one face, then round the opposite one, from 0; no region if the
/// format has none.
struct FileHexahedron {
  std::array<int, 8> corners;
  int line;
  std::optional<int> region;
};

/// Collects vertices (with line number, 0 in binary data) and elements with checked indices.
template <std::size_t Corners>
struct MeshBuilder {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, Corners>> elements;
  std::vector<int> vertex_lines, element_lines;
  std::vector<int> regions;        // empty, or one per element
  std::vector<GroupedFace> faces;  // tet mesh only, as are hexahedra
  std::vector<FileHexahedron> hexahedra;
  std::vector<std::string> notes;

  void add_vertex(const Vector3& position, int line) {
    vertices.push_back(position);
    vertex_lines.push_back(line);
  }
  void add_element(const std::array<int, Corners>& corners, int line) {
    elements.push_back(corners);
    element_lines.push_back(line);
  }
};

using TetMeshBuilder = MeshBuilder<4>;
using TriangleMeshBuilder = MeshBuilder<3>;

/// A tetrahedron as in the file, with vertex numbers from 1.
struct NumberedElement {
  std::array<long long, 4> corners;
  int line;
};
struct NumberedFace {
  std::array<long long, 3> corners;
  long long group;
  int line;
};
/// Call once all vertices are known; a file may list elements first. Fails on an invalid vertex number.
void add_elements(TetMeshBuilder& builder, const std::vector<NumberedElement>& elements, const TextScanner& scanner);

/// Adds a straight-sided 10-node tetrahedron (nodes as in subdivision.hpp) as eight linear ones. Moves mid-edge nodes
/// onto the midpoint if they are within 1e-4 edge lengths (file rounding); otherwise fails.
void add_quadratic_element(TetMeshBuilder& builder, const std::array<int, 10>& nodes, int line,
                           const TextScanner& scanner);

/// Adds the hexahedra as six tetrahedra each, round a diagonal that neighbours choose alike: the surface stays closed.
/// InputError where that cannot be.
void cut_hexahedra(TetMeshBuilder& builder, const TextScanner& scanner);

void add_faces(TetMeshBuilder& builder, const std::vector<NumberedFace>& faces, const TextScanner& scanner);

/// File vertex numbers, not necessarily consecutive.
class VertexNumbers {
 public:
  void add(long long number, const TextScanner& scanner);
  int at(long long number, const TextScanner& scanner, std::string_view owner) const;

 private:
  std::unordered_map<long long, int> index_;
};

/// Readers of content in memory. `format` is an output.
TetMeshBuilder read_assignment_text(TextScanner& scanner);
TetMeshBuilder read_netgen_vol(TextScanner& scanner);
TetMeshBuilder read_netgen_neutral(TextScanner& scanner);
/// `faces` may be null.
TetMeshBuilder read_tetgen(TextScanner& nodes, TextScanner& elements, TextScanner* faces);
TetMeshBuilder read_medit(TextScanner& scanner);
TetMeshBuilder read_gmsh(TextScanner& scanner, std::string& format);
TetMeshBuilder read_vtk_legacy(TextScanner& scanner, std::string& format);

/// Adds to `polygons` the number of faces cut into triangles.
TriangleMeshBuilder read_obj(TextScanner& scanner, int& polygons);
TriangleMeshBuilder read_ply(TextScanner& scanner, int& polygons, std::string& format);
TriangleMeshBuilder read_stl(TextScanner& scanner, int& merged, std::string& format);
TriangleMeshBuilder read_off(TextScanner& scanner, int& polygons);

/// Adds the polygon as triangles of the same orientation, by ear clipping in the plane of its mean normal; handles
/// concave polygons. Returns whether it was cut. Throws InputError above kMostCorners: the time is
/// quadratic.
bool add_polygon(TriangleMeshBuilder& builder, const std::vector<int>& polygon, int line, const TextScanner& scanner);
inline constexpr std::size_t kMostCorners = 5000;

}  // namespace deformbench::model
