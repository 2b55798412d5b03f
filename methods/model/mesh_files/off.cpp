// SPDX-License-Identifier: BSD-3-Clause
// Geomview's OFF, with or without the word OFF. Colours after a face are ignored.
#include <fmt/format.h>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {

TriangleMeshBuilder read_off(TextScanner& scanner, int& polygons) {
  TriangleMeshBuilder builder;
  if (scanner.peek() == "OFF") scanner.next();
  const std::size_t vertex_count = scanner.count("the number of vertices", 6);
  const std::size_t face_count = scanner.count("the number of faces", 5);
  scanner.count("the number of edges", 1);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (!scanner.next_line()) {
      scanner.fail(fmt::format("the file ends after {} of {} vertices", v, vertex_count), "the others");
    }
    const Vector3 position = scanner.point_on_line();
    builder.add_vertex(position, scanner.line());
  }
  for (std::size_t f = 0; f < face_count; ++f) {
    if (!scanner.next_line()) {
      scanner.fail(fmt::format("the file ends after {} of {} faces", f, face_count), "the others");
    }
    const std::size_t size = scanner.count_on_line("the number of vertices of a face", 1);
    if (size < 3) scanner.fail(fmt::format("face {} has {} vertices", f, size), "3 or more");
    std::vector<int> polygon;
    for (std::size_t k = 0; k < size; ++k) {
      const long long vertex = scanner.integer_on_line("the vertices of a face");
      polygon.push_back(scanner.vertex_index(vertex, 0, vertex_count, fmt::format("face {}", f)));
    }
    polygons += add_polygon(builder, polygon, scanner.line(), scanner);
  }
  return builder;
}

}  // namespace deformbench::model
