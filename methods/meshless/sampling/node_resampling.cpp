// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/sampling/node_resampling.hpp"

#include <algorithm>
#include <numeric>

namespace deformbench::meshless {
namespace {

constexpr std::uint64_t kPlacesStream = 7;  // random stream of the seed, separate from others

/// Appends rows for added nodes, copied from their parents.
void extend(Points& rows, const std::vector<int>& parents) {
  if (rows.rows() == 0) return;
  const Eigen::Index before = rows.rows();
  rows.conservativeResize(Eigen::Index(parents.size()), 3);
  for (auto k = std::size_t(before); k < parents.size(); ++k) rows.row(Eigen::Index(k)) = rows.row(parents[k]);
}

}  // namespace

NodeResampling::NodeResampling(Scene& scene, const NodeCloud& cloud, const NodeResamplingOptions& options,
                               std::uint64_t seed)
    : scene_(scene), options_(options), random_(seed, kPlacesStream), ancestors_(cloud.supports.size()) {
  options_.rule.least_support =
      options.least_support_ratio * *std::min_element(cloud.supports.begin(), cloud.supports.end());
  std::iota(ancestors_.begin(), ancestors_.end(), 0);
  if (scene.skin.triangle_count() > 0) inside_.emplace(scene.skin);
}

bool NodeResampling::is_allowed(const TriangulatedCracks& cracks, const Vector3& from, const Vector3& to) const {
  return (!inside_ || inside_->winding(to) != 0) && !cracks.crossing_depth(from, to);
}

std::optional<Resampled> NodeResampling::pass(const NodeCloud& cloud, const CrackWeights& weights) {
  std::vector<double> sums = weights.graph().normalised_sums();
  if (options_.where == Resampling::Cracks)
    for (std::size_t i = 0; i < sums.size(); ++i) {
      bool is_cut = false;
      for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
        is_cut = is_cut || cloud.weights[p] < cloud.plain_weights[p];
      if (!is_cut && !has_lost_neighbours(cloud, i)) sums[i] = options_.rule.least_sum;
    }
  if (!first_counts_.empty())
    for (const auto& motion : scene_.prescribed)
      for (const int node : motion.vertices) sums[std::size_t(node)] = options_.rule.least_sum;
  Resampled resampled = resample(
      {cloud.rest, cloud.supports, cloud.masses}, sums, options_.rule,
      [&](const Vector3& from, const Vector3& to) { return is_allowed(weights.cracks(), from, to); }, random_);
  splits_ = resampled.splits;
  if (splits_.empty()) return {};
  follow(resampled);
  return resampled;
}

void NodeResampling::follow_reference(const NodeCloud& before) {
  if (first_counts_.empty())
    for (std::size_t i = 0; i < before.supports.size(); ++i)
      first_counts_.push_back(before.first[i + 1] - before.first[i]);
}

void NodeResampling::follow_skin() {
  if (scene_.skin.triangle_count() > 0) inside_.emplace(scene_.skin);
}

bool NodeResampling::has_lost_neighbours(const NodeCloud& cloud, std::size_t node) const {
  return !first_counts_.empty() &&
         cloud.first[node + 1] - cloud.first[node] < first_counts_[std::size_t(ancestors_[node])];
}

/// Parts of a node inherit its sets and prescribed motion. Loads stay on the first part.
void NodeResampling::follow(const Resampled& resampled) {
  const std::vector<int>& parents = resampled.parents;
  const std::size_t before = ancestors_.size();
  std::vector<std::vector<int>> added(before);
  for (std::size_t k = before; k < parents.size(); ++k) {
    added[std::size_t(parents[k])].push_back(int(k));
    ancestors_.push_back(ancestors_[std::size_t(parents[k])]);
  }
  auto& nodes = scene_.particles;
  nodes.rest_positions = resampled.nodes.positions;
  nodes.supports = Eigen::Map<const Eigen::VectorXd>(resampled.nodes.supports.data(), Eigen::Index(parents.size()));
  nodes.masses.conservativeResize(Eigen::Index(parents.size()));
  for (const NodeSplit& split : resampled.splits) {
    const std::vector<double> shares = shares_of(nodes.masses[split.node], split.parts);
    nodes.masses[split.node] = shares[0];
    for (std::size_t k = 1; k < shares.size(); ++k) nodes.masses[added[std::size_t(split.node)][k - 1]] = shares[k];
  }
  extend(scene_.initial_positions, parents);
  extend(scene_.initial_velocities, parents);
  const auto add_parts = [&](std::vector<int>& list, auto&& also) {
    for (std::size_t k = 0, count = list.size(); k < count; ++k)
      for (const int part : added[std::size_t(list[k])]) {
        list.push_back(part);
        also(k);
      }
  };
  for (auto& [name, set] : scene_.vertex_sets) add_parts(set, [](std::size_t) {});
  for (auto& motion : scene_.prescribed)
    add_parts(motion.vertices, [&](std::size_t k) {
      if (motion.targets.rows() == 0) return;
      motion.targets.conservativeResize(motion.targets.rows() + 1, 3);
      motion.targets.row(motion.targets.rows() - 1) = motion.targets.row(Eigen::Index(k));
    });
  ++version_;
}

}  // namespace deformbench::meshless
