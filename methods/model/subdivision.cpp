// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/subdivision.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "methods/model/error.hpp"

namespace deformbench::model {
namespace {

/// Nodes of the four tetrahedra at the corners.
constexpr int kAtCorners[4][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};
/// Ends of the diagonals of the octahedron, and the middles around each, in order.
constexpr int kDiagonals[3][2] = {{4, 9}, {5, 8}, {6, 7}};
constexpr int kAround[3][4] = {{5, 7, 8, 6}, {4, 6, 9, 7}, {4, 5, 9, 8}};

using TenNodes = std::array<int, 10>;

double volume(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

}  // namespace

std::array<std::array<int, 4>, 8> parts_of(const TenNodes& nodes, const std::array<Vector3, 10>& x) {
  std::array<std::array<int, 4>, 8> parts;
  for (std::size_t part = 0; part < 4; ++part)
    for (std::size_t k = 0; k < 4; ++k) parts[part][k] = nodes[std::size_t(kAtCorners[part][k])];
  const auto at = [&](int k) -> const Vector3& { return x[std::size_t(k)]; };
  const auto length = [&](int d) { return (at(kDiagonals[d][0]) - at(kDiagonals[d][1])).squaredNorm(); };
  int shortest = 0;
  for (int d = 1; d < 3; ++d)
    if (length(d) < length(shortest)) shortest = d;
  const auto [first, last] = kDiagonals[shortest];
  const bool is_positive = volume(x[0], x[1], x[2], x[3]) > 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    int a = kAround[shortest][k], b = kAround[shortest][(k + 1) % 4];
    if ((volume(at(first), at(last), at(a), at(b)) > 0.0) != is_positive) std::swap(a, b);
    parts[4 + k] = {nodes[std::size_t(first)], nodes[std::size_t(last)], nodes[std::size_t(a)], nodes[std::size_t(b)]};
  }
  return parts;
}

TetMesh subdivide(const TetMesh& mesh) {
  const Eigen::Index elements = mesh.element_count(), corners = mesh.vertex_count();
  if (elements > std::numeric_limits<int>::max() / 32)
    throw InputError(fmt::format("subdivision: got {} tetrahedra, expected at most {}", elements,
                                 std::numeric_limits<int>::max() / 32));
  std::map<std::pair<int, int>, int> middles;
  std::vector<TenNodes> nodes(static_cast<std::size_t>(elements));
  for (Eigen::Index e = 0; e < elements; ++e) {
    TenNodes& of = nodes[std::size_t(e)];
    for (std::size_t a = 0; a < 4; ++a) of[a] = mesh.tetrahedra(e, Eigen::Index(a));
    for (std::size_t k = 0; k < 6; ++k) {
      const auto ends =
          std::minmax(of[std::size_t(kEdgesOfTetrahedron[k][0])], of[std::size_t(kEdgesOfTetrahedron[k][1])]);
      of[4 + k] = middles.try_emplace(ends, int(corners) + int(middles.size())).first->second;
    }
  }
  TetMesh result;
  result.rest_positions.resize(corners + Eigen::Index(middles.size()), 3);
  result.rest_positions.topRows(corners) = mesh.rest_positions;
  for (const auto& [ends, middle] : middles)
    result.rest_positions.row(middle) =
        0.5 * (mesh.rest_positions.row(ends.first) + mesh.rest_positions.row(ends.second));

  result.tetrahedra.resize(8 * elements, 4);
  for (Eigen::Index e = 0; e < elements; ++e) {
    const TenNodes& of = nodes[std::size_t(e)];
    std::array<Vector3, 10> x;
    for (std::size_t k = 0; k < 10; ++k) x[k] = result.rest_positions.row(of[k]).transpose();
    const auto parts = parts_of(of, x);
    for (std::size_t part = 0; part < 8; ++part)
      result.tetrahedra.row(8 * e + Eigen::Index(part)) = Eigen::Map<const Eigen::RowVector4i>(parts[part].data());
  }
  return result;
}

QuadraticTetrahedra quadratic_tetrahedra(const TetMesh& mesh) {
  const Points& x = mesh.rest_positions;
  if (mesh.element_count() % 8 != 0)
    throw InputError(
        fmt::format("quadratic elements: got {} tetrahedra, expected a mesh whose tetrahedra were each "
                    "subdivided into eight",
                    mesh.element_count()));
  QuadraticTetrahedra nodes(mesh.element_count() / 8, 10);
  for (Eigen::Index e = 0; e < nodes.rows(); ++e) {
    const auto refuse = [&](const char* cause) {
      throw InputError(
          fmt::format("quadratic elements: tetrahedra {} to {} {}, expected the parts of one "
                      "tetrahedron, as subdivision orders them",
                      8 * e, 8 * e + 7, cause));
    };
    auto of = nodes.row(e);
    of.setConstant(-1);
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 4; ++k) {
        int& node = of[kAtCorners[c][k]];
        const int found = mesh.tetrahedra(8 * e + c, k);
        if (node >= 0 && node != found) refuse("do not share the middles of edges");
        node = found;
      }
    for (std::size_t k = 0; k < 6; ++k) {
      const int a = of[kEdgesOfTetrahedron[k][0]], b = of[kEdgesOfTetrahedron[k][1]], middle = of[Eigen::Index(4 + k)];
      if ((0.5 * (x.row(a) + x.row(b)) - x.row(middle)).norm() > 1e-9 * (x.row(a) - x.row(b)).norm())
        refuse(fmt::format("have vertex {} beside the middle of {} and {}", middle, a, b).c_str());
    }
    for (int part = 4; part < 8; ++part)
      for (int k = 0; k < 4; ++k) {
        const int found = mesh.tetrahedra(8 * e + part, k);
        if (std::none_of(of.data() + 4, of.data() + 10, [&](int node) { return node == found; }))
          refuse(fmt::format("have vertex {} in the octahedron, which is none of its corners", found).c_str());
      }
  }
  return nodes;
}

}  // namespace deformbench::model
