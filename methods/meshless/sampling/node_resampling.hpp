// SPDX-License-Identifier: BSD-3-Clause
// The scene of a solid whose nodes are split during simulation. [PKAGDG05] §4
#pragma once

#include <optional>

#include "methods/facets.hpp"
#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/meshless/sampling/resampling.hpp"
#include "methods/meshless/weights/crack_weights.hpp"
#include "methods/surface/ray_crossings.hpp"

namespace deformbench::meshless {

enum class Resampling {
  None,
  Cracks,  ///< nodes that have lost neighbours to a crack or a new reference
  All,     ///< every node, as printed: Ω at corners may be below Ω_min without a crack
};

struct NodeResamplingOptions {
  Resampling where = Resampling::None;
  ResamplingOptions rule;            ///< least_support is set by `least_support_ratio`
  double least_support_ratio = 0.5;  ///< relative to the smallest initial support; 0: none
};

class NodeResampling final : public SimulationPart, public TopologyFacet {
 public:
  /// Updates `scene`, which the simulation owns.
  NodeResampling(Scene& scene, const NodeCloud& cloud, const NodeResamplingOptions& options, std::uint64_t seed);

  /// One pass over the cloud with Ω of the graph. Returns the changes, already applied to the scene; nothing without
  /// splits.
  std::optional<Resampled> pass(const NodeCloud& cloud, const CrackWeights& weights);

  /// After the first new reference (`before`: the cloud before it). From then on, a node with fewer neighbours than its
  /// ancestor in `before` counts as having lost some to a crack, parts share their node's volume, and held
  /// nodes are not split.
  void follow_reference(const NodeCloud& before);
  void follow_skin();  ///< after the scene's skin has moved

  const Scene& current_scene() const override { return scene_; }
  std::span<const int> parents() const override { return ancestors_; }
  std::int64_t topology_version() const override { return version_; }

  /// Splits of the last pass.
  const std::vector<NodeSplit>& splits() const { return splits_; }

 private:
  bool is_allowed(const TriangulatedCracks& cracks, const Vector3& from, const Vector3& to) const;
  void follow(const Resampled& resampled);
  bool has_lost_neighbours(const NodeCloud& cloud, std::size_t node) const;

  Scene& scene_;
  NodeResamplingOptions options_;
  numerics::RandomStream random_;
  std::optional<surface::RayCrossings> inside_;  ///< empty if the scene has no skin
  std::vector<int> ancestors_;
  std::vector<std::size_t>
      first_counts_;  ///< neighbour counts of the original nodes; empty before the first new reference
  std::vector<NodeSplit> splits_;
  std::int64_t version_ = 0;
};

}  // namespace deformbench::meshless
