// SPDX-License-Identifier: BSD-3-Clause
// Netgen: the native format (.vol, "mesh3d") and the neutral one. Vertices are counted from 1 in both; Netgen orients
// tetrahedra opposite to this project.
#include <fmt/format.h>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
TetMeshBuilder read_netgen_vol(TextScanner& scanner) {
  TetMeshBuilder builder;
  std::vector<NumberedElement> elements;
  std::vector<NumberedFace> faces;
  bool has_elements = false, has_points = false, ended = false;
  while (!ended && scanner.next_line()) {
    const std::string_view keyword = scanner.next_on_line();
    if (keyword == "volumeelements") {
      has_elements = true;
      const std::size_t count = scanner.count("the number of volume elements", 10);
      for (std::size_t e = 0; e < count; ++e) {
        if (!scanner.next_line()) {
          scanner.fail(fmt::format("the file ends after {} of {} volume elements", e, count), "the others");
        }
        const long long material = scanner.integer_on_line("a material number");
        const long long corners = scanner.integer_on_line("a number of vertices");
        if (corners != 4) {
          scanner.fail(fmt::format("volume element {} has {} vertices", e + 1, corners), "4 (linear tetrahedra only)");
        }
        NumberedElement element{};
        for (long long& corner : element.corners) corner = scanner.integer_on_line("four vertex numbers");
        element.line = scanner.line();
        elements.push_back(element);
        builder.regions.push_back(int(material));
      }
    } else if (keyword == "surfaceelements" || keyword == "surfaceelementsgi" || keyword == "surfaceelementsuv") {
      const std::size_t count = scanner.count("the number of surface elements", 10);
      for (std::size_t f = 0; f < count; ++f) {
        if (!scanner.next_line()) {
          scanner.fail(fmt::format("the file ends after {} of {} surface elements", f, count), "the others");
        }
        scanner.integer_on_line("a surface number");
        NumberedFace face{};
        face.group = scanner.integer_on_line("a boundary condition number");
        for (int domain = 0; domain < 2; ++domain) scanner.integer_on_line("the domains on both sides");
        const long long corners = scanner.integer_on_line("a number of vertices");
        if (corners != 3) continue;  // a quadrilateral, or of second order
        for (long long& corner : face.corners) corner = scanner.integer_on_line("three vertex numbers");
        face.line = scanner.line();
        faces.push_back(face);
      }
    } else if (keyword == "points") {
      has_points = true;
      const std::size_t count = scanner.count("the number of points", 6);
      for (std::size_t v = 0; v < count; ++v) {
        if (!scanner.next_line()) {
          scanner.fail(fmt::format("the file ends after {} of {} points", v, count), "the others");
        }
        const Vector3 position = scanner.point_on_line();
        builder.add_vertex(position, scanner.line());
      }
    } else if (keyword == "endmesh") {
      ended = true;
    }
    // Every other line belongs to a section without elements or points: edges, names.
  }
  if (!has_elements) scanner.fail("the file has no section 'volumeelements'", "a volume mesh (mesh3d)");
  if (!has_points) scanner.fail("the file has no section 'points'", "the section 'points' after the elements");
  add_elements(builder, elements, scanner);
  add_faces(builder, faces, scanner);
  return builder;
}

TetMeshBuilder read_netgen_neutral(TextScanner& scanner) {
  TetMeshBuilder builder;
  const std::size_t vertex_count = scanner.count("the number of nodes", 6);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (!scanner.next_line()) {
      scanner.fail(fmt::format("the file ends after {} of {} nodes", v, vertex_count), "the others");
    }
    const Vector3 position = scanner.point_on_line();
    scanner.expect_line_end("three coordinates a node (is the number of nodes right?)");
    builder.add_vertex(position, scanner.line());
  }
  std::vector<NumberedElement> elements;
  const std::size_t element_count = scanner.count("the number of volume elements", 10);
  scanner.expect_line_end("the number of volume elements alone (is the number of nodes right?)");
  for (std::size_t e = 0; e < element_count; ++e) {
    if (!scanner.next_line()) {
      scanner.fail(fmt::format("the file ends after {} of {} volume elements", e, element_count), "the others");
    }
    builder.regions.push_back(int(scanner.integer_on_line("a subdomain number")));
    NumberedElement element{};
    for (long long& corner : element.corners) {
      corner = scanner.integer_on_line("a subdomain number and four vertex numbers");
    }
    scanner.expect_line_end("a subdomain number and four vertex numbers (linear tetrahedra only)");
    element.line = scanner.line();
    elements.push_back(element);
  }
  add_elements(builder, elements, scanner);
  if (scanner.peek().empty()) return builder;  // the surface is optional
  const std::size_t face_count = scanner.count("the number of surface elements", 8);
  std::vector<NumberedFace> faces(face_count);
  for (std::size_t f = 0; f < face_count; ++f) {
    if (!scanner.next_line()) {
      scanner.fail(fmt::format("the file ends after {} of {} surface elements", f, face_count), "the others");
    }
    faces[f].group = scanner.integer_on_line("a boundary condition number");
    for (long long& corner : faces[f].corners) {
      corner = scanner.integer_on_line("a boundary condition number and three vertex numbers");
    }
    faces[f].line = scanner.line();
  }
  add_faces(builder, faces, scanner);
  return builder;
}

}  // namespace deformbench::model
