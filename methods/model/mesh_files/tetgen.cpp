// SPDX-License-Identifier: BSD-3-Clause
// TetGen's .node, .ele and .face. The first vertex of the .node file decides whether vertices are counted from 0 or
// 1.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

/// Skips faces without a marker: they are all faces of the mesh, or its boundary.
void read_faces(TextScanner& scanner, long long base, TetMeshBuilder& builder) {
  if (!scanner.next_line()) scanner.fail("the file is empty", "'<faces> <markers>'");
  const std::size_t count = scanner.count_on_line("the number of faces", 8);
  const std::string_view markers = scanner.next_on_line();
  if (markers.empty() || scanner.to_integer(markers, "0 or 1 marker per face") == 0) return;
  for (std::size_t f = 0; f < count; ++f) {
    if (!scanner.next_line()) scanner.fail(fmt::format("the file ends after {} of {} faces", f, count), "the others");
    const long long number = scanner.integer_on_line("a face number, three vertices and a marker");
    GroupedFace face;
    for (int& corner : face.vertices) {
      const long long vertex = scanner.integer_on_line("three vertex numbers");
      corner = scanner.vertex_index(vertex, base, builder.vertices.size(), fmt::format("face {}", number));
    }
    face.group = int(scanner.integer_on_line("the marker of a face"));
    builder.faces.push_back(face);
  }
}

}  // namespace

TetMeshBuilder read_tetgen(TextScanner& nodes, TextScanner& elements, TextScanner* faces) {
  TetMeshBuilder builder;
  if (!nodes.next_line()) nodes.fail("the file is empty", "'<vertices> 3 <attributes> <markers>'");
  const std::size_t vertex_count = nodes.count_on_line("the number of vertices", 7);
  const long long dimension = nodes.integer_on_line("the dimension 3");
  if (dimension != 3) nodes.fail(fmt::format("the dimension is {}", dimension), "3");
  long long base = 0;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (!nodes.next_line())
      nodes.fail(fmt::format("the file ends after {} of {} vertices", v, vertex_count), "the others");
    const long long number = nodes.integer_on_line("a vertex number and three coordinates");
    if (v == 0) {
      if (number != 0 && number != 1) nodes.fail(fmt::format("the first vertex has number {}", number), "0 or 1");
      base = number;
    }
    const long long expected = base + static_cast<long long>(v);
    if (number != expected)
      nodes.fail(fmt::format("vertex number {}", number), fmt::format("{}, consecutive", expected));
    const Vector3 position = nodes.point_on_line();
    builder.add_vertex(position, nodes.line());
  }

  if (!elements.next_line()) elements.fail("the file is empty", "'<tetrahedra> 4 <attributes>'");
  const std::size_t element_count = elements.count_on_line("the number of tetrahedra", 10);
  const long long corner_count = elements.integer_on_line("the number of vertices of a tetrahedron, 4");
  if (corner_count != 4) {
    elements.fail(fmt::format("tetrahedra have {} vertices", corner_count), "4 (linear tetrahedra only)");
  }
  const std::string_view attribute_token = elements.next_on_line();
  const bool has_region =
      !attribute_token.empty() && elements.to_integer(attribute_token, "a number of attributes") > 0;
  for (std::size_t e = 0; e < element_count; ++e) {
    if (!elements.next_line()) {
      elements.fail(fmt::format("the file ends after {} of {} tetrahedra", e, element_count), "the others");
    }
    const long long number = elements.integer_on_line("a tetrahedron number and four vertices");
    std::array<int, 4> corners;
    for (int& corner : corners) {
      const long long vertex = elements.integer_on_line("four vertex numbers");
      corner = elements.vertex_index(vertex, base, vertex_count, fmt::format("tetrahedron {}", number));
    }
    // The attribute is a region number, which TetGen may write as a real.
    if (has_region) {
      const double region = elements.number_on_line("a region attribute");
      if (!(std::abs(region) <= std::numeric_limits<int>::max()))
        elements.fail(fmt::format("region {}", region), "a region number");
      builder.regions.push_back(int(region));
    }
    builder.add_element(corners, elements.line());
  }
  if (faces != nullptr) read_faces(*faces, base, builder);
  return builder;
}

}  // namespace deformbench::model
