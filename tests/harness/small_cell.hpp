// SPDX-License-Identifier: BSD-3-Clause
// The specification of a small cell, for tests of what runs it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace deformbench::tests {

/// One row of a cell's channels: the channels `names`, every `every` steps.
inline nlohmann::json clock_of(std::vector<std::string> names, int every = 1) {
  return {{"every", every}, {"names", std::move(names)}};
}

/// Tier smoke, one thread, no references, expected to complete within ten seconds.
inline nlohmann::json small_cell(const std::string& scene, const std::string& method, int steps,
                                 nlohmann::json channels) {
  using nlohmann::json;
  return {{"format", "deformbench-cell"},
          {"experiment", "tests/small_cell"},
          {"tier", "smoke"},
          {"coordinates", json::object()},
          {"scene", {{"name", scene}, {"parameters", json::object()}}},
          {"method", {{"name", "body"}, {"id", method}, {"parameters", json::object()}}},
          {"schedule", {{"steps", steps}}},
          {"channels", std::move(channels)},
          {"references", json::array()},
          {"ensemble", json::object()},
          {"expect", {{"status", "completed"}}},
          {"timing", json::object()},
          {"threads", 1},
          {"seed", 1},
          {"time_limit_s", 10}};
}

}  // namespace deformbench::tests
