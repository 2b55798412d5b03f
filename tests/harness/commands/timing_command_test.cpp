// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/trace_reader.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::HasSubstr;

using TimeCommand = CommandTest;

const json kQuickTiming = {{"repeats", 5}, {"warmup_steps", 2}, {"min_steps", 4}, {"min_seconds", 0.0}};

TEST_F(TimeCommand, KeepsEverySampleOfEveryRepeat) {
  declare({{"step_seconds", 0.002}}, {{"timing", kQuickTiming}});
  ASSERT_EQ(faulty("time faults.json --out out").exit_code, 0) << contents(folder_ / "stderr");
  ASSERT_EQ(traces(".timing.h5").size(), 1u);
  const TraceReader trace(traces(".timing.h5")[0]);
  const ChannelData steps = trace.dataset("/timing/step_seconds");
  EXPECT_EQ(steps.shape, (std::vector<std::size_t>{5, 4}));
  for (const double seconds : steps.values) EXPECT_GE(seconds, 0.002);  // it sleeps that long
  EXPECT_EQ(trace.dataset("/timing/warmup_seconds").shape, (std::vector<std::size_t>{5, 2}));
  EXPECT_GT(trace.dataset("/timing/peak_rss_bytes").values.at(0), 1e6);
  EXPECT_EQ(faulty("validate " + traces(".timing.h5")[0].string()).exit_code, 0) << contents(folder_ / "stderr");
}

TEST_F(TimeCommand, StartsWhenTheFirstRepeatDoes) {
  declare({{"step_seconds", 0.06}}, {{"timing", kQuickTiming}});
  ASSERT_EQ(faulty("time faults.json --out out").exit_code, 0) << contents(folder_ / "stderr");
  const json provenance = TraceReader(traces(".timing.h5").at(0)).provenance();
  EXPECT_GT(provenance.at("processor_time_s").get<double>(), 0.0);
  EXPECT_LT(provenance.at("started"), provenance.at("finished"));  // whole seconds, and it takes 1.8
}

TEST_F(TimeCommand, SaysWhichRepeatsWereInterleaved) {
  declare({}, {{"timing", kQuickTiming},
               {"methods", {{{"name", "one"}, {"method", "faulty"}}, {{"name", "two"}, {"method", "linear_fem"}}}}});
  const auto sessions = [&] {
    std::map<std::string, std::string> found;
    for (const auto& file : traces(".timing.h5")) {
      const TraceReader trace(file);
      const json protocol = json::parse(trace.attribute("/timing", "protocol").get<std::string>());
      found[trace.spec()["method"]["name"]] = protocol.at("session");
    }
    return found;
  };
  ASSERT_EQ(faulty("time faults.json --out out").exit_code, 0) << contents(folder_ / "stderr");
  const auto together = sessions();
  ASSERT_EQ(together.size(), 2u);
  EXPECT_EQ(together.at("one"), together.at("two"));
  ASSERT_EQ(faulty("time faults.json --out out --method one --force").exit_code, 0);
  const auto apart = sessions();
  EXPECT_NE(apart.at("one"), apart.at("two"));
  EXPECT_EQ(apart.at("two"), together.at("two"));
}

TEST_F(TimeCommand, KeepsWhatIsTimed) {
  declare({}, {{"timing", kQuickTiming}});
  ASSERT_EQ(faulty("time faults.json --out out").exit_code, 0);
  const auto time = fs::last_write_time(traces(".timing.h5").at(0));
  const CommandEnd again = faulty("time faults.json --out out");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, HasSubstr("1 skipped as already done"));
  EXPECT_EQ(fs::last_write_time(traces(".timing.h5").at(0)), time);
}

TEST_F(TimeCommand, WhatIsNotBuiltIsReportedAsThat) {
  declare({}, {{"methods", {{{"name", "gone"}, {"method", "absent"}}, {{"name", "good"}, {"method", "faulty"}}}},
               {"timing", kQuickTiming}});
  const CommandEnd end = faulty("time faults.json --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("1 not built"));
}

TEST_F(TimeCommand, ACrashIsRecorded) {
  declare({{"fault", "crash"}}, {{"timing", kQuickTiming}});
  EXPECT_EQ(faulty("time faults.json --out out").exit_code, 4);
  const TraceReader trace(traces(".timing.h5").at(0));
  EXPECT_EQ(trace.status(), "failed");
  EXPECT_THAT(trace.status_reason(), HasSubstr("SIGSEGV"));
}

TEST_F(TimeCommand, ImposedPosesHaveNothingToTime) {
  declare({},
          {{"schedule", {{"steps", nullptr}, {"poses", {{"field", "bend"}, {"values", {0}}}}}}, {"channels", nullptr}});
  const CommandEnd end = faulty("time faults.json --out out");
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_THAT(end.err, HasSubstr("no steps to time"));
}

}  // namespace
}  // namespace deformbench::harness::test
