// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/clock_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/harness/probes/iteration_channels.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

bool has_channel(const std::vector<ChannelSpec>& channels, const std::string& name) {
  return std::any_of(channels.begin(), channels.end(), [&](const ChannelSpec& c) { return c.name == name; });
}

}  // namespace

ClockRecorder::ClockRecorder(std::string clock, const nlohmann::json& section, bool has_poses,
                             const std::string& method, const BodyFollower& body, const Simulation& simulation)
    : clock_(std::move(clock)),
      every_(section.value("every", std::int64_t{1})),
      has_poses_(has_poses),
      version_(body.version()) {
  if (every_ < 1) throw InputError(fmt::format("channels of clock '{}': every {}, expected ≥ 1", clock_, every_));
  std::size_t row_size = 0;
  if (has_poses_) {
    channels_.push_back({"pose_parameter", "1", "parameter", "Value of the imposed pose, in the unit of its field."});
    row_size = 1;
  }
  std::vector<std::string> fields;
  for (const auto& name : section.value("names", std::vector<std::string>{})) {
    if (has_channel(channels_, name)) continue;  // already measured by another name's probe
    std::unique_ptr<Probe> probe;
    try {
      if (const auto why = lacks_facet_for(name, simulation)) {
        missing_.push_back(fmt::format("method {}, clock '{}': {}", method, clock_, *why));
        continue;
      }
      probe = make_probe(name, body.scene(), simulation);
    } catch (const InputError& error) {
      throw InputError(fmt::format("method {}, clock '{}': {}", method, clock_, error.what()));
    }
    const ChannelRows rows = channel_rows(name, body.scene(), simulation);
    if (body.changes_topology() && (rows == ChannelRows::Vertices || rows == ChannelRows::SkinVertices)) {
      if (clock_ != "frame")
        throw InputError(
            fmt::format("method {}, clock '{}': channel '{}' has a row for every vertex, and the method "
                        "changes their number, expected clock 'frame'",
                        method, clock_, name));
      fields.push_back(name);
      continue;
    }
    std::size_t size = 0;
    for (auto& spec : probe->channels()) {
      size += spec.row_size();
      channels_.push_back(std::move(spec));
    }
    sizes_.push_back(size);
    row_size += size;
    probes_.push_back(std::move(probe));
    names_.push_back(name);
  }
  row_.resize(row_size);
  const std::vector<std::string> arrays = arrays_of(section, method, simulation);
  if (clock_ != "frame" || !(body.changes_topology() || !arrays.empty())) return;
  std::vector<std::string> rows;
  for (const ChannelSpec& channel : channels_) rows.push_back(channel.name);
  frames_.emplace(fields, rows, arrays, simulation);
}

std::vector<std::string> ClockRecorder::arrays_of(const nlohmann::json& section, const std::string& method,
                                                  const Simulation& simulation) {
  const auto names = section.value("arrays", std::vector<std::string>{});
  if (names.empty()) return {};
  if (clock_ != "frame")
    throw InputError(fmt::format("clock '{}': arrays, expected names alone; arrays go with clock 'frame'", clock_));
  const auto* facet = find_facet<ArraysFacet>(simulation);
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (facet == nullptr) {
      missing_.push_back(fmt::format("method {}, clock 'frame': array '{}' needs ArraysFacet", method, name));
      continue;
    }
    const auto known = facet->array_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("method {}, clock 'frame': unknown array '{}', expected one of {}", method, name,
                                   fmt::join(known, ", ")));
    found.push_back(name);
  }
  return found;
}

void ClockRecorder::renew_probes(const ProbeInput& input) {
  for (std::size_t k = 0; k < probes_.size(); ++k)
    if (!probes_[k]->follows()) probes_[k] = make_probe(names_[k], input.scene, input.simulation);
}

bool ClockRecorder::follows() const {
  return std::any_of(probes_.begin(), probes_.end(), [](const auto& probe) { return probe->follows(); });
}

void ClockRecorder::follow(const ProbeInput& input) {
  for (const auto& probe : probes_)
    if (probe->follows()) probe->follow(input);
}

void ClockRecorder::record(TraceWriter& writer, std::int64_t step, const ProbeInput& input, const BodyFollower& body) {
  if (body.version() != version_) {
    renew_probes(input);
    version_ = body.version();
  }
  std::size_t offset = 0;
  if (has_poses_) row_[offset++] = input.pose_parameter;
  for (std::size_t k = 0; k < probes_.size(); ++k) {
    probes_[k]->measure(input, std::span(row_).subspan(offset, sizes_[k]));
    offset += sizes_[k];
  }
  writer.append(clock_, step, input.time, row_);
  if (frames_) frames_->record(writer, step, input, body);
  times_.push_back(input.time);
  pose_values_.push_back(input.pose_parameter);
}

std::vector<ClockRecorder> make_recorders(const nlohmann::json& channels, bool has_poses, const std::string& method,
                                          const BodyFollower& body, const Simulation& simulation) {
  const std::vector<std::string> known = has_poses ? std::vector<std::string>{"pose", "operator", "frame"}
                                                   : std::vector<std::string>{"step", "operator", "frame"};
  std::vector<ClockRecorder> recorders;
  for (const auto& [clock, section] : channels.items()) {
    if (clock == kIterationClock) continue;  // see iteration_recorder.hpp
    if (std::find(known.begin(), known.end(), clock) == known.end())
      throw InputError(fmt::format("channels: clock '{}' does not go with this schedule, expected {}, {} or {}", clock,
                                   known[0], known[1], known[2]));
    recorders.emplace_back(clock, section, has_poses, method, body, simulation);
  }
  if (!recorders.empty() &&
      std::all_of(recorders.begin(), recorders.end(), [](const ClockRecorder& r) { return r.is_empty(); }))
    throw InputError(recorders.front().missing().front());
  return recorders;
}

}  // namespace deformbench::harness
