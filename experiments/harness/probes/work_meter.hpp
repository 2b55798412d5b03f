// SPDX-License-Identifier: BSD-3-Clause
// Adds up external work over the steps of a run. Internal to the probes.
#pragma once

#include "experiments/harness/probes/probe.hpp"

namespace deformbench::harness {

class WorkMeter {
 public:
  /// `is_driven`: the scene moves vertices; then the simulation must offer ElasticityFacet.
  explicit WorkMeter(bool is_driven) : is_driven_(is_driven) {}
  /// Every state of the run once, from the start on. In a step in which vertices split, loads count as at its start,
  /// and moved vertices do not count.
  void follow(const ProbeInput& input);
  /// J, of loads and moved vertices; NaN before the first state (and of imposed poses).
  double work() const;

 private:
  bool is_driven_, started_ = false;
  double work_ = 0.0, time_ = 0.0;
  Points positions_, velocities_, loads_, internal_;
  Eigen::VectorXd masses_;
};

}  // namespace deformbench::harness
