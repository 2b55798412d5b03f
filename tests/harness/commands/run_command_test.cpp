// SPDX-License-Identifier: BSD-3-Clause
// The supervisor: every cell's fate is its own, and nothing finished is lost.
#include <signal.h>

#include <cstdio>
#include <set>

#include "experiments/harness/trace/trace_reader.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

using RunCommand = CommandTest;

TEST_F(RunCommand, AFinishedCellIsATraceThatConforms) {
  declare({});
  const CommandEnd end = faulty("run faults.json --out out");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  ASSERT_EQ(traces().size(), 1u);
  const TraceReader trace(traces()[0]);
  EXPECT_EQ(trace.status(), "completed");
  EXPECT_EQ(trace.cell_id(), traces()[0].stem().string());
  EXPECT_EQ(trace.steps("step").size(), 11u);
  EXPECT_GT(trace.provenance().at("processor_time_s").get<double>(), 0.0);
  EXPECT_EQ(faulty("validate " + traces()[0].string()).exit_code, 0);
  const json list = json::parse(contents(folder_ / "out/tests/faults/paper.cells.json"));
  EXPECT_EQ(list["cells"][0]["cell_id"], trace.cell_id());
  json declared = json::parse(contents(folder_ / "faults.json"));
  declared.erase("doc");
  EXPECT_EQ(list["declaration"], declared) << "without what no cell depends on";
}

TEST_F(RunCommand, RigidBodiesAloneAreNotJudgedStatic) {
  std::ofstream(folder_ / "ball.json") << R"({
      "format": "deformbench-scene", "format_version": 1, "name": "ball", "time_step_s": 0.01,
      "rigid_bodies": [{"id": "ball", "shape": {"kind": "sphere", "radius_m": 0.1}, "mass_kg": 1.0}]})";
  declare({}, {{"scene", {{"name", nullptr}, {"file", "ball.json"}}},
               {"methods", {{{"name", "pbd"}, {"method", "pbd"}}}},
               {"schedule", {{"steps", nullptr}, {"until_static", {{"residual", 1e-3}, {"max_steps", 3}}}}},
               {"channels", {{"step", {{"names", {"kinetic_energy"}}}}}}});
  const CommandEnd end = deformbench("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("method pbd: a schedule until_static needs a deformable body"));
}

TEST_F(RunCommand, AnExperimentAfterTheValuesOfAnOptionIsOne) {
  declare({});
  const auto planned = [&](const std::string& words) { return faulty("run --dry-run --tier smoke " + words); };
  EXPECT_THAT(planned("--method linear_fem warped_fem faults.json").out,
              AllOf(HasSubstr("linear_fem"), HasSubstr("warped_fem")));
  EXPECT_THAT(planned("--method warped_fem cross/cantilever").out, HasSubstr("cross/cantilever"));
  EXPECT_THAT(planned("--method warped_fem cantilever").out, HasSubstr("cross/cantilever"));
  EXPECT_THAT(planned("--set scene.parameters.time_step_s=0.01 cross/cantilever").out, HasSubstr("cross/cantilever"));
  EXPECT_THAT(planned("--method warped_fem mine/unknown").err, HasSubstr("unknown experiment \"mine/unknown\""));
  EXPECT_THAT(planned("cross/cantilever --method cantilever").err, HasSubstr("--method cantilever: neither"));
}

TEST_F(RunCommand, ShardsAreTheCellsEachOnce) {
  const auto planned = [&](const std::string& words) {
    const CommandEnd end = deformbench("run all --tier smoke --paper mueller_gross_2004 --dry-run --json " + words);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    std::vector<std::string> ids;
    for (const json& cell : json::parse(end.out)) ids.push_back(cell["cell_id"]);
    return ids;
  };
  const std::vector<std::string> all = planned("");
  std::vector<std::string> joined;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::vector<std::string> part = planned(std::string("--shard ") + shard);
    EXPECT_GT(part.size(), all.size() / 6) << shard;
    EXPECT_LT(part.size(), all.size() / 2) << shard;
    joined.insert(joined.end(), part.begin(), part.end());
  }
  EXPECT_THAT(joined, testing::UnorderedElementsAreArray(all));
  EXPECT_EQ(planned("--shard 1/1"), all);
}

TEST_F(RunCommand, AShardDoesNotDependOnWhatElseIsSelected) {
  const auto planned = [&](const std::string& experiment) {
    return deformbench("run " + experiment + " --tier smoke --dry-run --shard 2/3").out;
  };
  EXPECT_THAT(planned("cross/twist cross/cantilever"), HasSubstr(planned("cross/twist")));
}

TEST_F(RunCommand, ShardsRunOneAfterTheOtherAreAWholeRun) {
  declare({}, {{"sweep", {{"seed", {1, 2, 3, 4}}}}});
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const CommandEnd end = faulty(std::string("run faults.json --out out --shard ") + shard);
    EXPECT_EQ(end.exit_code, 0) << end.err << " (an empty shard is none of the user's mistakes)";
  }
  EXPECT_EQ(traces().size(), 4u);
  const fs::path list = folder_ / "out/tests/faults/paper.cells.json";
  EXPECT_EQ(json::parse(contents(list))["cells"].size(), 4u) << "every shard lists all cells";
  EXPECT_THAT(faulty("run faults.json --out out").out, HasSubstr("4 completed before"));
}

TEST_F(RunCommand, WhatIsNoShardIsBadInput) {
  declare({});
  for (const char* shard : {"0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/3x", "1/", "/3", "99999999999999999999/1"}) {
    const CommandEnd end = faulty(std::string("run faults.json --out out --shard=") + shard);
    EXPECT_EQ(end.exit_code, 2) << shard;
    EXPECT_THAT(end.err, HasSubstr("expected k/n")) << shard;
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

/// The lists of joined cells below the folder `out`, in the order of their methods and of what was set.
std::vector<json> joined_lists(const std::vector<fs::path>& lists) {
  std::vector<json> found;
  for (const fs::path& file : lists) {
    if (file.string().find(".joined-") != std::string::npos) found.push_back(json::parse(contents(file)));
  }
  std::sort(found.begin(), found.end(),
            [](const json& a, const json& b) { return a["cells"][0]["method"] < b["cells"][0]["method"]; });
  return found;
}

TEST_F(RunCommand, AMethodThatJoinsIsListedApartFromTheDeclaredOnes) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  const fs::path declared = folder_ / "out/tests/faults/paper.cells.json";
  const std::string before = contents(declared);
  ASSERT_EQ(faulty("run faults.json --out out --method linear_fem warped_fem").exit_code, 0)
      << contents(folder_ / "stderr");
  EXPECT_EQ(contents(declared), before) << "what verdicts are judged from";
  const std::vector<json> lists = joined_lists(traces(".cells.json"));
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0]["format"], "deformbench-joined-cells");
  EXPECT_EQ(lists[0]["cells"][0]["method"], "linear_fem");
  EXPECT_EQ(lists[1]["cells"][0]["method"], "warped_fem");
  EXPECT_EQ(lists[0]["declaration"], json::parse(before)["declaration"]);
  EXPECT_EQ(lists[0]["set"], json::object());
  const std::string id = lists[0]["cells"][0]["cell_id"];
  EXPECT_TRUE(fs::exists(folder_ / "out/tests/faults" / (id + ".h5")));
}

TEST_F(RunCommand, WhatWasSetKeepsItsOwnListOfJoinedCells) {
  declare({});
  const std::string again = "run faults.json --out out --method linear_fem --set threads=1";
  ASSERT_EQ(faulty("run faults.json --out out --method linear_fem").exit_code, 0) << contents(folder_ / "stderr");
  ASSERT_EQ(faulty(again).exit_code, 0);
  ASSERT_EQ(faulty(again).exit_code, 0) << "the same again is the same list";
  const std::vector<json> lists = joined_lists(traces(".cells.json"));
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0]["set"].size() + lists[1]["set"].size(), 1u);
  EXPECT_FALSE(fs::exists(folder_ / "out/tests/faults/paper.cells.json"));
  ASSERT_EQ(faulty("run faults.json --out dry --method linear_fem --dry-run").exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "dry"));
}

TEST_F(RunCommand, TheSpecInATraceRunsAgainToTheSameCell) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  std::ofstream(folder_ / "again.json") << TraceReader(traces()[0]).spec();
  const CommandEnd end = faulty("run again.json --out out");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.out, HasSubstr("1 completed before"));
}

struct Fate {
  const char* fault;
  const char* status;
  const char* reason;
};
std::ostream& operator<<(std::ostream& out, const Fate& fate) {
  return out << fate.fault;
}

class RunFate : public CommandTest, public testing::WithParamInterface<Fate> {};

TEST_P(RunFate, IsRecordedWithItsReasonAndDoesNotTouchTheOtherCell) {
  declare({}, {{"methods",
                {{{"name", "bad"}, {"method", "faulty"}, {"parameters", {{"fault", GetParam().fault}}}},
                 {{"name", "good"}, {"method", "faulty"}}}},
               {"time_limit_s", 4.0}});
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.err, HasSubstr(GetParam().reason));
  ASSERT_EQ(traces().size(), 2u);
  std::map<std::string, std::string> status;
  for (const auto& file : traces()) {
    const TraceReader trace(file);
    status[trace.spec()["method"]["name"]] = trace.status();
    if (trace.spec()["method"]["name"] == "bad") {
      EXPECT_THAT(trace.status_reason(), HasSubstr(GetParam().reason));
      EXPECT_GT(trace.provenance().at("processor_time_s").get<double>(), 0.0);
    }
    EXPECT_EQ(faulty("validate " + file.string()).exit_code, 0) << contents(folder_ / "stderr");
  }
  EXPECT_EQ(status["bad"], GetParam().status);
  EXPECT_EQ(status["good"], "completed");
  EXPECT_TRUE(traces(".part").empty());
  EXPECT_THAT(faulty("status faults.json --out out").out,
              AllOf(HasSubstr(GetParam().status), HasSubstr("otherwise than declared")));
}

INSTANTIATE_TEST_SUITE_P(
    Fates, RunFate,
    testing::Values(Fate{"crash", "failed", "SIGSEGV"}, Fate{"hang", "timeout", "time limit of 4 s"},
                    Fate{"exit", "failed", "exit code 3"}, Fate{"throw", "failed", "the matrix has no inverse"},
                    Fate{"diverge", "diverged", ""}, Fate{"refuse", "unsupported", "it does not feel like it"},
                    Fate{"turn_back", "failed", "step 4 (0.004 s): the method is at 0 s after 0.003 s"},
                    Fate{"no_time", "failed", "the method is at nan s"}, Fate{"overwrite", "failed", "exit code 74"}),
    [](const auto& given) { return std::string(given.param.fault); });

TEST_F(RunCommand, SaysWhatTheRunItselfMeasured) {
  declare({{"fault", "diverge"}, {"at_step", 3}, {"step_seconds", 0.02}}, {{"schedule", {{"steps", 300}}}});
  const CommandEnd end = faulty("run faults.json --out out");
  double seconds = 0.0, ms_per_step = 0.0;
  const std::size_t at = end.err.find(", 4 steps in ");
  ASSERT_NE(at, std::string::npos) << end.err;
  ASSERT_EQ(std::sscanf(end.err.c_str() + at, ", 4 steps in %lf s, %lf ms/step", &seconds, &ms_per_step), 2) << end.err;
  EXPECT_GE(ms_per_step, 20.0);
  EXPECT_GT(seconds, 4e-3 * 20.0) << "with the start of the process";
}

TEST_F(RunCommand, ATimeLimitOfTheCommandLineIsWallClockWhateverIsDeclared) {
  declare({{"fault", "hang"}}, {{"time_limit_s", 3600}});
  const CommandEnd end = faulty("run faults.json --out out --time-limit 0.5");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.err, HasSubstr("exceeded its time limit of 0.5 s"));
  const CommandEnd simulated = faulty(
      "simulate single_tetrahedron --method faulty --set method.parameters.fault=hang --time-limit 0.4 --out out");
  EXPECT_THAT(simulated.err, HasSubstr("exceeded its time limit of 0.4 s"));
  EXPECT_EQ(faulty("run faults.json --time-limit 0").exit_code, 2);
}

TEST_F(RunCommand, SceneFilesAreSweptOver) {
  const auto write_ball = [&](const std::string& name, double radius) {
    std::ofstream(folder_ / (name + ".json")) << json{
        {"format", "deformbench-scene"},
        {"format_version", 1},
        {"name", name},
        {"time_step_s", 0.01},
        {"rigid_bodies", {{{"id", "ball"}, {"shape", {{"kind", "sphere"}, {"radius_m", radius}}}, {"mass_kg", 1.0}}}}};
  };
  write_ball("small", 0.1);
  write_ball("large", 0.3);
  const auto sweep = [&](const json& files, const std::string& options = "") {
    declare({}, {{"scene", {{"name", nullptr}, {"file", "small.json"}}},
                 {"methods", {{{"name", "pbd"}, {"method", "pbd"}}}},
                 {"sweep", {{"scene.file", files}, {"scene.parameters.time_step_s", {0.01, 0.02}}}},
                 {"channels", {{"step", {{"names", {"kinetic_energy"}}}}}}});
    return deformbench("run faults.json --out out " + options);
  };
  EXPECT_EQ(sweep({"small.json", "large.json"}).exit_code, 0) << contents(folder_ / "stderr");
  ASSERT_EQ(traces().size(), 4u);
  const json list = json::parse(contents(folder_ / "out/tests/faults/paper.cells.json"));
  EXPECT_EQ(list["scene_files"].size(), 2u);
  EXPECT_EQ(list["cells"][0]["coordinates"]["scene.file"], "small.json");
  std::set<std::string> names;
  for (const fs::path& file : traces()) {
    const json spec = TraceReader(file).spec();
    EXPECT_THAT(spec["scene"]["file"].get<std::string>(),
                HasSubstr(spec["scene"]["name"].get<std::string>() + ".json"));
    names.insert(spec["scene"]["name"].get<std::string>());
  }
  EXPECT_EQ(names, (std::set<std::string>{"small", "large"}));
  std::ofstream(folder_ / "again.json") << TraceReader(traces()[0]).spec();
  EXPECT_THAT(deformbench("run again.json --out out").out, HasSubstr("1 completed before"));
  EXPECT_THAT(sweep({"small.json", "large.json"}, "--set scene.file=large.json --dry-run").out,
              testing::Not(HasSubstr("small")));
  EXPECT_THAT(sweep({"small.json", "gone.json"}).err, HasSubstr("gone.json"));
  EXPECT_THAT(sweep({"small.json", 7}).err, HasSubstr("/sweep/scene.file/1: got 7, expected the path of a scene file"));
}

TEST_F(RunCommand, AnExpectedBadEndIsSuccessAndAnUnexpectedGoodOneIsNot) {
  const json expected = {{"expect", {{{"status", "diverged"}, {"because", "it must"}}}}};
  declare({{"fault", "diverge"}}, expected);
  EXPECT_EQ(faulty("run faults.json --out out").exit_code, 0);
  declare({{"fault", "none"}}, expected);
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.err, HasSubstr("completed, expected diverged"));
}

TEST_F(RunCommand, NothingSupportedIsItsOwnExitCodeWithTheReason) {
  declare({{"fault", "refuse"}});
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_THAT(end.err, HasSubstr("it does not feel like it"));
}

TEST_F(RunCommand, CellsOfAMethodThatIsNotBuiltAreReportedAsThatAndTheOthersRun) {
  declare({}, {{"methods",
                {{{"name", "gone"}, {"method", "absent"}, {"parameters", {{"at_step", 2}}}},
                 {{"name", "good"}, {"method", "faulty"}}}},
               {"expect", {{{"where", {{"method.name", "gone"}}}, {"status", "diverged"}, {"because", "it does"}}}}});
  for (const char* command : {"run faults.json --out out", "run faults.json --out out"}) {  // kept, the second time
    const CommandEnd end = faulty(command);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("1 not built"), HasSubstr("1 completed"),
                               HasSubstr("absent is not built: the library was not found")));
  }
  ASSERT_EQ(traces().size(), 2u);
  for (const auto& file : traces()) {
    const TraceReader trace(file);
    if (trace.spec()["method"]["name"] != "gone") continue;
    EXPECT_EQ(trace.status(), "unsupported");
    EXPECT_EQ(trace.status_reason(), "not built: the library was not found");
    EXPECT_EQ(trace.spec()["expect"]["status"], "unsupported");
  }
  // Asked for alone it is nothing that could run; what it would take is known all the same.
  const CommandEnd alone = faulty("run faults.json --out out --method absent");
  EXPECT_EQ(alone.exit_code, 5);
  EXPECT_THAT(alone.err, HasSubstr("the library was not found"));
  EXPECT_THAT(faulty("describe absent").out,
              AllOf(HasSubstr("not_built: the library was not found"), HasSubstr("at_step = 3"),
                    HasSubstr("- Its numbers are of another kind.")));
  EXPECT_EQ(faulty("run faults.json --out out --set method.parameters.at_step=-1").exit_code, 2);
}

TEST_F(RunCommand, WhatIsFinishedIsKeptUnlessForced) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  const auto time = fs::last_write_time(traces().at(0));
  const CommandEnd again = faulty("run faults.json --out out");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, HasSubstr("1 completed before (1 skipped as already done)"));
  EXPECT_EQ(fs::last_write_time(traces().at(0)), time);
  EXPECT_EQ(faulty("run faults.json --out out --force").exit_code, 0);
  EXPECT_GT(fs::last_write_time(traces().at(0)), time);
}

TEST_F(RunCommand, WhatFailedIsRunAgainOnlyWhenAskedTo) {
  declare({{"fault", "throw"}});
  EXPECT_EQ(faulty("run faults.json --out out").exit_code, 4);
  const auto time = fs::last_write_time(traces().at(0));
  EXPECT_EQ(faulty("run faults.json --out out").exit_code, 4) << "a kept failure is still one";
  EXPECT_EQ(fs::last_write_time(traces().at(0)), time);
  EXPECT_EQ(faulty("run faults.json --out out --retry-failed").exit_code, 4);
  EXPECT_GT(fs::last_write_time(traces().at(0)), time);
}

TEST_F(RunCommand, KilledInTheMiddleKeepsFinishedCellsAndResumesTheRest) {
  declare({{"step_seconds", 0.015}}, {{"sweep", {{"seed", {1, 2, 3, 4, 5, 6}}}}});
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    const bool ready = chdir(folder_.c_str()) == 0 && freopen("/dev/null", "w", stderr) != nullptr;
    if (ready) execl(FAULTY_EXECUTABLE, "deformbench", "run", "faults.json", "--out", "out", nullptr);
    _exit(127);
  }
  ASSERT_TRUE(wait_for([&] { return traces().size() >= 2; }, 20));
  kill(supervisor, SIGKILL);
  waitpid(supervisor, nullptr, 0);
  const auto finished = traces();
  ASSERT_LT(finished.size(), 6u) << "killed too late to show anything";
  std::map<fs::path, std::string> bytes;
  for (const auto& file : finished) bytes[file] = contents(file);

  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(traces().size(), 6u);
  EXPECT_TRUE(traces(".part").empty());
  for (const auto& [file, before] : bytes) EXPECT_EQ(contents(file), before) << file;
}

TEST_F(RunCommand, ACellInProgressElsewhereIsLeftToItAndSaid) {
  declare({{"step_seconds", 0.15}});
  std::thread first([&] {
    const std::string line =
        "cd '" + folder_.string() + "' && " FAULTY_EXECUTABLE " run faults.json --out out >/dev/null 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0);
  });
  EXPECT_TRUE(wait_for([&] { return !traces(".part").empty(); }, 20));
  const CommandEnd second = faulty("run faults.json --out out");
  EXPECT_EQ(second.exit_code, 4) << "a cell of the selection was not there";
  EXPECT_THAT(second.err, HasSubstr("1 in progress elsewhere"));
  first.join();
  EXPECT_EQ(TraceReader(traces().at(0)).status(), "completed");
}

TEST_F(RunCommand, SeveralCellsAtATimeGiveTheSameTraces) {
  declare({}, {{"sweep", {{"seed", {1, 2, 3}}}}});
  ASSERT_EQ(faulty("run faults.json --out out --jobs 3").exit_code, 0);
  ASSERT_EQ(faulty("run faults.json --out one_by_one").exit_code, 0);
  ASSERT_EQ(traces().size(), 3u);
  for (const auto& file : traces()) {
    EXPECT_EQ(faulty("diff " + file.string() + " one_by_one/tests/faults/" + file.filename().string()).exit_code, 0);
  }
}

TEST_F(RunCommand, AFullDiskIsAFailedCellThatSaysSo) {
  declare({},
          {{"schedule", {{"steps", 20000}}},
           {"channels", {{"step", {{"names", {"volume", "kinetic_energy", "centre_of_mass", "linear_momentum"}}}}}}});
  const CommandEnd end = shell("(ulimit -f 400; exec " FAULTY_EXECUTABLE " run faults.json --out out)");
  EXPECT_EQ(end.exit_code, 4) << end.err;
  EXPECT_THAT(end.err, HasSubstr("failed, expected completed"));
  EXPECT_THAT(end.err, AnyOf(HasSubstr("File too large"), HasSubstr("write")));
  // With room again, the cell runs to its end.
  EXPECT_EQ(faulty("run faults.json --out out --retry-failed").exit_code, 0);
}

TEST_F(RunCommand, ClosedStandardDescriptorsChangeNothing) {
  declare({});
  for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"}) {
    fs::remove_all(folder_ / "out");
    const CommandEnd end = shell(std::string("(exec " FAULTY_EXECUTABLE " run faults.json --out out ") + closed + ")");
    EXPECT_EQ(end.exit_code, 0) << closed << end.err;
    ASSERT_EQ(traces().size(), 1u) << closed;
    EXPECT_EQ(TraceReader(traces()[0]).status(), "completed") << closed << TraceReader(traces()[0]).status_reason();
    EXPECT_EQ(faulty("validate " + traces()[0].string()).exit_code, 0) << closed;
  }
}

TEST_F(RunCommand, ASpecThatCannotRunIsBadInputAndLeavesNoFile) {
  declare({}, {{"channels", {{"step", {{"names", {"elastic_energy"}}}}}}});  // the method has no ElasticityFacet
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("elastic_energy"));
  EXPECT_TRUE(traces().empty());
}

TEST_F(RunCommand, WhatIsWrongWithManyCellsIsSaidOnce) {
  declare({}, {{"channels", {{"step", {{"names", {"elastic_energy"}}}}}}, {"sweep", {{"seed", {1, 2, 3, 4, 5}}}}});
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, AllOf(HasSubstr("5 cells: 5 bad input"), HasSubstr(" and 4 more: bad input: ")));
  const std::size_t first = end.err.find("ElasticityFacet");
  ASSERT_NE(first, std::string::npos) << end.err;
  EXPECT_EQ(end.err.find("ElasticityFacet", first + 1), std::string::npos) << end.err;
  EXPECT_LE(std::count(end.err.begin(), end.err.end(), '\n'), 3) << end.err;
}

}  // namespace
}  // namespace deformbench::harness::test
