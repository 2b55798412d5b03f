// SPDX-License-Identifier: BSD-3-Clause
// Frames: fields of varying length of a body with changing topology, and arrays of the method. Internal to the run
// loop.
#pragma once

#include <string>
#include <vector>

#include "experiments/harness/probes/probe.hpp"
#include "experiments/harness/run/body_follower.hpp"

namespace deformbench::harness {

class FrameRecorder {
 public:
  /// Every frame has positions, velocities, tetrahedra (cloth: triangles), parents and the skin, and also plastic
  /// strains and heated elements if the method offers them and `row_names`, the series of the clock, lack them.
  /// `fields`: declared per-vertex channels. `arrays`: of the method (ArraysFacet). With fixed topology, frames have
  /// only `arrays`.
  FrameRecorder(const std::vector<std::string>& fields, const std::vector<std::string>& row_names,
                std::vector<std::string> arrays, const Simulation& simulation);

  void record(TraceWriter& writer, std::int64_t step, const ProbeInput& input, const BodyFollower& body) const;

 private:
  void add_mesh(const ProbeInput& input, const BodyFollower& body, TraceFrame& frame) const;

  std::vector<std::string> fields_;       ///< measured by probes
  std::vector<std::string> skin_fields_;  ///< beyond positions, normals and connectivity
  std::vector<std::string> arrays_;
};

}  // namespace deformbench::harness
