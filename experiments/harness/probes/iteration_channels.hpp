// SPDX-License-Identifier: BSD-3-Clause
// The channels of the clock `iteration`: one row per iteration of the steps selected by a declaration.
#pragma once

#include <functional>
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
  std::optional<IterationQuantity> quantity;  ///< required of the method; nothing: any iterative method
  std::function<double(const Iteration&)> value;
};

/// All iteration channels; those that are always available come first.
const std::vector<IterationChannel>& iteration_channels();
/// Their names; no other clock has them.
std::vector<std::string> iteration_channel_names();

}  // namespace deformbench::harness
