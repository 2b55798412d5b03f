// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/neighbour_graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace deformbench::meshless {
namespace {

/// Regions are enlarged by this fraction of the support: far above rounding, far below a node spacing.
constexpr double kMargin = 1e-6;

numerics::Box box_about(const Vector3& a, const Vector3& b, double around = 0.0) {
  return {a.cwiseMin(b).array() - around, a.cwiseMax(b).array() + around};
}

/// Box of the k-th change: surfaces first, then fronts.
numerics::Box box_of_change(const CrackChanges& changes, int k) {
  const auto surfaces = int(changes.surfaces.size());
  if (k >= surfaces) {
    const FrontSegment& segment = changes.fronts[std::size_t(k - surfaces)];
    return box_about(segment.from, segment.to);
  }
  const auto& [a, b, c] = changes.surfaces[std::size_t(k)];
  return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
}

/// Minimum distance of two segments. [E05] §5.1.9
double distance_between(const Vector3& a, const Vector3& b, const FrontSegment& other) {
  const Vector3 u = b - a, v = other.to - other.from, w = a - other.from;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double determinant = uu * vv - uv * uv;
  double s = determinant > 0.0 ? std::clamp((uv * vw - uw * vv) / determinant, 0.0, 1.0) : 0.0;
  double t = vv > 0.0 ? (uv * s + vw) / vv : 0.0;
  if (!(t >= 0.0 && t <= 1.0)) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0.0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0;
  }
  return (w + s * u - t * v).norm();
}

/// Without crossing, exactly the plain weight.
double weight_of_pair(const NodeCloud& cloud, const WeightRule& rule, std::size_t node, std::size_t pair,
                      std::optional<double> depth) {
  if (!depth) return cloud.plain_weights[pair];
  const Vector3 way = cloud.rest.row(cloud.neighbours[pair]) - cloud.rest.row(Eigen::Index(node));
  return rule.weight(way.norm(), cloud.supports[node], depth);
}

}  // namespace

NeighbourGraph::NeighbourGraph(NodeCloud& cloud, const WeightRule& rule) : cloud_(cloud), rule_(rule) {
  reaches_.reserve(cloud.supports.size());
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const Vector3 x = cloud.rest.row(i);
    const double support = cloud.supports[std::size_t(i)];
    reaches_.push_back(box_about(x, x, (1.0 + kMargin) * support + rule_.separating_depth(support)));
  }
  nodes_.build(reaches_, 2.0 * *std::max_element(cloud.supports.begin(), cloud.supports.end()));
  counts_.pairs = std::int64_t(cloud.neighbours.size());
}

bool NeighbourGraph::weigh(const TriangulatedCracks& cracks, std::size_t node, std::size_t pair) {
  ++counts_.tested;
  const auto depth =
      cracks.crossing_depth(cloud_.rest.row(Eigen::Index(node)), cloud_.rest.row(cloud_.neighbours[pair]));
  const double weight = weight_of_pair(cloud_, rule_, node, pair, depth);
  if (weight == cloud_.weights[pair]) return false;
  cloud_.weights[pair] = weight;
  ++counts_.changed;
  return true;
}

/// A weight can change only if a new triangle is crossed, or if the crossing is less than the separating depth behind a
/// front segment that was added or removed: otherwise the depth is unchanged, or ω is 0 before and after.
const WeightCounts& NeighbourGraph::update(const TriangulatedCracks& cracks, const CrackChanges& changes) {
  counts_ = {.pairs = counts_.pairs};
  changed_nodes_.clear();
  if (rule_.kind == Weights::Plain) return counts_;
  std::vector<std::pair<int, int>> found;  // node and change: surfaces first, then fronts
  const auto surfaces = int(changes.surfaces.size());
  const auto fronts = rule_.kind == Weights::Transparency ? int(changes.fronts.size()) : 0;
  for (int k = 0; k < surfaces + fronts; ++k)
    nodes_.for_overlaps(box_of_change(changes, k), [&](int node) { found.push_back({node, k}); });
  std::sort(found.begin(), found.end());
  for (auto of = found.begin(); of != found.end();) {
    const int node = of->first;
    const auto next = std::find_if(of, found.end(), [&](const auto& entry) { return entry.first != node; });
    test_pairs(cracks, changes, std::size_t(node), {of, next});
    of = next;
  }
  return counts_;
}

/// Tests the pairs of the node that one of these changes may affect.
void NeighbourGraph::test_pairs(const TriangulatedCracks& cracks, const CrackChanges& changes, std::size_t node,
                                std::span<const std::pair<int, int>> near) {
  const Vector3 x = cloud_.rest.row(Eigen::Index(node));
  const double support = cloud_.supports[node], depth = rule_.separating_depth(support) + kMargin * support;
  bool has_changed = false;
  for (std::size_t p = cloud_.first[node]; p < cloud_.first[node + 1]; ++p) {
    const Vector3 y = cloud_.rest.row(cloud_.neighbours[p]);
    const numerics::Box way = box_about(x, y), reach = box_about(x, y, depth);
    const auto may_touch = [&](const std::pair<int, int>& entry) {
      const auto k = std::size_t(entry.second);
      if (k < changes.surfaces.size())
        return numerics::overlap(way, box_of_change(changes, entry.second)) && crosses(changes.surfaces[k], x, y);
      const FrontSegment& segment = changes.fronts[k - changes.surfaces.size()];
      return numerics::overlap(reach, box_about(segment.from, segment.to)) && distance_between(x, y, segment) <= depth;
    };
    if (std::any_of(near.begin(), near.end(), may_touch) && weigh(cracks, node, p)) has_changed = true;
  }
  if (!has_changed) return;
  set_node_gradients(cloud_, Eigen::Index(node));
  changed_nodes_.push_back(int(node));
  ++counts_.nodes;
}

const WeightCounts& NeighbourGraph::recompute(const TriangulatedCracks& cracks) {
  counts_ = {.pairs = counts_.pairs};
  changed_nodes_.clear();
  for (std::size_t node = 0; node < cloud_.supports.size(); ++node) {
    bool has_changed = false;
    for (std::size_t p = cloud_.first[node]; p < cloud_.first[node + 1]; ++p)
      if (weigh(cracks, node, p)) has_changed = true;
    if (!has_changed) continue;
    set_node_gradients(cloud_, Eigen::Index(node));
    changed_nodes_.push_back(int(node));
    ++counts_.nodes;
  }
  return counts_;
}

/// Every node counts itself as 1. Without cracks ω > 0 for all pairs, except by underflow at the end of a support.
std::vector<double> NeighbourGraph::normalised_sums() const {
  std::vector<double> sums;
  sums.reserve(cloud_.supports.size());
  for (std::size_t node = 0; node < cloud_.supports.size(); ++node) {
    double sum = 1.0;
    for (std::size_t p = cloud_.first[node]; p < cloud_.first[node + 1]; ++p)
      if (cloud_.plain_weights[p] != 0.0) sum += cloud_.weights[p] / cloud_.plain_weights[p];
    sums.push_back(sum);
  }
  return sums;
}

std::vector<int> NeighbourGraph::nodes_around(const Vector3& x) const {
  std::vector<int> found;
  nodes_.for_overlaps({x, x}, [&](int node) {
    if ((Vector3(cloud_.rest.row(node)) - x).norm() < cloud_.supports[std::size_t(node)]) found.push_back(node);
  });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<double> weights_of_all_pairs(const NodeCloud& cloud, const WeightRule& rule,
                                         const TriangulatedCracks& cracks) {
  std::vector<double> weights;
  weights.reserve(cloud.neighbours.size());
  for (std::size_t i = 0; i + 1 < cloud.first.size(); ++i)
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
      weights.push_back(weight_of_pair(
          cloud, rule, i, p,
          cracks.crossing_depth_of_all(cloud.rest.row(Eigen::Index(i)), cloud.rest.row(cloud.neighbours[p]))));
  return weights;
}

}  // namespace deformbench::meshless
