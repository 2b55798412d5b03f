// SPDX-License-Identifier: BSD-3-Clause
// Accumulates external work over the steps of a run. Internal to the probes.
#pragma once

#include "experiments/harness/probes/probe.hpp"

namespace deformbench::harness {

class WorkMeter {
 public:
  /// `is_driven`: the scene moves vertices; this requires ElasticityFacet.
  explicit WorkMeter(bool is_driven) : is_driven_(is_driven) {}
  /// Call once per state of the run, including the start. In a step with vertex splits, loads at its start are used
  /// and moved vertices are ignored.
  void follow(const ProbeInput& input);
  /// J, by moved vertices and loads except gravity; NaN before a first state (poses).
  double work() const;

 private:
  bool is_driven_, started_ = false;
  double work_ = 0.0, time_ = 0.0;
  Points positions_, velocities_, loads_, internal_;
  Eigen::VectorXd masses_;
};

}  // namespace deformbench::harness
