// SPDX-License-Identifier: BSD-3-Clause
// MEDIT ASCII (.mesh), as written by INRIA's tools, Gmsh and TetGen. Vertices are counted from 1.
#include <fmt/format.h>

#include <map>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

// Numbers of an entry of every section that carries no tetrahedra.
const std::map<std::string_view, int> kOtherSections = {{"Edges", 3},
                                                        {"Quadrilaterals", 5},
                                                        {"Corners", 1},
                                                        {"Ridges", 1},
                                                        {"RequiredVertices", 1},
                                                        {"RequiredEdges", 1},
                                                        {"RequiredTriangles", 1},
                                                        {"Normals", 3},
                                                        {"Tangents", 3},
                                                        {"NormalAtVertices", 2},
                                                        {"NormalAtTriangleVertices", 3},
                                                        {"TangentAtEdges", 3},
                                                        {"TangentAtVertices", 2},
                                                        {"RequiredQuadrilaterals", 1},
                                                        {"RequiredTetrahedra", 1}};
const std::map<std::string_view, int> kOtherSolids = {{"Hexahedra", 9},  {"Hexaedra", 9}, {"Prisms", 7},
                                                      {"Pentahedra", 7}, {"Pyramids", 6}, {"TetrahedraP2", 11}};

}  // namespace

TetMeshBuilder read_medit(TextScanner& scanner) {
  TetMeshBuilder builder;
  std::vector<NumberedElement> elements;
  std::vector<NumberedFace> faces;
  bool has_vertices = false, has_tetrahedra = false;
  for (std::string_view keyword = scanner.next(); !keyword.empty() && keyword != "End"; keyword = scanner.next()) {
    if (keyword == "MeshVersionFormatted") {
      scanner.integer("a version");
    } else if (keyword == "Dimension") {
      const long long dimension = scanner.integer("the dimension 3");
      if (dimension != 3) scanner.fail(fmt::format("the dimension is {}", dimension), "3");
    } else if (keyword == "Vertices") {
      has_vertices = true;
      const std::size_t count = scanner.count("the number of vertices", 8);
      for (std::size_t v = 0; v < count; ++v) {
        Vector3 position;
        position[0] = scanner.number("an x coordinate");
        const int line = scanner.line();
        position[1] = scanner.number("a y coordinate");
        position[2] = scanner.number("a z coordinate");
        scanner.number("the reference of a vertex");
        builder.add_vertex(position, line);
      }
    } else if (keyword == "Tetrahedra") {
      has_tetrahedra = true;
      const std::size_t count = scanner.count("the number of tetrahedra", 10);
      for (std::size_t e = 0; e < count; ++e) {
        NumberedElement element{};
        for (long long& corner : element.corners) {
          corner = scanner.integer("four vertex numbers and the reference of a tetrahedron");
          if (&corner == element.corners.data()) element.line = scanner.line();
        }
        builder.regions.push_back(int(scanner.integer("the reference of a tetrahedron")));
        elements.push_back(element);
      }
    } else if (keyword == "Triangles") {
      const std::size_t count = scanner.count("the number of triangles", 8);
      for (std::size_t f = 0; f < count; ++f) {
        NumberedFace face{};
        for (long long& corner : face.corners) {
          corner = scanner.integer("three vertex numbers and the reference of a triangle");
          if (&corner == face.corners.data()) face.line = scanner.line();
        }
        face.group = scanner.integer("the reference of a triangle");
        faces.push_back(face);
      }
    } else if (const auto other = kOtherSections.find(keyword); other != kOtherSections.end()) {
      const std::size_t count = scanner.count(fmt::format("the number of {}", keyword));
      for (std::size_t i = 0; i < count * std::size_t(other->second); ++i) {
        scanner.number(fmt::format("{} numbers for each of {} {}", other->second, count, other->first));
      }
      if (count > 0) builder.notes.push_back(fmt::format("{} {} left out", count, other->first));
    } else if (const auto solid = kOtherSolids.find(keyword); solid != kOtherSolids.end()) {
      const std::size_t count = scanner.count(fmt::format("the number of {}", keyword));
      if (count > 0) scanner.fail(fmt::format("{} {}", count, solid->first), "Tetrahedra only");
    } else {
      scanner.fail(fmt::format("unknown keyword '{}'", keyword.substr(0, 40)),
                   "a MEDIT section such as Vertices, Tetrahedra or End");
    }
  }
  if (!has_vertices) scanner.fail("the file has no section 'Vertices'", "one");
  if (!has_tetrahedra) scanner.fail("the file has no section 'Tetrahedra'", "one");
  add_elements(builder, elements, scanner);
  add_faces(builder, faces, scanner);
  return builder;
}

}  // namespace deformbench::model
