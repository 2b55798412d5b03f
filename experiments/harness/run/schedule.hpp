// SPDX-License-Identifier: BSD-3-Clause
// The `schedule` section of a cell as numbers. Internal to the run loop and the timing pass.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "experiments/harness/run/poses.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::harness {

struct Schedule {
  /// Throws InputError unless it is exactly one of steps, duration_s, until_static and poses, and valid.
  Schedule(const nlohmann::json& schedule, double time_step);

  std::int64_t steps = 0;                 ///< until_static: maximum
  std::optional<double> static_residual;  ///< set by until_static
  std::optional<PoseSequence> poses;      ///< set by poses, without steps
};

/// Time (s) after which all loads and prescribed motions are constant.
double last_ramp_end(const Scene& scene);

}  // namespace deformbench::harness
