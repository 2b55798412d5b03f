// SPDX-License-Identifier: BSD-3-Clause
// Wavefront OBJ: vertices and faces. Texture coordinates, normals, groups, materials, lines and points are ignored.
#include <fmt/format.h>

#include <algorithm>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

constexpr std::string_view kReadOver[] = {"vt",    "vn",     "vp",         "o",        "g",      "s",
                                          "l",     "p",      "mg",         "lod",      "usemtl", "mtllib",
                                          "bevel", "usemap", "shadow_obj", "trace_obj"};

}  // namespace

TriangleMeshBuilder read_obj(TextScanner& scanner, int& polygons) {
  TriangleMeshBuilder builder;
  struct Face {
    std::vector<long long> corners;  // from 1; may name vertices further down
    int line;
  };
  std::vector<Face> faces;
  while (scanner.next_line()) {
    const std::string_view keyword = scanner.next_on_line();
    if (keyword == "v") {
      const Vector3 position = scanner.point_on_line();  // a weight or a colour may follow
      builder.add_vertex(position, scanner.line());
    } else if (keyword == "f") {
      Face face{{}, scanner.line()};
      for (std::string_view token = scanner.next_on_line(); !token.empty(); token = scanner.next_on_line()) {
        // v, v/vt, v//vn or v/vt/vn: the first number counts.
        const std::string_view vertex = token.substr(0, token.find('/'));
        long long number = scanner.to_integer(vertex, "vertex numbers such as 3, 3/1, 3//2 or -1");
        if (number < 0) {
          // Negative numbers count back from the vertices read so far.
          const long long absolute = static_cast<long long>(builder.vertices.size()) + 1 + number;
          if (absolute < 1) {
            scanner.fail(fmt::format("face has vertex {} with {} vertices before it", number, builder.vertices.size()),
                         fmt::format("-{} … -1", builder.vertices.size()));
          }
          number = absolute;
        }
        face.corners.push_back(number);
      }
      if (face.corners.size() < 3) {
        scanner.fail(fmt::format("face with {} vertices", face.corners.size()), "3 or more");
      }
      faces.push_back(std::move(face));
    } else if (std::find(std::begin(kReadOver), std::end(kReadOver), keyword) == std::end(kReadOver)) {
      scanner.fail(fmt::format("line starts with '{}'", keyword.substr(0, 40)), "v, vt, vn, f or another OBJ keyword");
    }
  }
  const long long count = static_cast<long long>(builder.vertices.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    std::vector<int> polygon;
    for (const long long number : faces[f].corners) {
      if (number < 1 || number > count) {
        scanner.fail_at_line(faces[f].line, fmt::format("face {} has vertex {}", f + 1, number),
                             fmt::format("1 … {} or negative numbers", count));
      }
      polygon.push_back(int(number - 1));
    }
    polygons += add_polygon(builder, polygon, faces[f].line, scanner);
  }
  return builder;
}

}  // namespace deformbench::model
