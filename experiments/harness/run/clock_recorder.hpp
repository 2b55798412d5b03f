// SPDX-License-Identifier: BSD-3-Clause
// The probes of one clock and when they measure. Internal to the run loop.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/probes/probe.hpp"
#include "experiments/harness/run/body_follower.hpp"
#include "experiments/harness/run/frame_recorder.hpp"

namespace deformbench::harness {

class ClockRecorder {
 public:
  /// `section` is {"every": k, "names": […]}. Throws InputError for unknown names, naming the method; channels that it
  /// lacks a facet for are left out and named by missing(). In a schedule of poses every clock also has the channel
  /// pose_parameter. Where topology changes, fields with a row for every vertex are no series: the clock `frame` writes
  /// them to /frames, other clocks refuse them.
  ClockRecorder(std::string clock, const nlohmann::json& section, bool has_poses, const std::string& method,
                const BodyFollower& body, const Simulation& simulation);

  const std::string& clock() const { return clock_; }
  const std::vector<ChannelSpec>& channels() const { return channels_; }
  /// A line for each channel that is left out.
  const std::vector<std::string>& missing() const { return missing_; }
  /// Whether all its channels are.
  bool is_empty() const { return !missing_.empty() && row_.empty() && !frames_; }
  /// Row 0, every k-th, and the last.
  bool is_due(std::int64_t step, bool is_last) const { return !is_empty() && (is_last || step % every_ == 0); }
  /// Whether a probe looks at every step, and lets it.
  bool follows() const;
  void follow(const ProbeInput& input);
  void record(TraceWriter& writer, std::int64_t step, const ProbeInput& input, const BodyFollower& body);

  const std::vector<double>& times() const { return times_; }  ///< of the rows of this member, s
  const std::vector<double>& pose_values() const { return pose_values_; }

 private:
  void renew_probes(const ProbeInput& input);
  /// Arrays of the method's own that are asked for; those it lacks are missing.
  std::vector<std::string> arrays_of(const nlohmann::json& section, const std::string& method,
                                     const Simulation& simulation);

  std::string clock_;
  std::int64_t every_ = 1;
  bool has_poses_;
  std::vector<ChannelSpec> channels_;
  std::vector<std::unique_ptr<Probe>> probes_;
  std::vector<std::string> names_;  ///< that the probes were asked for
  std::int64_t version_ = 0;        ///< of the mesh that the probes are for
  std::optional<FrameRecorder> frames_;
  std::vector<std::size_t> sizes_;  ///< of each probe's part of the row
  std::vector<double> row_;
  std::vector<std::string> missing_;
  std::vector<double> times_, pose_values_;
};

/// One recorder per clock of the spec's `channels` but `iteration`. Throws InputError for a clock that the schedule
/// does not have, and when the method can give none of all their channels.
std::vector<ClockRecorder> make_recorders(const nlohmann::json& channels, bool has_poses, const std::string& method,
                                          const BodyFollower& body, const Simulation& simulation);

}  // namespace deformbench::harness
