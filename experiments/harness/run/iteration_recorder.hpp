// SPDX-License-Identifier: BSD-3-Clause
// The clock `iteration`: observes the solver in the steps selected by a declaration. Internal to the run loop.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/probes/iteration_channels.hpp"
#include "experiments/harness/run/schedule.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {

class IterationRecorder {
 public:
  /// `section` is {"steps": [k, …], "names": […]}. Throws InputError for a schedule of poses, a step beyond the
  /// schedule, unknown channels, and a method that does not iterate, with its reason. Channels that its iterations
  /// lack are omitted (missing()). `simulation` must outlive the recorder.
  IterationRecorder(const nlohmann::json& section, const Schedule& schedule, const std::string& method,
                    Simulation& simulation);

  std::vector<ChannelSpec> channels() const;
  /// Omitted channels with the method's reason: "gradient_norm: …".
  const std::vector<std::string>& missing() const { return missing_; }
  /// simulation.step(), observed if `step` is selected; rows are written even if the step throws.
  StepReport step(TraceWriter& writer, std::int64_t step, double time);

 private:
  Simulation& simulation_;
  IterationFacet* facet_;
  std::vector<std::int64_t> steps_;
  std::vector<const IterationChannel*> channels_;
  std::vector<std::string> missing_;
  IterationLog log_;
};

/// Recorder of the clock `iteration` if a cell's `channels` have it.
std::optional<IterationRecorder> make_iteration_recorder(const nlohmann::json& channels, const Schedule& schedule,
                                                         const std::string& method, Simulation& simulation);

}  // namespace deformbench::harness
