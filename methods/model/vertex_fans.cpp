// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/vertex_fans.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace deformbench::model {
namespace {

using Index = Eigen::Index;

/// Triangles per vertex, as one array with offsets.
struct Incidence {
  std::vector<int> offsets, triangles;
  Incidence(Index vertex_count, const Triangles& elements) : offsets(std::size_t(vertex_count) + 1, 0) {
    for (Index i = 0; i < elements.size(); ++i) ++offsets[std::size_t(elements.data()[i]) + 1];
    for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
    triangles.resize(std::size_t(elements.size()));
    std::vector<int> next(offsets.begin(), offsets.end() - 1);
    for (Index i = 0; i < elements.size(); ++i) {
      int& slot = next[std::size_t(elements.data()[i])];
      triangles[std::size_t(slot++)] = int(i / 3);
    }
  }
};

/// The triangles around `vertex`, grouped by connection through edges at the vertex; groups in the order of
/// their first triangle.
std::vector<std::vector<int>> fans_of(const Triangles& triangles, const Incidence& incidence, int vertex) {
  const auto v = std::size_t(vertex);
  const std::vector<int> around(incidence.triangles.begin() + incidence.offsets[v],
                                incidence.triangles.begin() + incidence.offsets[v + 1]);
  // Triangles with a second common vertex are connected; sorted, to keep vertices of many triangles cheap.
  std::vector<std::pair<int, std::size_t>> by_neighbour;  // other vertex, place in `around`
  for (std::size_t i = 0; i < around.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (triangles(around[i], k) != vertex) by_neighbour.emplace_back(triangles(around[i], k), i);
    }
  }
  std::sort(by_neighbour.begin(), by_neighbour.end());
  std::vector<std::size_t> parent(around.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t i = 1; i < by_neighbour.size(); ++i) {
    if (by_neighbour[i].first != by_neighbour[i - 1].first) continue;
    const std::size_t r = root(by_neighbour[i].second), s = root(by_neighbour[i - 1].second);
    parent[std::max(r, s)] = std::min(r, s);  // the first triangle of a fan represents it
  }
  std::vector<std::vector<int>> fans;
  std::vector<std::size_t> number(around.size());
  for (std::size_t i = 0; i < around.size(); ++i) {
    const std::size_t first = root(i);
    if (first == i) {
      number[i] = fans.size();
      fans.emplace_back();
    }
    fans[number[first]].push_back(around[i]);
  }
  return fans;
}

}  // namespace

void check_fans(Index vertex_count, const Triangles& triangles, const char* triangle_name,
                std::vector<Finding>& findings) {
  const Incidence incidence(vertex_count, triangles);
  for (int v = 0; v < vertex_count; ++v) {
    const auto fans = fans_of(triangles, incidence, v);
    if (fans.size() < 2) continue;
    std::vector<int> firsts;
    for (const auto& fan : fans) firsts.push_back(fan.front());
    findings.push_back({FindingKind::SharedFanVertex,
                        firsts,
                        {v},
                        fmt::format("vertex {} is shared by {} fans of {}s (with {}s {}), expected one fan", v,
                                    fans.size(), triangle_name, triangle_name, fmt::join(firsts, ", "))});
  }
}

FanSplit split_vertex_fans(const TriangleMesh& mesh, FanPolicy policy, const MeshSource& source) {
  std::vector<Finding> shared;
  check_fans(mesh.vertex_count(), mesh.triangles, "triangle", shared);
  FanSplit result;
  result.mesh = mesh;
  for (int v = 0; v < mesh.vertex_count(); ++v) result.original_vertex.push_back(v);
  if (shared.empty()) return result;
  if (policy == FanPolicy::Refuse) refuse_findings(shared, source);

  const Incidence incidence(mesh.vertex_count(), mesh.triangles);
  for (const Finding& finding : shared) {
    const int vertex = finding.vertices[0];
    const auto fans = fans_of(mesh.triangles, incidence, vertex);
    for (std::size_t f = 1; f < fans.size(); ++f) {
      const int copy = int(result.original_vertex.size());
      result.original_vertex.push_back(vertex);
      for (const int t : fans[f]) {
        for (int k = 0; k < 3; ++k) {
          if (mesh.triangles(t, k) == vertex) result.mesh.triangles(t, k) = copy;
        }
      }
    }
    result.split_vertices.push_back(vertex);
  }
  result.mesh.positions.resize(Index(result.original_vertex.size()), 3);
  for (std::size_t v = 0; v < result.original_vertex.size(); ++v) {
    result.mesh.positions.row(Index(v)) = mesh.positions.row(result.original_vertex[v]);
  }
  const bool several = shared.size() > 1;
  result.warning = fmt::format("{}{} {} {} shared by several fans of triangles: split, one copy a fan",
                               place_of(shared.front(), source), several ? "vertices" : "vertex",
                               fmt::join(result.split_vertices, ", "), several ? "are" : "is");
  return result;
}

}  // namespace deformbench::model
