// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

TEST(Schedule, DurationIsRoundedToTheNearestNumberOfSteps) {
  EXPECT_EQ(Schedule(json{{"duration_s", 1.0}}, 0.01).steps, 100);
  EXPECT_EQ(Schedule(json{{"duration_s", 0.3}}, 0.1).steps, 3);  // 0.3/0.1 < 3 in floating point
  EXPECT_EQ(Schedule(json{{"duration_s", 1.0}}, 0.3).steps, 3);
  EXPECT_EQ(Schedule(json{{"steps", 7}}, 0.3).steps, 7);
}

TEST(Schedule, UntilStaticHasAResidualAndALimit) {
  const Schedule schedule(json{{"until_static", {{"residual", 1e-8}, {"max_steps", 50}}}}, 1.0);
  EXPECT_EQ(schedule.steps, 50);
  EXPECT_EQ(schedule.static_residual, 1e-8);
}

TEST(Schedule, BadSchedulesAreRefusedWithWhatWasExpected) {
  const std::vector<std::pair<json, std::string>> cases{
      {json::object(), "exactly one of"},
      {{{"steps", 3}, {"duration_s", 1.0}}, "exactly one of"},
      {{{"stepz", 3}}, "'stepz' is unknown"},
      {{{"steps", 0}}, "'steps' is 0, expected an integer"},
      {{{"steps", 1.5}}, "'steps' is 1.5, expected an integer"},
      {{{"duration_s", 0.001}}, "is 0 steps"},
      {{{"until_static", {{"residual", 0.0}, {"max_steps", 5}}}}, "'residual' is 0.0"},
      {{{"until_static", {{"residual", 1.0}}}}, "'max_steps' is missing"},
  };
  for (const auto& [schedule, message] : cases) {
    try {
      Schedule parsed(schedule, 0.01);
      FAIL() << schedule << " accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message)) << schedule;
    }
  }
}

TEST(Schedule, LastRampEndIsThatOfTheSlowestLoadOrMotion) {
  EXPECT_EQ(last_ramp_end(tests::built("root_rotated_bar", {{"ramp_s", 2.5}})), 2.5);
  EXPECT_EQ(last_ramp_end(tests::built("step_load_bar", {{"ramp_s", 0.5}})), 0.5);
  Scene scene = tests::built("bar");
  EXPECT_EQ(last_ramp_end(scene), 0.0);
  scene.cracks.emplace_back().ramp.end = 1.5;
  EXPECT_EQ(last_ramp_end(scene), 1.5);
  scene.heat_sources.emplace_back().ramp.until = 3.0;
  EXPECT_EQ(last_ramp_end(scene), 3.0);
}

}  // namespace
}  // namespace deformbench::harness
