// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/mesh_distance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "methods/model/error.hpp"

namespace deformbench::numerics {
namespace {

constexpr int kLeafTriangles = 4;
constexpr int kDeepestLevel = 64;  ///< of the tree; each level halves the triangles

double squared_distance_to_box(const Vector3& point, const Vector3& lower, const Vector3& upper) {
  const Vector3 outside = (lower - point).cwiseMax(point - upper).cwiseMax(0.0);
  return outside.squaredNorm();
}

/// Whether the segment start + t·way, t in [0, until], meets the box grown by `margin`.
bool meets_box(const Vector3& start, const Vector3& inverse_way, double until, double margin, const Vector3& lower,
               const Vector3& upper) {
  double enter = 0.0, leave = until;
  for (int k = 0; k < 3; ++k) {
    if (std::isinf(inverse_way[k])) {
      if (start[k] < lower[k] - margin || start[k] > upper[k] + margin) return false;
      continue;
    }
    const double t0 = (lower[k] - margin - start[k]) * inverse_way[k];
    const double t1 = (upper[k] + margin - start[k]) * inverse_way[k];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  return enter <= leave;
}

std::uint64_t edge_key(int a, int b) {
  return std::uint64_t(std::uint32_t(std::min(a, b))) << 32 | std::uint32_t(std::max(a, b));
}

}  // namespace

MeshDistance::MeshDistance(const model::TriangleMesh& mesh) {
  struct EdgeSum {
    Vector3 normals = Vector3::Zero();
    int triangles = 0;
  };
  std::unordered_map<std::uint64_t, EdgeSum> edges;
  Points vertex_normals = Points::Zero(mesh.vertex_count(), 3);
  std::vector<bool> is_border_vertex(std::size_t(mesh.vertex_count()), false);
  std::vector<std::array<int, 3>> corners;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const std::array<int, 3> v{mesh.triangles(t, 0), mesh.triangles(t, 1), mesh.triangles(t, 2)};
    std::array<Vector3, 3> x;
    for (std::size_t k = 0; k < 3; ++k) x[k] = mesh.positions.row(v[k]).transpose();
    const Vector3 area = (x[1] - x[0]).cross(x[2] - x[0]);
    const double length = area.norm();
    if (!(length > 0)) continue;
    const Vector3 normal = area / length;
    triangles_.push_back({x[0], x[1], x[2], normal, int(corners.size())});
    corners.push_back(v);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3 to_next = x[(k + 1) % 3] - x[k], to_last = x[(k + 2) % 3] - x[k];
      vertex_normals.row(v[k]) += std::atan2(length, to_next.dot(to_last)) * normal.transpose();
      EdgeSum& edge = edges[edge_key(v[k], v[(k + 1) % 3])];
      edge.normals += normal;
      ++edge.triangles;
    }
  }
  if (triangles_.empty()) throw InputError("triangle surface: no triangle with an area, expected at least one");
  for (const auto& [key, edge] : edges) {
    if (edge.triangles != 1) continue;
    is_closed_ = false;
    is_border_vertex[key >> 32] = true;
    is_border_vertex[key & 0xffffffffu] = true;
  }
  features_.resize(triangles_.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const EdgeSum& edge = edges.at(edge_key(corners[t][k], corners[t][(k + 1) % 3]));
      features_[t].normals[k] = edge.normals.normalized();
      features_[t].is_on_border[k] = edge.triangles == 1;
      features_[t].normals[3 + k] = vertex_normals.row(corners[t][k]).transpose().normalized();
      features_[t].is_on_border[3 + k] = is_border_vertex[std::size_t(corners[t][k])];
    }
  }
  nodes_.reserve(triangles_.size());
  nodes_.emplace_back();
  build(0, 0, int(triangles_.size()));
  lower_ = nodes_[0].lower;
  upper_ = nodes_[0].upper;
}

void MeshDistance::build(int node, int begin, int end) {
  Vector3 lower = triangles_[std::size_t(begin)].a, upper = lower;
  for (int t = begin; t < end; ++t) {
    const Triangle& triangle = triangles_[std::size_t(t)];
    lower = lower.cwiseMin(triangle.a).cwiseMin(triangle.b).cwiseMin(triangle.c);
    upper = upper.cwiseMax(triangle.a).cwiseMax(triangle.b).cwiseMax(triangle.c);
  }
  nodes_[std::size_t(node)] = {lower, upper, begin, end - begin};
  if (end - begin <= kLeafTriangles) return;
  Eigen::Index axis = 0;
  (upper - lower).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  const auto centre = [axis](const Triangle& t) { return t.a[axis] + t.b[axis] + t.c[axis]; };
  std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle, triangles_.begin() + end,
                   [&](const Triangle& s, const Triangle& t) {
                     return std::pair(centre(s), s.number) < std::pair(centre(t), t.number);
                   });
  const int left = int(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[std::size_t(node)].first = left;
  nodes_[std::size_t(node)].count = 0;
  build(left, begin, middle);
  build(left + 1, middle, end);
}

std::optional<MeshDistance::Nearest> MeshDistance::nearest(const Vector3& point, double reach, int hint) const {
  double least = reach * reach;
  const Triangle* triangle = nullptr;
  Vector3 closest = Vector3::Zero();
  auto feature = model::TriangleFeature::Face;
  const auto look_at = [&](const Triangle& t) {
    const double above = t.normal.dot(point - t.a);
    if (above * above >= least) return;
    const model::ClosestOnTriangle found = model::closest_on_triangle(point, t.a, t.b, t.c);
    const Vector3 there = found.weights[0] * t.a + found.weights[1] * t.b + found.weights[2] * t.c;
    const double squared = (point - there).squaredNorm();
    if (squared >= least) return;
    least = squared;
    triangle = &t;
    closest = there;
    feature = found.feature;
  };
  if (hint >= 0) look_at(triangles_[std::size_t(hint)]);
  std::array<std::pair<int, double>, kDeepestLevel> stack;
  int height = 1;
  stack[0] = {0, squared_distance_to_box(point, lower_, upper_)};
  while (height > 0) {
    const auto [index, nearer] = stack[std::size_t(--height)];
    if (nearer >= least) continue;
    const Node& node = nodes_[std::size_t(index)];
    if (node.count == 0) {
      const Node& left = nodes_[std::size_t(node.first)];
      const Node& right = nodes_[std::size_t(node.first) + 1];
      std::pair far{node.first, squared_distance_to_box(point, left.lower, left.upper)};
      std::pair near{node.first + 1, squared_distance_to_box(point, right.lower, right.upper)};
      if (far.second < near.second) std::swap(far, near);
      if (far.second < least) stack[std::size_t(height++)] = far;
      if (near.second < least) stack[std::size_t(height++)] = near;
      continue;
    }
    for (int k = 0; k < node.count; ++k) look_at(triangles_[std::size_t(node.first + k)]);
  }
  if (triangle == nullptr) return std::nullopt;
  Nearest result{std::sqrt(least), closest, triangle->normal, false, int(triangle - triangles_.data())};
  if (feature != model::TriangleFeature::Face) {
    const Features& features = features_[std::size_t(triangle->number)];
    result.normal = features.normals[std::size_t(feature)];
    result.is_on_border = features.is_on_border[std::size_t(feature)];
  }
  const double side = result.normal.dot(point - closest) < 0 ? -1.0 : 1.0;
  // Away from the surface the gradient of the distance is the better normal; on it only the pseudo-normal is defined.
  if (feature != model::TriangleFeature::Face && result.distance > 1e-9 * diagonal())
    result.normal = side / result.distance * (point - closest);
  result.distance *= side;
  return result;
}

std::optional<MeshDistance::Entry> MeshDistance::first_entry(const Vector3& start, const Vector3& end,
                                                             double tolerance) const {
  const Vector3 way = end - start;
  const Vector3 inverse_way = way.cwiseInverse();
  std::optional<Entry> first;
  double until = 1.0;
  std::array<int, kDeepestLevel> stack;
  stack[0] = 0;
  int height = 1;
  while (height > 0) {
    const Node& node = nodes_[std::size_t(stack[std::size_t(--height)])];
    if (!meets_box(start, inverse_way, until, tolerance, node.lower, node.upper)) continue;
    if (node.count == 0) {
      stack[std::size_t(height++)] = node.first;
      stack[std::size_t(height++)] = node.first + 1;
      continue;
    }
    for (int k = 0; k < node.count; ++k) {
      const Triangle& t = triangles_[std::size_t(node.first + k)];
      const double before = t.normal.dot(start - t.a), after = t.normal.dot(end - t.a);
      if (!(after < 0 && before >= -tolerance && after < before)) continue;
      const double time = std::max(0.0, before / (before - after));
      if (time > until || (time == until && first)) continue;
      const Vector3 point = start + time * way;
      // Neighbouring triangles overlap by the tolerance, so that nothing slips through between them.
      const model::ClosestOnTriangle found = model::closest_on_triangle(point, t.a, t.b, t.c);
      const Vector3 there = found.weights[0] * t.a + found.weights[1] * t.b + found.weights[2] * t.c;
      if ((point - there).squaredNorm() > 4 * tolerance * tolerance) continue;
      until = time;
      first = Entry{time, there, t.normal};
    }
  }
  return first;
}

}  // namespace deformbench::numerics
