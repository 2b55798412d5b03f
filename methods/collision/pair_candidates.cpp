// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/pair_candidates.hpp"

#include <algorithm>

namespace deformbench::collision {
namespace {

template <class Corners>
numerics::Box swept_box(const Points& start, const Points& end, const Corners& corners, double reach) {
  const numerics::Box a = numerics::box_around(start, corners), b = numerics::box_around(end, corners);
  const Vector3 half = Vector3::Constant(0.5 * reach);
  return {a.low.cwiseMin(b.low) - half, a.high.cwiseMax(b.high) + half};
}

double cell_size(const std::vector<numerics::Box>& boxes) {
  double sum = 0.0;
  for (const numerics::Box& box : boxes) sum += (box.high - box.low).maxCoeff();
  return sum > 0.0 ? 1.1 * sum / double(boxes.size()) : 1.0;
}

}  // namespace

PairCandidates::PairCandidates(Eigen::Index vertex_count, const Triangles& triangles, bool points_faces,
                               bool edges_edges)
    : triangles_(triangles), points_faces_(points_faces), edges_edges_(edges_edges) {
  std::vector<char> is_used(std::size_t(vertex_count), 0);
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
      edges_.push_back({std::min(a, b), std::max(a, b)});
      is_used[std::size_t(a)] = 1;
    }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (std::size_t i = 0; i < is_used.size(); ++i)
    if (is_used[i]) points_.push_back(int(i));
}

const std::vector<Candidate>& PairCandidates::find(const Points& start, const Points& end, double reach) {
  found_.clear();
  if (points_faces_) {
    boxes_.clear();
    for (Eigen::Index t = 0; t < triangles_.rows(); ++t)
      boxes_.push_back(swept_box(start, end, triangles_.row(t), reach));
    hash_.build(boxes_, cell_size(boxes_));
    for (const int p : points_)
      hash_.for_overlaps(swept_box(start, end, Eigen::Matrix<int, 1, 1>(p), reach), [&](int t) {
        const int a = triangles_(t, 0), b = triangles_(t, 1), c = triangles_(t, 2);
        if (p != a && p != b && p != c) found_.push_back({PairKind::PointTriangle, {p, a, b, c}});
      });
  }
  if (edges_edges_) {
    boxes_.clear();
    for (const auto& edge : edges_) boxes_.push_back(swept_box(start, end, Eigen::Vector2i(edge[0], edge[1]), reach));
    hash_.build(boxes_, cell_size(boxes_));
    for (int e = 0; e < int(edges_.size()); ++e) {
      const auto [a, b] = edges_[std::size_t(e)];
      hash_.for_overlaps(boxes_[std::size_t(e)], [&](int f) {
        const auto [c, d] = edges_[std::size_t(f)];
        if (f > e && a != c && a != d && b != c && b != d) found_.push_back({PairKind::EdgeEdge, {a, b, c, d}});
      });
    }
  }
  return found_;
}

}  // namespace deformbench::collision
