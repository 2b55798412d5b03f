// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

std::int64_t positive_integer(const json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_number_integer() || object[key].get<std::int64_t>() < 1)
    throw InputError(fmt::format("schedule: '{}' is {}, expected an integer ≥ 1", key,
                                 object.contains(key) ? object[key].dump() : "missing"));
  return object[key].get<std::int64_t>();
}

double positive_number(const json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_number() || !(object[key].get<double>() > 0))
    throw InputError(fmt::format("schedule: '{}' is {}, expected a number > 0", key,
                                 object.contains(key) ? object[key].dump() : "missing"));
  return object[key].get<double>();
}

}  // namespace

Schedule::Schedule(const json& schedule, double time_step) {
  if (!schedule.is_object() || schedule.size() != 1)
    throw InputError(fmt::format("schedule: got {}, expected exactly one of steps, duration_s, until_static, poses",
                                 schedule.dump()));
  if (schedule.contains("steps")) {
    steps = positive_integer(schedule, "steps");
  } else if (schedule.contains("duration_s")) {
    const double duration = positive_number(schedule, "duration_s");
    const double count = std::round(duration / time_step);
    if (!(count >= 1 && count < 1e12))
      throw InputError(fmt::format("schedule: 'duration_s' {} at a time step of {} s is {} steps, expected at least 1",
                                   duration, time_step, count));
    steps = std::int64_t(count);
  } else if (schedule.contains("until_static")) {
    static_residual = positive_number(schedule["until_static"], "residual");
    steps = positive_integer(schedule["until_static"], "max_steps");
  } else if (schedule.contains("poses")) {
    poses.emplace(schedule["poses"]);
  } else {
    throw InputError(fmt::format("schedule: '{}' is unknown, expected steps, duration_s, until_static or poses",
                                 schedule.begin().key()));
  }
}

double last_ramp_end(const Scene& scene) {
  double end = 0.0;
  for (const auto& motion : scene.prescribed) end = std::max(end, motion.ramp.end);
  for (const auto& load : scene.point_loads) end = std::max(end, load.ramp.last_change());
  for (const auto& load : scene.traction_loads) end = std::max(end, load.ramp.last_change());
  for (const auto& source : scene.heat_sources) end = std::max(end, source.ramp.last_change());
  for (const auto& crack : scene.cracks) end = std::max(end, crack.ramp.end);
  return end;
}

}  // namespace deformbench::harness
