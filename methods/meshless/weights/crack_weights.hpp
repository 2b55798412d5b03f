// SPDX-License-Identifier: BSD-3-Clause
// The cracks of a scene, as they grow, and what they do to the pairs of a cloud. [PKAGDG05] §2.1
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "methods/meshless/weights/neighbour_graph.hpp"

namespace deformbench::meshless {

class CrackWeights {
 public:
  /// Blocks the pairs of `cloud`, which must outlive it, with the cracks of the scene at time 0.
  CrackWeights(const Scene& scene, const WeightRule& rule, NodeCloud& cloud);

  /// Lets prescribed cracks grow to where they are at `time` (s), and updates what they touch; whether a weight
  /// changed.
  bool advance_to(double time);

  /// What the last advance added and moved.
  const CrackChanges& last_changes() const { return last_changes_; }

  TriangulatedCracks& cracks() { return cracks_; }
  const TriangulatedCracks& cracks() const { return cracks_; }
  NeighbourGraph& graph() { return *graph_; }
  const NeighbourGraph& graph() const { return *graph_; }
  /// After nodes were added to the cloud, or have moved at rest: all pairs anew.
  void renew_graph(NodeCloud& cloud);
  /// After the cloud has got a new reference: the cracks go where `place` takes them (TriangulatedCracks::carry), and
  /// all pairs are weighed anew.
  void carry(const std::function<Vector3(const Vector3& x, const Vector3& normal)>& place, NodeCloud& cloud);

 private:
  /// A crack that grows: where its front nodes began, and which way its surface is wound along them.
  struct Growth {
    int crack;
    Vector3 advance;  ///< m
    model::Ramp ramp;
    std::vector<CrackFront> start;
    std::vector<bool> is_forward;  ///< of every front: the surface has its edges in the direction of the nodes
    double share = 0.0;            ///< of the advance that is done
  };
  void add(const model::InitialCrack& crack);
  void grow(Growth& growth, double share);

  TriangulatedCracks cracks_;
  std::optional<NeighbourGraph> graph_;
  std::vector<Growth> growths_;
  CrackChanges last_changes_;
};

}  // namespace deformbench::meshless
