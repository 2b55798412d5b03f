// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/iteration_recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

[[noreturn]] void refuse(const std::string& method, const std::string& why) {
  throw InputError(fmt::format("method {}, clock '{}': {}", method, kIterationClock, why));
}

}  // namespace

IterationRecorder::IterationRecorder(const nlohmann::json& section, const Schedule& schedule, const std::string& method,
                                     Simulation& simulation)
    : simulation_(simulation), facet_(dynamic_cast<IterationFacet*>(&simulation)) {
  if (schedule.poses)
    throw InputError(fmt::format(
        "channels: clock '{}' does not go with a schedule of poses, which has no steps, expected another schedule",
        kIterationClock));
  steps_ = section.value("steps", std::vector<std::int64_t>{});
  if (steps_.empty()) refuse(method, "no steps, expected 'steps' with the numbers of those to watch");
  for (const std::int64_t step : steps_)
    if (step < 1 || step > schedule.steps)
      refuse(method, fmt::format("step {}, expected 1 to {}", step, schedule.steps));
  if (facet_ == nullptr) refuse(method, "the method lacks the facet it needs, expected IterationFacet");
  if (const Support iterates = facet_->iterates(); !iterates.supported) refuse(method, iterates.reason);

  for (const IterationChannel& channel : iteration_channels())
    if (channel.is_always_there) channels_.push_back(&channel);
  for (const auto& name : section.value("names", std::vector<std::string>{})) {
    const auto& all = iteration_channels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.spec.name == name; });
    if (found == all.end())
      refuse(method, fmt::format("channel '{}': unknown, expected one of {}", name,
                                 fmt::join(iteration_channel_names(), ", ")));
    if (found->is_always_there) continue;
    if (found->quantity)
      if (const Support has = facet_->iterations_have(*found->quantity); !has.supported) {
        missing_.push_back(fmt::format("{}: {}", name, has.reason));
        continue;
      }
    channels_.push_back(&*found);
  }
}

std::vector<ChannelSpec> IterationRecorder::channels() const {
  std::vector<ChannelSpec> specs;
  for (const IterationChannel* channel : channels_) specs.push_back(channel->spec);
  return specs;
}

StepReport IterationRecorder::step(TraceWriter& writer, std::int64_t step, double time) {
  if (std::find(steps_.begin(), steps_.end(), step) == steps_.end()) return simulation_.step();
  facet_->watch_iterations(&log_);
  const auto write = [&] {
    facet_->watch_iterations(nullptr);
    std::vector<double> row;
    for (const Iteration& iteration : log_.rows()) {
      row.clear();
      for (const IterationChannel* channel : channels_) row.push_back(channel->value(iteration));
      writer.append(kIterationClock, step, time, row);
    }
  };
  log_.begin_step();
  StepReport report;
  try {
    report = simulation_.step();
  } catch (...) {
    write();
    throw;
  }
  write();
  return report;
}

std::optional<IterationRecorder> make_iteration_recorder(const nlohmann::json& channels, const Schedule& schedule,
                                                         const std::string& method, Simulation& simulation) {
  if (!channels.contains(kIterationClock)) return std::nullopt;
  return std::optional<IterationRecorder>(std::in_place, channels.at(kIterationClock), schedule, method, simulation);
}

}  // namespace deformbench::harness
