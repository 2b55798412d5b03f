// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/closed_surface.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "methods/model/error.hpp"

namespace deformbench::surface {

ClosedSurface closed_surface(const model::TriangleMesh& input, const model::MeshSource& source, model::FanPolicy fans) {
  using enum model::FindingKind;
  std::vector<model::Finding> findings = model::find_problems(input);
  for (model::Finding& finding : findings) {  // indices alone do not show where to look
    if (finding.kind != OpenEdge && finding.kind != NonManifoldEdge && finding.kind != InconsistentOrientation)
      continue;
    const auto a = input.positions.row(finding.vertices[0]);
    const auto b = input.positions.row(finding.vertices[1]);
    finding.message += fmt::format("; it runs from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})", a[0], a[1],
                                   a[2], b[0], b[1], b[2]);
  }
  // A degenerate or duplicate triangle harms neither meshing nor embedding as long as the edges are right.
  model::refuse_findings(findings, source, {SharedFanVertex, UnreferencedVertex, DegenerateElement, DuplicateElement});
  model::FanSplit split = model::split_vertex_fans(input, fans, source);
  ClosedSurface surface{std::move(split.mesh), std::move(split.original_vertex), {}};
  if (!split.warning.empty()) surface.warnings.push_back(split.warning);
  if (surface.mesh.triangle_count() == 0) throw InputError("surface: has no triangles; expected a closed surface");
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
