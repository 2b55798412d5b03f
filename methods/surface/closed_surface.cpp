// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/closed_surface.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

#include "methods/model/error.hpp"
#include "methods/surface/self_intersection.hpp"
#include "methods/surface/shells.hpp"

namespace deformbench::surface {

namespace {

using enum model::FindingKind;

bool concerns_edge(const model::Finding& finding) {
  return finding.kind == OpenEdge || finding.kind == NonManifoldEdge || finding.kind == InconsistentOrientation;
}

std::size_t count_edges(const std::vector<model::Finding>& findings) {
  return std::size_t(std::count_if(findings.begin(), findings.end(), concerns_edge));
}

struct Welded {
  model::TriangleMesh
      mesh;  ///< same vertices; triangles use the first vertex per position, degenerate ones are omitted
  std::size_t vertices = 0;  ///< number of vertices merged into another
};

/// Merges vertices with identical positions, as in files with separate vertices per face.
Welded welded(const model::TriangleMesh& input) {
  const auto before = [&](int a, int b) {
    for (int k = 0; k < 3; ++k)
      if (input.positions(a, k) != input.positions(b, k)) return input.positions(a, k) < input.positions(b, k);
    return a < b;
  };
  std::vector<int> order(std::size_t(input.vertex_count()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), before);
  Welded result;
  std::vector<int> first(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || input.positions.row(order[i]) != input.positions.row(order[i - 1]);
    first[std::size_t(order[i])] = is_new ? order[i] : first[std::size_t(order[i - 1])];
    result.vertices += is_new ? 0 : 1;
  }
  result.mesh.positions = input.positions;
  result.mesh.triangles.resize(input.triangle_count(), 3);
  Eigen::Index count = 0;
  for (Eigen::Index t = 0; t < input.triangle_count(); ++t) {
    for (int c = 0; c < 3; ++c) result.mesh.triangles(count, c) = first[std::size_t(input.triangles(t, c))];
    const auto corner = result.mesh.triangles.row(count);
    // Two equal corners: the triangle is degenerate and not needed for closure.
    if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0]) ++count;
  }
  result.mesh.triangles.conservativeResize(count, 3);
  return result;
}

/// Removes vertices without triangles; returns their number.
int drop_unused(ClosedSurface& surface) {
  std::vector<bool> is_used(std::size_t(surface.mesh.vertex_count()), false);
  for (Eigen::Index i = 0; i < surface.mesh.triangles.size(); ++i)
    is_used[std::size_t(surface.mesh.triangles.data()[i])] = true;
  std::vector<int> kept;
  for (std::size_t v = 0; v < is_used.size(); ++v)
    if (is_used[v]) kept.push_back(surface.source_vertices[v]);
  const int dropped = int(is_used.size() - kept.size());
  if (dropped == 0) return 0;
  surface.source_vertices = kept;
  surface.mesh = model::without_unreferenced_vertices(surface.mesh);
  return dropped;
}

/// Pairs of triangles that intersect other than in common vertices and edges. Degenerate triangles, which are
/// tolerated, lie on their neighbours and are excluded.
std::vector<std::array<int, 2>> contacts_of(const model::TriangleMesh& mesh) {
  auto pairs = self_intersections(mesh, std::numeric_limits<std::size_t>::max());
  const auto is_thin = [&](int t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                  c = mesh.positions.row(mesh.triangles(t, 2));
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return !((b - a).cross(c - a).norm() > 1e-12 * longest);
  };
  std::erase_if(pairs, [&](const auto& pair) { return is_thin(pair[0]) || is_thin(pair[1]); });
  return pairs;
}

}  // namespace

ClosedSurface closed_surface(const model::TriangleMesh& input, const model::MeshSource& source, model::FanPolicy fans,
                             SelfContact contact) {
  const std::string place = source.file.empty() ? "" : source.file + ": ";
  std::vector<model::Finding> findings = model::find_problems(input);
  // If edges are correct, orientation and volume are checked per shell below.
  const std::vector<model::FindingKind> tolerated{SharedFanVertex,  UnreferencedVertex, DegenerateElement,
                                                  DuplicateElement, InsideOut,          NoVolume};
  std::vector<std::string> warnings;
  const model::TriangleMesh* whole = &input;
  Welded joined;
  if (std::any_of(findings.begin(), findings.end(), [](const auto& f) { return f.kind == OpenEdge; })) {
    joined = welded(input);
    const auto left = count_edges(model::find_problems(joined.mesh));
    if (left == 0) {
      whole = &joined.mesh;
      std::erase_if(findings, concerns_edge);
      warnings.push_back(
          fmt::format("{}{} vertices had the same place as others and were welded to them: faces had "
                      "vertices of their own",
                      place, joined.vertices));
    }
    for (model::Finding& finding : findings) {
      if (concerns_edge(finding) && joined.vertices > 0)
        finding.message += fmt::format("; welding the {} vertices of the same place as others leaves {} such edges",
                                       joined.vertices, left);
    }
  }
  for (model::Finding& finding : findings) {  // adds coordinates, since indices alone are hard to locate
    if (!concerns_edge(finding)) continue;
    const auto a = input.positions.row(finding.vertices[0]);
    const auto b = input.positions.row(finding.vertices[1]);
    finding.message += fmt::format("; it runs from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})", a[0], a[1],
                                   a[2], b[0], b[1], b[2]);
  }
  // Degenerate and duplicate triangles harm neither meshing nor embedding if edges are correct.
  model::refuse_findings(findings, source, tolerated);
  if (whole->triangle_count() == 0) throw InputError("surface: has no triangles; expected a closed surface");
  model::FanSplit split = model::split_vertex_fans(*whole, fans, source);
  ClosedSurface surface{std::move(split.mesh), std::move(split.original_vertex), std::move(warnings)};
  if (!split.warning.empty()) surface.warnings.push_back(split.warning);
  // Before splitting fans, so that their common vertices do not count as contact.
  const bool in_parts = shells_of(surface.mesh).count() > 1;
  const auto contacts =
      contact == SelfContact::Warn || in_parts ? contacts_of(*whole) : std::vector<std::array<int, 2>>{};
  if (const std::string turned = orient_by_depth(surface.mesh, contacts, place); !turned.empty())
    surface.warnings.push_back(turned);
  if (contact == SelfContact::Warn && !contacts.empty()) {
    surface.warnings.push_back(
        fmt::format("{}the surface meets itself in {} pairs of triangles, first {} and {}: where "
                    "parts overlap, volume counts more than once",
                    place, contacts.size(), contacts.front()[0], contacts.front()[1]));
  }
  const int dropped = drop_unused(surface);
  const int unused = dropped - (whole == &input ? 0 : int(joined.vertices));
  if (unused > 0)
    surface.warnings.push_back(fmt::format("{}{} vertices that no triangle uses were dropped", place, unused));
  return surface;
}

int euler_characteristic(const Triangles& triangles) {
  std::vector<int> vertices(triangles.data(), triangles.data() + triangles.size());
  std::sort(vertices.begin(), vertices.end());
  const auto vertex_count = std::unique(vertices.begin(), vertices.end()) - vertices.begin();
  std::vector<std::uint64_t> edges;
  edges.reserve(std::size_t(triangles.size()));
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    for (int c = 0; c < 3; ++c) {
      const auto a = std::uint32_t(triangles(t, c));
      const auto b = std::uint32_t(triangles(t, (c + 1) % 3));
      edges.push_back((std::uint64_t(std::min(a, b)) << 32) | std::max(a, b));
    }
  }
  std::sort(edges.begin(), edges.end());
  const auto edge_count = std::unique(edges.begin(), edges.end()) - edges.begin();
  return int(vertex_count - edge_count + triangles.rows());
}

double winding_number(const model::TriangleMesh& mesh, const Vector3& point) {
  double half_angles = 0.0;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)).transpose() - point;
    const Vector3 b = mesh.positions.row(mesh.triangles(t, 1)).transpose() - point;
    const Vector3 c = mesh.positions.row(mesh.triangles(t, 2)).transpose() - point;
    const double la = a.norm();
    const double lb = b.norm();
    const double lc = c.norm();
    // tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
    half_angles += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return half_angles / (2.0 * std::numbers::pi);
}

Points vertex_normals(const model::TriangleMesh& mesh) {
  Points normals = Points::Zero(mesh.vertex_count(), 3);
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    std::array<Vector3, 3> p;
    for (int c = 0; c < 3; ++c) p[std::size_t(c)] = mesh.positions.row(mesh.triangles(t, c)).transpose();
    const Vector3 area = (p[1] - p[0]).cross(p[2] - p[0]);
    const double length = area.norm();
    if (length == 0.0) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      const Vector3 u = p[(c + 1) % 3] - p[c];
      const Vector3 w = p[(c + 2) % 3] - p[c];
      const double angle = std::atan2(length, u.dot(w));
      normals.row(mesh.triangles(t, Eigen::Index(c))) += (angle / length) * area.transpose();
    }
  }
  for (Eigen::Index v = 0; v < normals.rows(); ++v) {
    const double length = normals.row(v).norm();
    if (length > 0.0) normals.row(v) /= length;
  }
  return normals;
}

}  // namespace deformbench::surface
