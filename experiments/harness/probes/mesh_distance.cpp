// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/mesh_distance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "experiments/harness/probes/cloth_edges.hpp"

namespace deformbench::harness {
namespace {

constexpr int kLeafTriangles = 4;

double squared_distance(const Vector3& low, const Vector3& high, const Vector3& point) {
  return (low - point).cwiseMax(point - high).cwiseMax(0.0).squaredNorm();
}

double angle_between(const Vector3& u, const Vector3& v) { return std::atan2(u.cross(v).norm(), u.dot(v)); }

}  // namespace

// The plane's regions by signs of dot products: corners, then edges, then the face (C. Ericson, Real-Time Collision
// Detection, §5.1.5).
Vector3 nearest_weights(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& point) {
  const Vector3 ab = b - a, ac = c - a, ap = point - a, bp = point - b, cp = point - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double va = d3 * d6 - d5 * d4, bc = (d4 - d3) + (d5 - d6);
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {0, 1 - (d4 - d3) / bc, (d4 - d3) / bc};
  const double sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

MeshDistance::MeshDistance(model::TriangleMesh mesh) : mesh_(std::move(mesh)) {
  const auto count = static_cast<std::size_t>(mesh_.triangle_count());
  vertex_normals_ = Points::Zero(mesh_.vertex_count(), 3);
  std::vector<Vector3> face_normals(count);
  for (std::size_t t = 0; t < count; ++t) {
    std::array<Vector3, 3> x;
    for (int k = 0; k < 3; ++k) x[static_cast<std::size_t>(k)] = mesh_.positions.row(mesh_.triangles(static_cast<Eigen::Index>(t), k));
    face_normals[t] = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
    for (std::size_t k = 0; k < 3; ++k)
      vertex_normals_.row(mesh_.triangles(static_cast<Eigen::Index>(t), static_cast<int>(k))) +=
          angle_between(x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]) * face_normals[t].transpose();
  }
  edge_normals_.assign(count, {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()});
  is_rim_vertex_.assign(static_cast<std::size_t>(mesh_.vertex_count()), false);
  for (const ClothEdge& edge : cloth_edges(mesh_.triangles)) {
    if (!edge.is_interior()) {
      is_closed_ = false;
      is_rim_vertex_[static_cast<std::size_t>(edge.a)] = is_rim_vertex_[static_cast<std::size_t>(edge.b)] = true;
      continue;
    }
    const Vector3 sum = face_normals[static_cast<std::size_t>(edge.forward)] + face_normals[static_cast<std::size_t>(edge.backward)];
    for (const int t : {edge.forward, edge.backward})
      for (int k = 0; k < 3; ++k) {
        const int from = mesh_.triangles(t, k), to = mesh_.triangles(t, (k + 1) % 3);
        if (std::min(from, to) == edge.a && std::max(from, to) == edge.b)
          edge_normals_[static_cast<std::size_t>(t)][static_cast<std::size_t>(k)] = sum;
      }
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(count);
  if (count > 0) build(0, static_cast<int>(count));
}

int MeshDistance::build(int first, int count) {
  const int index = static_cast<int>(nodes_.size());
  Node node{Vector3::Constant(std::numeric_limits<double>::infinity()), Vector3::Constant(-std::numeric_limits<double>::infinity()),
            first, count, -1};
  for (int i = first; i < first + count; ++i)
    for (int k = 0; k < 3; ++k) {
      const Vector3 x = mesh_.positions.row(mesh_.triangles(order_[static_cast<std::size_t>(i)], k));
      node.low = node.low.cwiseMin(x);
      node.high = node.high.cwiseMax(x);
    }
  nodes_.push_back(node);
  if (count <= kLeafTriangles) return index;
  int axis = 0;
  (node.high - node.low).maxCoeff(&axis);
  const auto centre = [&](int t) {
    return mesh_.positions(mesh_.triangles(t, 0), axis) + mesh_.positions(mesh_.triangles(t, 1), axis) +
           mesh_.positions(mesh_.triangles(t, 2), axis);
  };
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int l, int r) { return centre(l) < centre(r); });
  build(first, count / 2);
  const int right = build(first + count / 2, count - count / 2);
  nodes_[static_cast<std::size_t>(index)].right = right;
  return index;
}

void MeshDistance::search(int index, const Vector3& point, Nearest& best) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  if (node.right < 0) {
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = order_[static_cast<std::size_t>(i)];
      const Vector3 a = mesh_.positions.row(mesh_.triangles(t, 0)), b = mesh_.positions.row(mesh_.triangles(t, 1)),
                    c = mesh_.positions.row(mesh_.triangles(t, 2));
      const Vector3 weights = nearest_weights(a, b, c, point);
      const double squared = (weights[0] * a + weights[1] * b + weights[2] * c - point).squaredNorm();
      if (squared < best.squared) best = {squared, t, weights};
    }
    return;
  }
  std::array<int, 2> children{index + 1, node.right};
  std::array<double, 2> bound;
  for (std::size_t k = 0; k < 2; ++k) {
    const Node& child = nodes_[static_cast<std::size_t>(children[k])];
    bound[k] = squared_distance(child.low, child.high, point);
  }
  if (bound[1] < bound[0]) {
    std::swap(children[0], children[1]);
    std::swap(bound[0], bound[1]);
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (bound[k] < best.squared) search(children[k], point, best);
}

double MeshDistance::at(const Vector3& point) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (nodes_.empty()) return kFar;
  if (is_closed_ && squared_distance(nodes_[0].low, nodes_[0].high, point) > 0.0) return kFar;
  Nearest best{kFar, -1, Vector3::Zero()};
  search(0, point, best);
  const auto corner = [&](int k) { return mesh_.triangles(best.triangle, k); };
  Vector3 nearest = Vector3::Zero(), normal = Vector3::Zero();
  int touched = 0, only = 0, missing = 0;
  for (int k = 0; k < 3; ++k) {
    nearest += best.weights[k] * mesh_.positions.row(corner(k)).transpose();
    if (best.weights[k] > 0.0) {
      ++touched;
      only = k;
    } else {
      missing = k;
    }
  }
  if (touched == 3) {
    const Vector3 a = mesh_.positions.row(corner(0)), b = mesh_.positions.row(corner(1)), c = mesh_.positions.row(corner(2));
    normal = (b - a).cross(c - a);
  } else if (touched == 2) {  // the edge after the corner that is missing
    normal = edge_normals_[static_cast<std::size_t>(best.triangle)][static_cast<std::size_t>((missing + 1) % 3)];
  } else if (!is_rim_vertex_[static_cast<std::size_t>(corner(only))]) {
    normal = vertex_normals_.row(corner(only));
  }
  return (point - nearest).dot(normal) < 0.0 ? -std::sqrt(best.squared) : std::sqrt(best.squared);
}

}  // namespace deformbench::harness
