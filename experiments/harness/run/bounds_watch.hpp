// SPDX-License-Identifier: BSD-3-Clause
// Looks at the state after every step, of every method alike: is it finite, and within the bounds of its scene?
// Internal to the run loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/probes/body_measures.hpp"
#include "experiments/harness/run/body_follower.hpp"
#include "experiments/harness/run/physical_bounds.hpp"

namespace deformbench::harness {

class BoundsWatch {
 public:
  /// `body` is kept. `duration` in s. Throws InputError for bounds of the scene that are none.
  BoundsWatch(const BodyFollower& body, const Simulation& simulation, double duration);

  const BoundsInForce& bounds() const { return bounds_; }
  /// What is wrong with the state, in words: the first number that is not finite, or the bound it is over, with the
  /// numbers. One pass over vertices and edges.
  std::optional<std::string> defect(const StateView& state, int substeps);

 private:
  std::optional<std::string> over_stretch(const PointsView& positions);
  std::optional<std::string> over_energy(const StateView& state, int substeps) const;
  std::optional<std::string> over_distance(const StateView& state) const;

  const BodyFollower& body_;
  BoundsInForce bounds_;
  std::vector<RestEdge> edges_;
  std::int64_t version_;  ///< of the mesh that the edges are of
};

}  // namespace deformbench::harness
