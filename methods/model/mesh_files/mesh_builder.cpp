// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/mesh_files/mesh_builder.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

namespace deformbench::model {

void add_elements(TetMeshBuilder& builder, const std::vector<NumberedElement>& elements, const TextScanner& scanner) {
  const long long count = static_cast<long long>(builder.vertices.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    std::array<int, 4> corners;
    for (std::size_t k = 0; k < 4; ++k) {
      const long long number = elements[e].corners[k];
      if (number < 1 || number > count) {
        scanner.fail_at_line(elements[e].line, fmt::format("tetrahedron {} has vertex {}", e + 1, number),
                             fmt::format("1 … {}", count));
      }
      corners[k] = int(number - 1);
    }
    builder.add_element(corners, elements[e].line);
  }
}

void VertexNumbers::add(long long number, const TextScanner& scanner) {
  if (!index_.emplace(number, int(index_.size())).second) {
    scanner.fail(fmt::format("node {} is defined twice", number), "every node once");
  }
}

int VertexNumbers::at(long long number, const TextScanner& scanner, std::string_view owner) const {
  const auto found = index_.find(number);
  if (found == index_.end()) {
    scanner.fail(fmt::format("{} has node {}", owner, number), "a node of the section $Nodes");
  }
  return found->second;
}

bool add_polygon(TriangleMeshBuilder& builder, const std::vector<int>& polygon, int line) {
  if (polygon.size() == 3) {
    builder.add_element({polygon[0], polygon[1], polygon[2]}, line);
    return false;
  }
  const auto at = [&](int vertex) -> const Vector3& { return builder.vertices[std::size_t(vertex)]; };
  Vector3 normal = Vector3::Zero();  // twice the vector area: the polygon need not be quite flat
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    normal += (at(polygon[i]) - at(polygon[0])).cross(at(polygon[i + 1]) - at(polygon[0]));
  }
  const auto turn = [&](int a, int b, int c) { return (at(b) - at(a)).cross(at(c) - at(a)).dot(normal); };
  std::vector<int> rest = polygon;
  while (rest.size() > 3) {
    const std::size_t n = rest.size();
    std::size_t ear = n;
    for (std::size_t i = 0; i < n && ear == n; ++i) {
      const std::size_t m = (i + 1) % n;  // the middle corner; a convex polygon becomes a fan around corner 0
      const int a = rest[i], b = rest[m], c = rest[(i + 2) % n];
      if (!(turn(a, b, c) > 0)) continue;
      bool empty = true;
      for (const int other : rest) {
        if (other == a || other == b || other == c) continue;
        empty = empty && !(turn(a, b, other) >= 0 && turn(b, c, other) >= 0 && turn(c, a, other) >= 0);
      }
      if (empty) ear = m;
    }
    if (ear == n) ear = 1;  // degenerate: any cut keeps the surface closed, and the checks name the result
    builder.add_element({rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]}, line);
    rest.erase(rest.begin() + std::ptrdiff_t(ear));
  }
  builder.add_element({rest[0], rest[1], rest[2]}, line);
  return true;
}

}  // namespace deformbench::model
