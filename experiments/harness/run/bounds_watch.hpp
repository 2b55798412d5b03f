// SPDX-License-Identifier: BSD-3-Clause
// Checks the state after every step, identically for all methods: finite, and within the scene's bounds.
// Internal to the run loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/probes/body_measures.hpp"
#include "experiments/harness/run/body_follower.hpp"
#include "experiments/harness/run/physical_bounds.hpp"

namespace deformbench::harness {

/// The elastic energy, which may cost more than a step, is evaluated in checks 1 (start), 2, 4, 8 and every 16th.
inline constexpr int kElasticEvery = 16;

class BoundsWatch {
 public:
  /// `body` and `simulation` must outlive this object. `duration` in s. Throws InputError for invalid bounds in the
  /// scene.
  BoundsWatch(const BodyFollower& body, const Simulation& simulation, double duration);

  const BoundsInForce& bounds() const { return bounds_; }
  /// Description of the first defect: a number that is not finite, or a violated bound with its values. One pass over
  /// vertices and edges.
  std::optional<std::string> defect(const StateView& state, int substeps);

 private:
  std::optional<std::string> over_stretch(const PointsView& positions);
  std::optional<std::string> over_energy(const StateView& state, int substeps);
  std::optional<std::string> over_distance(const StateView& state) const;

  const BodyFollower& body_;
  BoundsInForce bounds_;
  /// Null: the method states no elastic energy, or this scene does not bound it.
  const ElasticityFacet* elasticity_;
  unsigned calls_ = 0;  ///< of over_energy
  std::vector<RestEdge> edges_;
  std::int64_t version_;  ///< mesh version of the edges
};

}  // namespace deformbench::harness
