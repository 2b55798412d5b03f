// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/timing_pass.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"
#include "tests/experiments/anchored_springs.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

json timing_spec(json timing, json parameters = json::object()) {
  return {{"scene", {{"name", "spinning_block"}, {"parameters", json::object()}}},
          {"method", {{"name", "springs"}, {"id", "anchored_springs"}, {"parameters", parameters}}},
          {"schedule", {{"steps", 10}}},
          {"timing", timing}};
}

TimingSamples timed(const json& spec) {
  return time_cell(spec, tests::spring_registry(), builtin_scenes());
}

TEST(TimingPass, EveryRepeatHasItsWarmUpAndAllItsRawSteps) {
  const auto samples =
      timed(timing_spec({{"repeats", 3}, {"warmup_steps", 2}, {"min_steps", 7}, {"min_seconds", 0.0}}));
  EXPECT_EQ(samples.status, CellStatus::Completed);
  EXPECT_EQ(samples.repeats, 3u);
  EXPECT_EQ(samples.steps, 7u);
  EXPECT_EQ(samples.create_seconds.size(), 3u);
  EXPECT_EQ(samples.warmup_seconds.size(), 6u);
  EXPECT_EQ(samples.step_seconds.size(), 21u);
  for (const double seconds : samples.step_seconds) EXPECT_GE(seconds, 0.0);
  EXPECT_GT(samples.peak_rss_bytes, 1'000'000);
  EXPECT_TRUE(samples.phase_names.empty());
}

TEST(TimingPass, FastStepsAreRepeatedUntilTheSecondsAskedFor) {
  const auto samples =
      timed(timing_spec({{"repeats", 1}, {"warmup_steps", 50}, {"min_steps", 1}, {"min_seconds", 0.01}}));
  EXPECT_GT(samples.steps, 50u);  // a step of springs takes microseconds
}

TEST(TimingPass, DivergenceAMissedToleranceAndRefusalAreReported) {
  const auto diverged = timed(timing_spec({{"repeats", 1}, {"warmup_steps", 5}}, {{"motion", "diverge"}}));
  EXPECT_EQ(diverged.status, CellStatus::Diverged);
  const auto missed = timed(timing_spec({{"repeats", 1}, {"warmup_steps", 5}}, {{"motion", "unconverged"}}));
  EXPECT_EQ(missed.status, CellStatus::Failed);
  EXPECT_EQ(missed.reason,
            "while it was timed the linear solver stopped after 3 iterations at a relative residual of 95, "
            "expected at most 1e-10");
  json spec = timing_spec({{"repeats", 1}});
  spec["scene"] = {{"name", "free_falling_block"}, {"parameters", {{"ground", "plane"}}}};
  EXPECT_EQ(timed(spec).status, CellStatus::Unsupported);
  EXPECT_EQ(timed(spec).reason, "springs know no colliders");
}

TEST(TimingPass, BadProtocolIsRefused) {
  EXPECT_THROW(timed(timing_spec({{"repeats", 0}})), InputError);
  json poses = timing_spec(json::object());
  poses["schedule"] = {{"poses", {{"field", "rest"}, {"values", {1}}}}};
  EXPECT_THROW(timed(poses), InputError);
}

}  // namespace
}  // namespace deformbench::harness
