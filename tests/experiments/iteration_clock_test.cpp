// SPDX-License-Identifier: BSD-3-Clause
// The clock `iteration` of a cell: which steps and rows the trace has, what is refused, and that a run is the same with
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "experiments/harness/run/run_cell.hpp"
#include "experiments/harness/run/timing_pass.hpp"
#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/small_cell.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class IterationClock : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deformbench_iteration_clock_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  CellOutcome run(const json& spec, const char* name = "cell.h5") {
    return run_cell(spec, json::object(), builtin_registry(), builtin_scenes(), folder_ / name);
  }
  /// The refusal, which must leave no file.
  std::string refusal(const json& spec) {
    try {
      run(spec);
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder_ / "cell.h5"));
      return error.what();
    }
    ADD_FAILURE() << "accepted";
    return "";
  }
  std::filesystem::path folder_;
};

json watched_cell(const char* method, std::vector<int> steps, std::vector<std::string> names) {
  json spec = tests::small_cell("bar", method, 5, {{"step", tests::clock_of({"kinetic_energy"})}});
  spec["scene"]["parameters"] = {{"cells_across", 1}};
  spec["channels"]["iteration"] = {{"steps", std::move(steps)}, {"names", std::move(names)}};
  return spec;
}

TEST_F(IterationClock, HasTheIterationsOfTheChosenStepsAlone) {
  json spec =
      watched_cell("warped_fem", {4, 2}, {"objective", "gradient_norm", "linear_iterations", "elapsed_seconds"});
  spec["channels"]["step"]["names"] = {"solver_iterations", "kinetic_energy"};
  ASSERT_EQ(run(spec).status, CellStatus::Completed);
  const TraceReader trace(folder_ / "cell.h5");
  for (const Finding& finding : validate(folder_ / "cell.h5"))  // there is no provenance
    EXPECT_FALSE(finding.object.starts_with("/series")) << finding.text();
  const auto done = trace.channel("step", "solver_iterations").values;
  const auto steps = trace.steps("iteration");
  const auto iteration = trace.channel("iteration", "iteration").values;
  const auto seconds = trace.channel("iteration", "elapsed_seconds").values;
  std::vector<double> expected;
  for (const std::size_t step : {2u, 4u})
    for (int k = 0; k <= int(done[step]); ++k) expected.push_back(k);
  EXPECT_EQ(iteration, expected);
  ASSERT_EQ(steps.size(), expected.size());
  for (std::size_t row = 0; row < steps.size(); ++row) {
    EXPECT_EQ(steps[row], row <= std::size_t(done[2]) ? 2 : 4);
    EXPECT_GT(seconds[row], 0.0);
  }
  EXPECT_EQ(trace.channel("iteration", "linear_iterations").values, expected);
  for (const double kind : trace.channel("iteration", "iteration_kind").values) EXPECT_EQ(kind, 1.0);
  EXPECT_FALSE(trace.has_channel("iteration", "stretch_violation_rms"));

  json alone = spec;
  alone["channels"].erase("iteration");
  ASSERT_EQ(run(alone, "alone.h5").status, CellStatus::Completed);
  EXPECT_EQ(TraceReader(folder_ / "alone.h5").channel("step", "kinetic_energy").values,
            trace.channel("step", "kinetic_energy").values);
}

TEST_F(IterationClock, TwoRunsDifferInTheirWallTimesAlone) {
  const json spec = watched_cell("implicit_fem", {1, 5}, {"objective", "elapsed_seconds"});
  for (const char* name : {"cell.h5", "again.h5"}) ASSERT_EQ(run(spec, name).status, CellStatus::Completed);
  EXPECT_TRUE(diff(folder_ / "cell.h5", folder_ / "again.h5", {}).empty());
  DiffOptions with_times;
  with_times.timing = true;
  const auto differences = diff(folder_ / "cell.h5", folder_ / "again.h5", with_times);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].object, "/series/iteration/elapsed_seconds");
}

TEST_F(IterationClock, IsRefusedInOneLineWhereThereIsNothingToWatch) {
  EXPECT_THAT(refusal(watched_cell("explicit_fem", {1}, {"elapsed_seconds"})),
              HasSubstr("method explicit_fem, clock 'iteration': an explicit step does not iterate"));
  EXPECT_THAT(refusal(watched_cell("vertex_warped_fem", {1}, {"objective"})), HasSubstr("not symmetric"));
  EXPECT_THAT(refusal(watched_cell("naive_eigen", {1}, {"objective"})), HasSubstr("expected IterationFacet"));
  EXPECT_THAT(refusal(watched_cell("warped_fem", {1}, {"kinetic_energy"})),
              HasSubstr("channel 'kinetic_energy': unknown, expected one of iteration, substep"));
  EXPECT_THAT(refusal(watched_cell("warped_fem", {6}, {"objective"})), HasSubstr("step 6, expected 1 to 5"));
  EXPECT_THAT(refusal(watched_cell("warped_fem", {}, {"objective"})), HasSubstr("no steps"));
  json direct = watched_cell("warped_fem", {1}, {"objective"});
  direct["method"]["parameters"] = {{"solver", "direct"}};
  EXPECT_THAT(refusal(direct), HasSubstr("factorisation"));
  json posed = watched_cell("warped_fem", {1}, {"objective"});
  posed["channels"].erase("step");
  posed["schedule"] = {{"poses", {{"field", "stretch"}, {"parameters", json::object()}, {"values", {1.0}}}}};
  EXPECT_THAT(refusal(posed), HasSubstr("clock 'iteration' does not go with a schedule of poses"));
  EXPECT_THAT(refusal(tests::small_cell("bar", "warped_fem", 5, {{"step", tests::clock_of({"objective"})}})),
              HasSubstr("'objective'"));
}

TEST_F(IterationClock, LeavesOutWhatTheIterationsLackAndSaysWhy) {
  const json spec = watched_cell("warped_fem", {1}, {"objective", "stretch_violation_max"});
  ASSERT_EQ(run(spec).status, CellStatus::Completed);
  const TraceReader trace(folder_ / "cell.h5");
  EXPECT_TRUE(trace.has_channel("iteration", "objective"));
  EXPECT_FALSE(trace.has_channel("iteration", "stretch_violation_max"));
  std::vector<std::string> missing;
  for (const TraceEvent& event : trace.events())
    if (event.kind == "channel_missing") missing.push_back(event.detail);
  EXPECT_EQ(missing, std::vector<std::string>{"stretch_violation_max: finite elements have no stretch constraints"});
}

TEST_F(IterationClock, IsNoPartOfATimingPass) {
  // Explicit steps have no such clock, and are timed all the same: a timing pass watches nobody.
  json spec = watched_cell("explicit_fem", {1}, {"elapsed_seconds"});
  spec["timing"] = {{"repeats", 5}, {"warmup_steps", 1}, {"min_steps", 1}, {"min_seconds", 0.0}};
  const TimingSamples samples = time_cell(spec, builtin_registry(), builtin_scenes());
  EXPECT_EQ(samples.status, CellStatus::Completed) << samples.reason;
  EXPECT_EQ(samples.repeats, 5u);
}

TEST_F(IterationClock, MayRepeatAStepButNotFallAndNeedsTheNumberOfTheIteration) {
  const auto findings = [&](const std::vector<int>& steps, const char* channel) {
    const auto file = folder_ / "written.h5";
    TraceWriter writer(file, watched_cell("warped_fem", {1}, {"objective"}), json::object());
    writer.add_clock("iteration", {{channel, "1", "count", "a number"}});
    for (const int step : steps) writer.append("iteration", step, 0.1 * step, std::vector<double>{0.0});
    writer.finish(CellStatus::Failed, "");  // one that completed is checked before it has a name
    std::string found;
    for (const Finding& finding : validate(file))
      if (finding.object.starts_with("/series")) found += finding.text() + "\n";
    return found;
  };
  EXPECT_EQ(findings({1, 1, 3, 3}, "iteration"), "");
  EXPECT_EQ(findings({1, 1}, "objective"),
            "/series/iteration/iteration: found nothing, expected a channel of every clock iteration\n");
  EXPECT_THROW(findings({1, 1, 3, 2}, "iteration"), std::invalid_argument);
}

TEST_F(IterationClock, KeepsTheRowsOfAStepThatDiverges) {
  // A Newton iteration of full length from a state that no solver brings back in two.
  json spec = watched_cell("implicit_fem", {1}, {"gradient_norm"});
  spec["method"]["parameters"] = {{"newton_max_iterations", 1}};
  spec["scene"]["parameters"]["time_step_s"] = 1.0;
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Failed);
  EXPECT_THAT(TraceReader(folder_ / "cell.h5").steps("iteration"), ElementsAre(1, 1));
}

}  // namespace
}  // namespace deformbench::harness
