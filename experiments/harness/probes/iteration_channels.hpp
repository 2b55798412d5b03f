// SPDX-License-Identifier: BSD-3-Clause
// The channels of the clock `iteration`: one row for every iteration of the steps that a declaration chooses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/iteration_log.hpp"

namespace deformbench::harness {

inline constexpr const char* kIterationClock = "iteration";

struct IterationChannel {
  ChannelSpec spec;
  bool is_always_there;
  std::optional<IterationQuantity> quantity;  ///< that the method must have; nothing: any that iterates
  double (*value)(const Iteration& row);
};

/// All of them, first those that are always there.
const std::vector<IterationChannel>& iteration_channels();
/// Their names: the channels of this clock, and of no other.
std::vector<std::string> iteration_channel_names();

}  // namespace deformbench::harness
