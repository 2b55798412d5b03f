// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/clock_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

bool has_channel(const std::vector<ChannelSpec>& channels, const std::string& name) {
  return std::any_of(channels.begin(), channels.end(), [&](const ChannelSpec& c) { return c.name == name; });
}

}  // namespace

ClockRecorder::ClockRecorder(std::string clock, const nlohmann::json& section, bool has_poses,
                             const std::string& method, const Scene& scene, const Simulation& simulation)
    : clock_(std::move(clock)), every_(section.value("every", std::int64_t{1})), has_poses_(has_poses) {
  if (every_ < 1) throw InputError(fmt::format("channels of clock '{}': every {}, expected ≥ 1", clock_, every_));
  std::size_t row_size = 0;
  if (has_poses_) {
    channels_.push_back({"pose_parameter", "1", "parameter", "Value of the imposed pose, in the unit of its field."});
    row_size = 1;
  }
  for (const auto& name : section.value("names", std::vector<std::string>{})) {
    if (has_channel(channels_, name)) continue;  // another name's probe yields it too
    std::unique_ptr<Probe> probe;
    try {
      probe = make_probe(name, scene, simulation);
    } catch (const InputError& error) {
      throw InputError(fmt::format("method {}, clock '{}': {}", method, clock_, error.what()));
    }
    std::size_t size = 0;
    for (auto& spec : probe->channels()) {
      size += spec.row_size();
      channels_.push_back(std::move(spec));
    }
    sizes_.push_back(size);
    row_size += size;
    probes_.push_back(std::move(probe));
  }
  row_.resize(row_size);
}

void ClockRecorder::record(TraceWriter& writer, std::int64_t step, const ProbeInput& input) {
  std::size_t offset = 0;
  if (has_poses_) row_[offset++] = input.pose_parameter;
  for (std::size_t k = 0; k < probes_.size(); ++k) {
    probes_[k]->measure(input, std::span(row_).subspan(offset, sizes_[k]));
    offset += sizes_[k];
  }
  writer.append(clock_, step, input.time, row_);
  times_.push_back(input.time);
  pose_values_.push_back(input.pose_parameter);
}

std::vector<ClockRecorder> make_recorders(const nlohmann::json& channels, bool has_poses, const std::string& method,
                                          const Scene& scene, const Simulation& simulation) {
  const std::vector<std::string> known =
      has_poses ? std::vector<std::string>{"pose", "operator", "frame"}
                : std::vector<std::string>{"step", "operator", "frame"};
  std::vector<ClockRecorder> recorders;
  for (const auto& [clock, section] : channels.items()) {
    if (std::find(known.begin(), known.end(), clock) == known.end())
      throw InputError(fmt::format("channels: clock '{}' does not go with this schedule, expected {}, {} or {}", clock,
                                   known[0], known[1], known[2]));
    recorders.emplace_back(clock, section, has_poses, method, scene, simulation);
  }
  return recorders;
}

}  // namespace deformbench::harness
