// SPDX-License-Identifier: BSD-3-Clause
// Growing cracks of a scene, and their effect on the pairs of a cloud. [PKAGDG05] §2.1
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "methods/meshless/weights/neighbour_graph.hpp"

namespace deformbench::meshless {

class CrackWeights {
 public:
  /// Applies the scene's cracks at time 0 to the weights of `cloud`, which must outlive it.
  CrackWeights(const Scene& scene, const WeightRule& rule, NodeCloud& cloud);

  /// Advances prescribed cracks to `time` (s) and updates affected weights; returns whether any changed.
  bool advance_to(double time);

  /// Changes of the last advance.
  const CrackChanges& last_changes() const { return last_changes_; }

  TriangulatedCracks& cracks() { return cracks_; }
  const TriangulatedCracks& cracks() const { return cracks_; }
  NeighbourGraph& graph() { return *graph_; }
  const NeighbourGraph& graph() const { return *graph_; }
  /// Recomputes all pairs after rest nodes were added or moved.
  void renew_graph(NodeCloud& cloud);
  /// After the cloud got a new reference: maps the cracks by `place` (TriangulatedCracks::carry) and recomputes all
  /// pairs.
  void carry(const std::function<Vector3(const Vector3& x, const Vector3& normal)>& place, NodeCloud& cloud);

 private:
  /// A growing crack: initial front nodes, and the orientation of its surface along them.
  struct Growth {
    int crack;
    Vector3 advance;  ///< m
    model::Ramp ramp;
    std::vector<CrackFront> start;
    std::vector<bool> is_forward;  ///< per front: surface edges run in node order
    double share = 0.0;            ///< completed fraction of the advance
  };
  void add(const model::InitialCrack& crack);
  void grow(Growth& growth, double share);

  TriangulatedCracks cracks_;
  std::optional<NeighbourGraph> graph_;
  std::vector<Growth> growths_;
  CrackChanges last_changes_;
};

}  // namespace deformbench::meshless
