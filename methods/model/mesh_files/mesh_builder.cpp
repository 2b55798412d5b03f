// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/mesh_files/mesh_builder.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "methods/model/subdivision.hpp"

namespace deformbench::model {

namespace {

/// Vertices of the element or face `number` (from 1), counted from 0.
template <std::size_t Corners>
std::array<int, Corners> counted_from_0(const std::array<long long, Corners>& corners, std::size_t vertices,
                                        const char* kind, std::size_t number, int line, const TextScanner& scanner) {
  std::array<int, Corners> result;
  for (std::size_t k = 0; k < Corners; ++k) {
    if (corners[k] < 1 || corners[k] > static_cast<long long>(vertices)) {
      scanner.fail_at_line(line, fmt::format("{} {} has vertex {}", kind, number, corners[k]),
                           fmt::format("1 … {}", vertices));
    }
    result[k] = int(corners[k] - 1);
  }
  return result;
}

}  // namespace

void add_elements(TetMeshBuilder& builder, const std::vector<NumberedElement>& elements, const TextScanner& scanner) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto& [corners, line] = elements[e];
    builder.add_element(counted_from_0(corners, builder.vertices.size(), "tetrahedron", e + 1, line, scanner), line);
  }
}

void add_quadratic_element(TetMeshBuilder& builder, const std::array<int, 10>& nodes, int line,
                           const TextScanner& scanner) {
  const auto place = [&](int node) -> Vector3& { return builder.vertices[std::size_t(node)]; };
  std::array<Vector3, 10> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = place(nodes[k]);
  for (std::size_t k = 0; k < 6; ++k) {
    const int a = kEdgesOfTetrahedron[k][0], b = kEdgesOfTetrahedron[k][1];
    const Vector3 &from = x[std::size_t(a)], &to = x[std::size_t(b)];
    Vector3& middle = place(nodes[4 + k]);
    const double off = (0.5 * (from + to) - middle).norm();
    if (!(off <= 1e-4 * (to - from).norm())) {
      const std::string cause = fmt::format(
          "the node between corners {} and {} of a 10-node tetrahedron is {:.3g} m "
          "beside the middle of its edge",
          a, b, off);
      if (line > 0) scanner.fail_at_line(line, cause, "straight edges");
      scanner.fail_at_byte(cause, "straight edges");
    }
    middle = 0.5 * (from + to);
    x[4 + k] = middle;
  }
  for (const std::array<int, 4>& part : parts_of(nodes, x)) builder.add_element(part, line);
}

void add_faces(TetMeshBuilder& builder, const std::vector<NumberedFace>& faces, const TextScanner& scanner) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& [corners, group, line] = faces[f];
    const auto vertices = counted_from_0(corners, builder.vertices.size(), "triangle", f + 1, line, scanner);
    builder.faces.push_back({vertices, int(group)});
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

bool add_polygon(TriangleMeshBuilder& builder, const std::vector<int>& polygon, int line, const TextScanner& scanner) {
  if (polygon.size() == 3) {
    builder.add_element({polygon[0], polygon[1], polygon[2]}, line);
    return false;
  }
  if (polygon.size() > kMostCorners) {
    const std::string cause = fmt::format("a face has {} corners", polygon.size());
    const std::string expected = fmt::format("at most {} (cut it into triangles)", kMostCorners);
    if (line > 0) scanner.fail_at_line(line, cause, expected);
    scanner.fail_at_byte(cause, expected);
  }
  const auto at = [&](int vertex) -> const Vector3& { return builder.vertices[std::size_t(vertex)]; };
  Vector3 normal = Vector3::Zero();  // twice the vector area: the polygon need not be quite flat
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    normal += (at(polygon[i]) - at(polygon[0])).cross(at(polygon[i + 1]) - at(polygon[0]));
  }
  const auto turn = [&](int a, int b, int c) { return (at(b) - at(a)).cross(at(c) - at(a)).dot(normal); };
  struct Corner {
    int vertex;
    bool is_convex;
  };
  std::vector<Corner> rest;
  for (const int vertex : polygon) rest.push_back({vertex, false});
  const auto judge = [&](std::size_t i) {
    const std::size_t n = rest.size();
    rest[i].is_convex = turn(rest[(i + n - 1) % n].vertex, rest[i].vertex, rest[(i + 1) % n].vertex) > 0;
  };
  for (std::size_t i = 0; i < rest.size(); ++i) judge(i);
  const auto is_empty = [&](int a, int b, int c) {
    for (const Corner& corner : rest) {
      // In a simple polygon no convex corner lies inside an ear.
      if (corner.is_convex) continue;
      const int other = corner.vertex;
      if (other == a || other == b || other == c) continue;
      if (turn(a, b, other) >= 0 && turn(b, c, other) >= 0 && turn(c, a, other) >= 0) return false;
    }
    return true;
  };
  std::size_t start = 0;  // continue at the last ear: earlier corners seldom became ears
  while (rest.size() > 3) {
    const std::size_t n = rest.size();
    std::size_t ear = n;
    for (std::size_t k = 0; k < n && ear == n; ++k) {
      const std::size_t i = (start + k) % n;
      const std::size_t m = (i + 1) % n;  // the middle corner; a convex polygon becomes a fan around corner 0
      if (!rest[m].is_convex || !is_empty(rest[i].vertex, rest[m].vertex, rest[(i + 2) % n].vertex)) continue;
      ear = m;
      start = m == 0 ? i - 1 : i;  // its index once the ear is removed
    }
    if (ear == n) ear = 1;  // degenerate: any cut keeps the surface closed, and the checks name the result
    builder.add_element({rest[(ear + n - 1) % n].vertex, rest[ear].vertex, rest[(ear + 1) % n].vertex}, line);
    rest.erase(rest.begin() + std::ptrdiff_t(ear));
    judge(ear % rest.size());
    judge((ear + rest.size() - 1) % rest.size());
  }
  builder.add_element({rest[0].vertex, rest[1].vertex, rest[2].vertex}, line);
  return true;
}

}  // namespace deformbench::model
