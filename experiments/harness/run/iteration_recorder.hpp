// SPDX-License-Identifier: BSD-3-Clause
// The clock `iteration`: watches the solver in the steps that a declaration chooses. Internal to the run loop.
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
  /// `section` is {"steps": [k, …], "names": […]}. Throws InputError for a schedule of poses, a step that the schedule
  /// does not reach, unknown channels, and a method that does not iterate, with its reason. A channel that its
  /// iterations lack is left out (missing()). `simulation` must outlive the recorder.
  IterationRecorder(const nlohmann::json& section, const Schedule& schedule, const std::string& method,
                    Simulation& simulation);

  std::vector<ChannelSpec> channels() const;
  /// Channels that were asked for and are left out, with the method's reason: "gradient_norm: …".
  const std::vector<std::string>& missing() const { return missing_; }
  /// simulation.step(), watched where `step` is one that was chosen; its rows are written however it ends.
  StepReport step(TraceWriter& writer, std::int64_t step, double time);

 private:
  Simulation& simulation_;
  IterationFacet* facet_;
  std::vector<std::int64_t> steps_;
  std::vector<const IterationChannel*> channels_;
  std::vector<std::string> missing_;
  IterationLog log_;
};

/// Of the clock in a cell's `channels`; nothing where they do not have it.
std::optional<IterationRecorder> make_iteration_recorder(const nlohmann::json& channels, const Schedule& schedule,
                                                         const std::string& method, Simulation& simulation);

}  // namespace deformbench::harness
