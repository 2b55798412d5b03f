// SPDX-License-Identifier: BSD-3-Clause
// Exit codes and messages of the real executable.
#include <map>
#include <set>
#include <sstream>

#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using CommandLine = CommandTest;

TEST_F(CommandLine, HelpSucceedsAndNamesEveryCommand) {
  const CommandEnd end = deformbench("--help");
  EXPECT_EQ(end.exit_code, 0);
  for (const char* command : {"run", "time", "status", "validate", "simulate", "verify", "report"})
    EXPECT_THAT(end.out, HasSubstr(command));
}

TEST_F(CommandLine, WithoutWordsTheFirstStepsAreShownAndEachParses) {
  const CommandEnd end = deformbench("");
  EXPECT_EQ(end.exit_code, 2) << "a script whose command is empty has not succeeded";
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
  std::istringstream lines(end.out);
  int steps = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  deformbench ")) continue;
    ++steps;
    std::istringstream words(line);
    std::string command, verb;
    words >> command >> verb;
    EXPECT_EQ(deformbench("help " + verb).exit_code, 0) << line;
    if (verb == "list" || verb == "describe")
      EXPECT_EQ(
          shell("PATH=$(dirname " DEFORMBENCH_EXECUTABLE "):$PATH && " + line.substr(0, line.find('#'))).exit_code, 0);
  }
  EXPECT_EQ(steps, 5);
}

TEST_F(CommandLine, HelpOfACommandIsItsOwn) {
  for (const char* verb : {"run", "pack", "list"}) {
    const CommandEnd end = deformbench(std::string("help ") + verb);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.out, deformbench(std::string(verb) + " --help").out);
    EXPECT_THAT(end.out, HasSubstr("--"));
  }
  EXPECT_EQ(deformbench("help").out, deformbench("--help").out);
  EXPECT_THAT(deformbench("help rnu").err, HasSubstr("did you mean \"run\"?"));
  EXPECT_EQ(deformbench("help run time").exit_code, 2);
}

TEST_F(CommandLine, ListsAreSelectedByPaperMethodAndText) {
  const auto ids = [&](const std::string& words) {
    const CommandEnd end = deformbench("list " + words + " --json");
    EXPECT_EQ(end.exit_code, 0) << words << ": " << end.err;
    std::set<std::string> found;
    for (const json& entry : json::parse(end.out)) found.insert(entry["id"]);
    return found;
  };
  const std::set<std::string> all = ids("experiments"), of_paper = ids("experiments --paper mueller_gross_2004");
  EXPECT_LT(of_paper.size(), all.size());
  EXPECT_TRUE(of_paper.contains("mueller_gross_2004/patch_test"));
  EXPECT_FALSE(of_paper.contains("cross/twist"));
  const std::set<std::string> with_method = ids("experiments --method xpbd");
  EXPECT_FALSE(with_method.contains("mueller_gross_2004/patch_test"));
  EXPECT_LT(with_method.size(), all.size());
  for (const json& entry : json::parse(deformbench("list experiments --method xpbd --json").out))
    EXPECT_THAT(entry["declaration"]["methods"].dump(), HasSubstr("\"xpbd\""));
  EXPECT_TRUE(ids("experiments --search TWIST").contains("cross/twist"));
  EXPECT_EQ(ids("methods --search vertex_warped"), std::set<std::string>{"vertex_warped_fem"});
  EXPECT_LT(ids("claims --paper macklin_et_al_2019").size(), 10u);
  EXPECT_EQ(deformbench("list experiments --search zzzzzzzz").exit_code, 5);
  for (const char* words : {"experiments --paper nobody", "claims --paper nobody", "experiments --method xpdb",
                            "methods --paper cross", "claims --method xpbd"}) {
    const CommandEnd end = deformbench(std::string("list ") + words);
    EXPECT_EQ(end.exit_code, 2) << words;
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
  }
}

TEST_F(CommandLine, UnknownCommandIsBadInputWithTheNearestName) {
  const CommandEnd end = deformbench("rnu");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("did you mean \"run\"?"));
  for (const char* command :
       {"run", "export-scene", "diff", "measure", "verify", "compare", "figures", "report", "paraview", "surfaces",
        "pack", "merge", "view", "publish", "new", "scorecard", "dispute"})
    EXPECT_THAT(end.err, HasSubstr(std::string(" ") + command)) << "of both languages";
  EXPECT_THAT(deformbench("reprot").err, HasSubstr("did you mean \"report\"?"));
}

TEST_F(CommandLine, UnknownNamesAreAnsweredInOneShortLineThatSaysHowToListThem) {
  for (const std::string line :
       {"describe nothing", "run nothing_of_the_kind", "run order_oscillation --method zzzzzzzz", "export-scene zzzzzz",
        "time nothing/zzzzzzzzzzzzzz", "status zzzzzzzzzzzzzzzzz", "run --paper zzzzzzzzzzzzz"}) {
    const CommandEnd end = deformbench(line);
    EXPECT_EQ(end.exit_code, 2) << line;
    EXPECT_LE(end.err.size(), 401u) << line;
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
    if (!line.starts_with("run --paper")) {
      EXPECT_THAT(end.err, HasSubstr("deformbench list ")) << line;
    }
  }
  EXPECT_LE(deformbench("describe " + std::string(5000, 'x')).err.size(), 401u);
}

TEST_F(CommandLine, TheVersionIsThatOfTheBuild) {
  const CommandEnd end = deformbench("--version");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out, testing::MatchesRegex(
                           "deformbench [0-9.]+\ncommit [0-9a-z]+ \\([a-z]+\\)\n[A-Za-z]+, [A-Za-z]+ [0-9.]+, .*\n"));
}

TEST_F(CommandLine, UnknownOptionIsBadInputInOneLine) {
  const CommandEnd end = deformbench("run all --fsat");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
}

TEST_F(CommandLine, UnknownExperimentIsBadInputWithTheNearestName) {
  const CommandEnd end = deformbench("run ms_per_stp");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("did you mean \"ms_per_step\"?"));
}

TEST_F(CommandLine, RunningNothingIsItsOwnExitCodeWithTheReason) {
  const CommandEnd end = deformbench("run");
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_THAT(end.err, HasSubstr("no experiment was named"));
}

TEST_F(CommandLine, ACellThatMatchesNothingIsNothingSelected) {
  EXPECT_EQ(deformbench("run ms_per_step --tier smoke --cell ffffffffffffffffff").exit_code, 5);
}

TEST_F(CommandLine, UnknownTierIsBadInput) {
  EXPECT_EQ(deformbench("run all --tier huge").exit_code, 2);
}

TEST_F(CommandLine, ListsAreJsonOnDemand) {
  for (const char* what : {"methods", "scenes", "experiments", "references", "claims", "channels"}) {
    const CommandEnd end = deformbench(std::string("list ") + what + " --json");
    ASSERT_EQ(end.exit_code, 0) << end.err;
    const json list = json::parse(end.out);
    EXPECT_GT(list.size(), 1u) << what;
    EXPECT_TRUE(list.front().contains("id")) << what;
  }
}

TEST_F(CommandLine, DescribeShowsParametersWithUnitsAndDefaults) {
  EXPECT_THAT(deformbench("describe bar").out, AllOf(HasSubstr("scene bar"), HasSubstr("time_step_s")));
  EXPECT_THAT(deformbench("describe naive_eigen").out, HasSubstr("cg_iterations = 20"));
  EXPECT_THAT(deformbench("describe ms_per_step").out, HasSubstr("\"cross/ms_per_step\""));
  EXPECT_EQ(deformbench("describe nothing_of_this_name").exit_code, 2);
}

TEST_F(CommandLine, AnExperimentIsListedWithTheClaimsThatNameIt) {
  std::map<std::string, std::set<std::string>> named, listed;
  for (const json& claim : json::parse(deformbench("list claims --json").out)) {
    for (const json& experiment : claim["experiments"]) named[experiment].insert(claim["id"]);
  }
  for (const json& experiment : json::parse(deformbench("list experiments --json").out)) {
    for (const json& claim : experiment["claims"]) listed[experiment["id"]].insert(claim);
  }
  ASSERT_GT(named.size(), 10u);
  EXPECT_EQ(listed, named);
  EXPECT_THAT(deformbench("describe rotation_artefact").out, HasSubstr("claims: [\"IVM-01\"]"));
  EXPECT_THAT(deformbench("describe IVM-01").out,
              AllOf(HasSubstr("claim IVM-01: "), HasSubstr("\n  judged by cross/torsion\n"),
                    HasSubstr("\n    rotation_artefact.linear_volume_error < 1e-6: ")));
}

TEST_F(CommandLine, DryRunGivesResolvedSpecsThatRunAccepts) {
  const CommandEnd end = deformbench("run ms_per_step --tier smoke --method naive --dry-run --json --out out");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const json plan = json::parse(end.out);
  ASSERT_GE(plan.size(), 1u);
  EXPECT_EQ(plan[0]["state"], "to run");
  std::ofstream(folder_ / "resolved.json") << plan[0]["spec"];
  const json again = json::parse(deformbench("run resolved.json --dry-run --json --out out").out);
  EXPECT_EQ(again[0]["cell_id"], plan[0]["cell_id"]);
  EXPECT_FALSE(fs::exists(folder_ / "out")) << "a dry run writes nothing";
}

TEST_F(CommandLine, SimulateRunsASceneWithoutADeclaration) {
  std::ofstream(folder_ / "scene.json") << R"({"name": "single_tetrahedron", "parameters": {"edge_m": 0.2}})";
  const CommandEnd end = deformbench("simulate scene.json --method naive_eigen --steps 5 --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  ASSERT_EQ(traces().size(), 1u);
  EXPECT_EQ(deformbench("validate " + traces()[0].string()).exit_code, 0);
  EXPECT_EQ(deformbench("diff " + traces()[0].string() + " " + traces()[0].string()).exit_code, 0);
}

TEST_F(CommandLine, ValidateRefusesWhatIsNoTrace) {
  std::ofstream(folder_ / "no_trace.h5") << "text";
  EXPECT_EQ(deformbench("validate no_trace.h5").exit_code, 2);
  const CommandEnd end = deformbench("validate no_trace.h5 --json");
  EXPECT_EQ(end.exit_code, 2);
  const json found = json::parse(end.out).at(0);
  EXPECT_EQ(found["file"], "no_trace.h5");
  EXPECT_EQ(found["conforms"], false);
  EXPECT_EQ(found["findings"].size(), 1u) << found;
}

TEST_F(CommandLine, DiffAndValidateSayAsJsonWhatTheySayInLines) {
  ASSERT_EQ(deformbench("simulate single_tetrahedron --method naive_eigen --steps 5 --out out").exit_code, 0);
  ASSERT_EQ(deformbench("simulate single_tetrahedron --method naive_eigen --steps 6 --out out").exit_code, 0);
  const std::string one = traces().at(0).string(), two = traces().at(1).string();
  EXPECT_EQ(deformbench("diff --json " + one + " " + one).out, "[]\n");
  const CommandEnd lines = deformbench("diff " + one + " " + two), end = deformbench("diff --json " + one + " " + two);
  EXPECT_EQ(end.exit_code, 4);
  const json found = json::parse(end.out);
  EXPECT_EQ(found.size(), std::size_t(std::count(lines.out.begin(), lines.out.end(), '\n')));
  for (const json& difference : found)
    EXPECT_THAT(lines.out, HasSubstr(difference.at("object").get<std::string>() + ": "));
  const json valid = json::parse(deformbench("validate --json " + one).out);
  EXPECT_EQ(valid[0]["conforms"], true);
  EXPECT_EQ(valid[0]["carries_digest"], true);
  EXPECT_TRUE(valid[0]["findings"].empty());
}

TEST_F(CommandLine, VerbsOfTheAnalysisAreHandedOverWithTheirExitCode) {
  std::ofstream(folder_ / "python") << "#!/bin/sh\necho \"$@ $PYTHONPATH\"\nexit 6\n";
  fs::permissions(folder_ / "python", fs::perms::owner_all);
  const CommandEnd end = shell("DEFORMBENCH_PYTHON='" + (folder_ / "python").string() +
                               "' " DEFORMBENCH_EXECUTABLE " verify out --tier smoke");
  EXPECT_EQ(end.exit_code, 6);
  EXPECT_THAT(end.out, AllOf(HasSubstr("-m deformbench_analysis verify out --tier smoke"), HasSubstr("/analysis")));
  const CommandEnd drawing =
      shell("DEFORMBENCH_PYTHON='" + (folder_ / "python").string() + "' " DEFORMBENCH_EXECUTABLE " figures out");
  EXPECT_THAT(drawing.out, HasSubstr("-m paper_figures figures out"));
}

/// One line and exit code 2.
void expect_bad_input(const CommandEnd& end, const std::string& words) {
  EXPECT_EQ(end.exit_code, 2) << end.err;
  EXPECT_THAT(end.err, AllOf(HasSubstr(words), testing::Not(HasSubstr("internal error"))));
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
}

TEST_F(CommandLine, AnOutputFolderThatCannotBeIsBadInput) {
  std::ofstream(folder_ / "file") << "text";
  const std::string run = "run order_oscillation --tier smoke --quiet --out ";
  const std::string simulate = "simulate single_tetrahedron --method naive_eigen --steps 2 --quiet --out ";
  for (const std::string& verb : {run, simulate}) {
    expect_bad_input(deformbench(verb + "file"), "--out file: ");
    expect_bad_input(deformbench(verb + "file/below"), "--out file/below: ");
    expect_bad_input(deformbench(verb + "/proc/no/such"), "--out /proc/no/such: ");
    expect_bad_input(deformbench(verb + std::string(300, 'x')), "File name too long");
  }
  expect_bad_input(deformbench("run order_oscillation --tier smoke --dry-run --out " + std::string(300, 'x')),
                   "too long");
  expect_bad_input(deformbench("status order_oscillation --tier smoke --out " + std::string(300, 'x')), "too long");
  EXPECT_EQ(contents(folder_ / "file"), "text");
}

TEST_F(CommandLine, WhatCannotBePrintedIsAnError) {
  for (const char* line :
       {"list methods", "list channels --json", "describe bar", "run order_oscillation --tier smoke --dry-run --json",
        "--help", "status order_oscillation --tier smoke"})
    expect_bad_input(shell("(" DEFORMBENCH_EXECUTABLE " " + std::string(line) + " >/dev/full)"),
                     "standard output: cannot be written (No space left on device)");
}

TEST_F(CommandLine, AFileSizeLimitIsAWriteErrorNotASignal) {
  // No byte may be written to any file; messages go through a pipe.
  const CommandEnd end = shell("{ { (ulimit -f 0; " DEFORMBENCH_EXECUTABLE
                               " run order_oscillation --tier smoke --quiet --out out; echo code $?) 2>&1; } | cat; }");
  EXPECT_THAT(end.out, AllOf(HasSubstr("smoke.cells.json: cannot be written"), HasSubstr("code 2")));
}

TEST_F(CommandLine, AMissingPythonIsBadInput) {
  const CommandEnd end = shell("DEFORMBENCH_PYTHON=/no/python " DEFORMBENCH_EXECUTABLE " verify");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("/no/python"));
}

}  // namespace
}  // namespace deformbench::harness::test
