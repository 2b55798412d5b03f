// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/initial_crack.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace deformbench::model {
namespace {

using Edge = std::pair<int, int>;

/// What is wrong with a triangle; empty if nothing.
std::string fault_of_triangle(const TriangleMesh& surface, Eigen::Index t) {
  for (int k = 0; k < 3; ++k)
    if (const int v = surface.triangles(t, k); v < 0 || v >= surface.vertex_count())
      return fmt::format("triangle {} has vertex {}, expected 0 … {}", t, v, surface.vertex_count() - 1);
  const auto x = [&](int k) -> Vector3 { return surface.positions.row(surface.triangles(t, k)); };
  const double longest = std::max({(x(1) - x(0)).norm(), (x(2) - x(1)).norm(), (x(0) - x(2)).norm()});
  if (!((x(1) - x(0)).cross(x(2) - x(0)).norm() > 1e-12 * longest * longest))
    return fmt::format("triangle {} has no area", t);
  return "";
}

/// What is wrong with a front; empty if nothing. `borders`: edges of exactly one triangle, in both directions.
std::string fault_of_front(const std::vector<int>& front, Eigen::Index vertex_count, const std::set<Edge>& borders) {
  if (front.size() < 2) return fmt::format("has {} vertices, expected at least 2", front.size());
  for (const int v : front)
    if (v < 0 || v >= vertex_count) return fmt::format("has vertex {}, expected 0 … {}", v, vertex_count - 1);
  for (std::size_t k = 1; k < front.size(); ++k)
    if (!borders.contains({front[k - 1], front[k]}))
      return fmt::format("goes from vertex {} to {}, expected an edge of one triangle of the surface", front[k - 1],
                         front[k]);
  const bool is_closed = front.front() == front.back();
  std::set<int> seen;
  for (std::size_t k = is_closed ? 1 : 0; k < front.size(); ++k)
    if (!seen.insert(front[k]).second) return fmt::format("comes to vertex {} twice, expected a simple line", front[k]);
  return "";
}

}  // namespace

std::string fault_of(const InitialCrack& crack) {
  const TriangleMesh& surface = crack.surface;
  if (surface.triangle_count() == 0) return "it has no triangles, expected a surface";
  for (Eigen::Index v = 0; v < surface.vertex_count(); ++v)
    if (!surface.positions.row(v).allFinite()) return fmt::format("vertex {} is not finite, expected finite metres", v);
  std::map<Edge, Eigen::Index> first_of;
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    if (const std::string fault = fault_of_triangle(surface, t); !fault.empty()) return fault;
    for (int k = 0; k < 3; ++k) {
      const Edge edge{surface.triangles(t, k), surface.triangles(t, (k + 1) % 3)};
      if (const auto [known, is_new] = first_of.emplace(edge, t); !is_new)
        return fmt::format(
            "edge ({}, {}) runs the same way in triangles {} and {}, expected a manifold surface with neighbours wound "
            "alike",
            edge.first, edge.second, known->second, t);
    }
  }
  std::set<Edge> borders;
  for (const auto& [edge, t] : first_of)
    if (const Edge back{edge.second, edge.first}; !first_of.contains(back)) {
      borders.insert(edge);
      borders.insert(back);
    }
  for (std::size_t f = 0; f < crack.fronts.size(); ++f) {
    const auto& front = crack.fronts[f];
    if (const std::string fault = fault_of_front(front, surface.vertex_count(), borders); !fault.empty())
      return fmt::format("front {} {}", f, fault);
    if (crack.grows() && front.front() == front.back())
      return fmt::format(
          "front {} is closed and advances, expected an open one: a ring cannot move without turning back", f);
  }
  return "";
}

}  // namespace deformbench::model
