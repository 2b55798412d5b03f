// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/shells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/surface/ray_crossings.hpp"

namespace deformbench::surface {
namespace {

std::size_t index_of(int number) {
  return std::size_t(number);
}

/// Every shell as a mesh with only its own triangles and positions.
std::vector<model::TriangleMesh> parts_of(const model::TriangleMesh& mesh, const Shells& shells) {
  std::vector<model::TriangleMesh> parts(index_of(shells.count()));
  std::vector<Eigen::Index> triangles(parts.size(), 0);
  std::vector<std::vector<int>> vertices(parts.size());
  for (std::size_t s = 0; s < parts.size(); ++s) parts[s].triangles.resize(shells.triangle_count[s], 3);
  std::vector<int> number(index_of(int(mesh.vertex_count())), -1);
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const std::size_t s = index_of(shells.of_triangle[std::size_t(t)]);
    for (int c = 0; c < 3; ++c) {
      int& v = number[index_of(mesh.triangles(t, c))];
      if (v < 0) {
        v = int(vertices[s].size());
        vertices[s].push_back(mesh.triangles(t, c));
      }
      parts[s].triangles(triangles[s], c) = v;
    }
    ++triangles[s];
  }
  for (std::size_t s = 0; s < parts.size(); ++s) parts[s].positions = mesh.positions(vertices[s], Eigen::all);
  return parts;
}

/// Number of other shells that contain each shell. A shell that intersects no other lies in it entirely or not at all.
std::vector<int> depths_of(const model::TriangleMesh& mesh, const Shells& shells,
                           const std::vector<std::array<int, 2>>& contacts) {
  std::set<std::pair<int, int>> meet;
  for (const auto& [a, b] : contacts) {
    const int s = shells.of_triangle[index_of(a)], t = shells.of_triangle[index_of(b)];
    meet.insert({s, t});
    meet.insert({t, s});
  }
  const RayCrossings rays(mesh);
  std::vector<RayCrossings::Crossing> crossings;
  std::vector<int> depths;
  std::vector<int> windings(index_of(shells.count()), 0);
  for (int s = 0; s < shells.count(); ++s) {
    const int vertex = mesh.triangles(shells.first_triangle[index_of(s)], 0);
    rays.find(mesh.positions.row(vertex).transpose(), crossings);
    for (const auto& crossing : crossings)
      windings[index_of(shells.of_triangle[index_of(crossing.triangle)])] += crossing.side;
    int depth = 0;
    for (const auto& crossing : crossings) {  // each shell once: its sum is reset
      const int other = shells.of_triangle[index_of(crossing.triangle)];
      depth += other != s && windings[index_of(other)] != 0 && !meet.contains({s, other});
      windings[index_of(other)] = 0;
    }
    depths.push_back(depth);
  }
  return depths;
}

}  // namespace

Shells shells_of(const model::TriangleMesh& mesh) {
  std::vector<int> parent(std::size_t(mesh.vertex_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int v) {
    while (parent[index_of(v)] != v) v = parent[index_of(v)] = parent[index_of(parent[index_of(v)])];
    return v;
  };
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t)
    for (int c = 1; c < 3; ++c) parent[index_of(root(mesh.triangles(t, c)))] = root(mesh.triangles(t, 0));
  Shells shells;
  std::vector<int> number(parent.size(), -1);
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    int& shell = number[index_of(root(mesh.triangles(t, 0)))];
    if (shell < 0) {
      shell = shells.count();
      shells.first_triangle.push_back(int(t));
      shells.triangle_count.push_back(0);
    }
    shells.of_triangle.push_back(shell);
    ++shells.triangle_count[index_of(shell)];
  }
  return shells;
}

std::string orient_by_depth(model::TriangleMesh& mesh, const std::vector<std::array<int, 2>>& contacts,
                            const std::string& place) {
  const Shells shells = shells_of(mesh);
  const std::vector<model::TriangleMesh> parts = parts_of(mesh, shells);
  std::vector<double> volumes;
  for (int s = 0; s < shells.count(); ++s) {
    volumes.push_back(model::enclosed_volume(parts[index_of(s)]));
    if (!model::encloses_nothing(parts[index_of(s)])) continue;
    throw InputError(
        fmt::format("{}the part of the surface with triangle {} ({} triangles) encloses no volume: {:.3g} "
                    "m³, expected a positive volume",
                    place, shells.first_triangle[index_of(s)], shells.triangle_count[index_of(s)], volumes.back()));
  }
  const std::vector<int> depths = shells.count() > 1 ? depths_of(mesh, shells, contacts) : std::vector<int>{0};
  std::vector<bool> is_turned(index_of(shells.count()), false);
  std::vector<std::string> named;
  int turned = 0;
  for (int s = 0; s < shells.count(); ++s) {
    const bool is_cavity = depths[index_of(s)] % 2 != 0;
    if ((volumes[index_of(s)] > 0) != is_cavity) continue;
    is_turned[index_of(s)] = true;
    if (++turned <= 3) {
      named.push_back(
          fmt::format("the part with triangle {} ({} triangles), which lies in {} other{} and so bounds a {}",
                      shells.first_triangle[index_of(s)], shells.triangle_count[index_of(s)], depths[index_of(s)],
                      depths[index_of(s)] == 1 ? "" : "s", is_cavity ? "cavity" : "body"));
    }
  }
  if (turned == 0) return "";
  if (turned == shells.count()) {
    throw InputError(
        fmt::format("{}the surface is inside out: it encloses {:.3g} m³, expected a positive volume "
                    "(triangles counter-clockwise seen from outside)",
                    place, std::accumulate(volumes.begin(), volumes.end(), 0.0)));
  }
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    if (is_turned[index_of(shells.of_triangle[std::size_t(t)])]) std::swap(mesh.triangles(t, 1), mesh.triangles(t, 2));
  }
  return fmt::format("{}{} of {} parts of the surface turned over: {}{}", place, turned, shells.count(),
                     fmt::join(named, "; "), turned > 3 ? "; …" : "");
}

}  // namespace deformbench::surface
