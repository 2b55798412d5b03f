// SPDX-License-Identifier: BSD-3-Clause
// The probes of one clock and their sampling times. Internal to the run loop.
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
  /// `section` is {"every": k, "names": […]}. Throws InputError for unknown names, naming the method; channels whose
  /// facet it lacks are omitted and listed by missing(). In a schedule of poses every clock also has the channel
  /// pose_parameter. If topology changes, per-vertex fields cannot be series: the clock `frame` writes them to
  /// /frames, other clocks reject them.
  ClockRecorder(std::string clock, const nlohmann::json& section, bool has_poses, const std::string& method,
                const BodyFollower& body, const Simulation& simulation);

  const std::string& clock() const { return clock_; }
  const std::vector<ChannelSpec>& channels() const { return channels_; }
  /// One line per omitted channel.
  const std::vector<std::string>& missing() const { return missing_; }
  /// Whether all channels are omitted.
  bool is_empty() const { return !missing_.empty() && row_.empty() && !frames_; }
  /// Row 0, every k-th, and the last.
  bool is_due(std::int64_t step, bool is_last) const { return !is_empty() && (is_last || step % every_ == 0); }
  /// Whether any probe accumulates over all steps.
  bool follows() const;
  void follow(const ProbeInput& input);
  void record(TraceWriter& writer, std::int64_t step, const ProbeInput& input, const BodyFollower& body);

  const std::vector<double>& times() const { return times_; }  ///< times of this member's rows, s
  const std::vector<double>& pose_values() const { return pose_values_; }

 private:
  void renew_probes(const ProbeInput& input);
  /// Requested arrays of the method; unavailable ones are listed as missing.
  std::vector<std::string> arrays_of(const nlohmann::json& section, const std::string& method,
                                     const Simulation& simulation);

  std::string clock_;
  std::int64_t every_ = 1;
  bool has_poses_;
  std::vector<ChannelSpec> channels_;
  std::vector<std::unique_ptr<Probe>> probes_;
  std::vector<std::string> names_;  ///< requested channels of the probes
  std::int64_t version_ = 0;        ///< mesh version of the probes
  std::optional<FrameRecorder> frames_;
  std::vector<std::size_t> sizes_;  ///< of each probe's segment of the row
  std::vector<double> row_;
  std::vector<std::string> missing_;
  std::vector<double> times_, pose_values_;
};

/// One recorder per clock of the spec's `channels`, except `iteration`. Throws InputError for a clock that the
/// schedule lacks, and if the method supports none of the channels.
std::vector<ClockRecorder> make_recorders(const nlohmann::json& channels, bool has_poses, const std::string& method,
                                          const BodyFollower& body, const Simulation& simulation);

}  // namespace deformbench::harness
