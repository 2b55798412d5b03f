// SPDX-License-Identifier: BSD-3-Clause
// Frames: of a body whose vertices split, as its fields have another length every time, and arrays of the method's own.
// Internal to the run loop.
#pragma once

#include <string>
#include <vector>

#include "experiments/harness/probes/probe.hpp"
#include "experiments/harness/run/body_follower.hpp"

namespace deformbench::harness {

class FrameRecorder {
 public:
  /// Positions, velocities, tetrahedra (triangles of a cloth), parents and the skin are in every frame, and so are
  /// plastic strains and heated elements where the method offers them and `row_names`, the series of the clock, do not
  /// have them already. `fields`: declared channels with a row for every vertex.
  /// `arrays`: of the method's own (ArraysFacet). A body that keeps its mesh has these alone in its frames.
  FrameRecorder(const std::vector<std::string>& fields, const std::vector<std::string>& row_names,
                std::vector<std::string> arrays, const Simulation& simulation);

  void record(TraceWriter& writer, std::int64_t step, const ProbeInput& input, const BodyFollower& body) const;

 private:
  void add_mesh(const ProbeInput& input, const BodyFollower& body, TraceFrame& frame) const;

  std::vector<std::string> fields_;       ///< by probes
  std::vector<std::string> skin_fields_;  ///< beyond positions, normals and connectivity
  std::vector<std::string> arrays_;
};

}  // namespace deformbench::harness
