// SPDX-License-Identifier: BSD-3-Clause
// The mesh format of [CS6967]: "v x y z" is a vertex, "t i j k l" a tetrahedron of
// vertices counted from 0. Blank lines and # comments are accepted.
#include <fmt/format.h>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {

TetMeshBuilder read_assignment_text(TextScanner& scanner) {
  TetMeshBuilder builder;
  std::vector<std::array<long long, 4>> elements;  // may name vertices further down: checked at the end
  while (scanner.next_line()) {
    const std::string_view keyword = scanner.next_on_line();
    if (keyword == "v") {
      const Vector3 position = scanner.point_on_line();
      scanner.expect_line_end("three coordinates");
      builder.add_vertex(position, scanner.line());
    } else if (keyword == "t") {
      std::array<long long, 4> corners;
      for (long long& corner : corners) corner = scanner.integer_on_line("four vertex indices counted from 0");
      scanner.expect_line_end("four vertex indices");
      elements.push_back(corners);
      builder.element_lines.push_back(scanner.line());
    } else {
      scanner.fail(fmt::format("line starts with '{}'", keyword.substr(0, 40)),
                   "'v x y z' (a vertex) or 't i j k l' (a tetrahedron)");
    }
  }
  if (elements.empty()) scanner.fail("no tetrahedra", "at least one line 't i j k l'");
  const long long count = static_cast<long long>(builder.vertices.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    std::array<int, 4> corners;
    for (std::size_t k = 0; k < 4; ++k) {
      if (elements[e][k] < 0 || elements[e][k] >= count) {
        scanner.fail_at_line(builder.element_lines[e], fmt::format("tetrahedron {} has vertex {}", e, elements[e][k]),
                             fmt::format("0 … {} (the file has {} vertices, counted from 0)", count - 1, count));
      }
      corners[k] = int(elements[e][k]);
    }
    builder.elements.push_back(corners);
  }
  return builder;
}

}  // namespace deformbench::model
