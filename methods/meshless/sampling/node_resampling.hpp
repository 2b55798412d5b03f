// SPDX-License-Identifier: BSD-3-Clause
// The scene of a solid whose nodes become more while it is simulated. [PKAGDG05] §4
#pragma once

#include <optional>

#include "methods/facets.hpp"
#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/sampling/resampling.hpp"
#include "methods/meshless/weights/crack_weights.hpp"
#include "methods/surface/ray_crossings.hpp"

namespace deformbench::meshless {

enum class Resampling {
  None,
  Cracks,  ///< nodes that a crack, or a new reference, has taken neighbours from
  All,     ///< every node, as printed: Ω of corners may be below Ω_min without a crack
};

struct NodeResamplingOptions {
  Resampling where = Resampling::None;
  ResamplingOptions rule;            ///< its least_support is from `least_support_ratio`
  double least_support_ratio = 0.5;  ///< of the smallest support at the start; 0: none
};

class NodeResampling final : public SimulationPart, public TopologyFacet {
 public:
  /// Keeps `scene`, which is the simulation's own, up to date.
  NodeResampling(Scene& scene, const NodeCloud& cloud, const NodeResamplingOptions& options, std::uint64_t seed);

  /// One pass over the cloud with Ω as the graph has it. What changed, after the scene has followed; nothing where no
  /// node was split.
  std::optional<Resampled> pass(const NodeCloud& cloud, const CrackWeights& weights);

  /// After the scene's nodes have got a new reference (cloud: the one before the first of them). From then on a node
  /// that has fewer neighbours than its ancestor had at first counts as one that a crack has taken neighbours from,
  /// parts share the volume of their node, and nodes that are held stay whole.
  void follow_reference(const NodeCloud& before);
  void follow_skin();  ///< after the scene's skin has moved

  const Scene& current_scene() const override { return scene_; }
  std::span<const int> parents() const override { return ancestors_; }
  std::int64_t topology_version() const override { return version_; }

  /// Of the last pass.
  const std::vector<NodeSplit>& splits() const { return splits_; }

 private:
  bool is_allowed(const TriangulatedCracks& cracks, const Vector3& from, const Vector3& to) const;
  void follow(const Resampled& resampled);
  bool has_lost_neighbours(const NodeCloud& cloud, std::size_t node) const;

  Scene& scene_;
  NodeResamplingOptions options_;
  numerics::RandomStream random_;
  std::optional<surface::RayCrossings> inside_;  ///< nothing where the scene has no skin
  std::vector<int> ancestors_;
  std::vector<std::size_t> first_counts_;  ///< neighbours of every first node; empty before the first new reference
  std::vector<NodeSplit> splits_;
  std::int64_t version_ = 0;
};

}  // namespace deformbench::meshless
