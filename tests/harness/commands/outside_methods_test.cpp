// SPDX-License-Identifier: BSD-3-Clause
// Programs and plug-ins as methods: whatever they do is their cells' fate alone, or one line, and nothing is left of
// them.
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include "experiments/harness/trace/trace_reader.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::string program(const std::string& fault) {
  return std::string(PYTHON_EXECUTABLE " " HOSTILE_PROGRAM " ") + fault;
}

/// Processes that have `mark` in their environment: those that a command with it has started, however they left it.
std::vector<pid_t> marked_processes(const std::string& mark) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos || std::stol(name) == getpid()) continue;
    if (contents(entry.path() / "environ").find(mark) != std::string::npos) found.push_back(pid_t(std::stol(name)));
  }
  return found;
}

class OutsideMethods : public CommandTest {
 protected:
  OutsideMethods() : mark_("DEFORMBENCH_TEST_MARK=" + folder_.filename().string()) {}
  /// With a fault and without, on one tetrahedron, with the built-in method that the declaration names.
  CommandEnd run(const std::string& options, double seconds = 60, const std::string& verb = "run") {
    declare({}, {{"methods", {{{"name", "linear"}, {"method", "linear_fem"}}}}, {"time_limit_s", seconds}});
    return marked(verb + " faults.json --out out " + options);
  }
  CommandEnd marked(const std::string& arguments) const {
    return shell("env " + mark_ + " DEFORMBENCH_DESCRIBE_SECONDS=2 " DEFORMBENCH_EXECUTABLE " " + arguments);
  }
  bool nothing_is_left() const {
    return wait_for([&] { return marked_processes(mark_).empty(); }, 30);
  }
  std::map<std::string, std::string> fates() const {
    std::map<std::string, std::string> result;
    for (const auto& file : traces()) {
      const TraceReader trace(file);
      result[trace.spec()["method"]["id"]] = trace.status() + ": " + trace.status_reason();
      EXPECT_EQ(deformbench("validate " + file.string()).exit_code, 0);
    }
    return result;
  }
  /// The cell of `method` ended with this status and reason, a regular expression, and the other one well.
  void expect_fate(const CommandEnd& end, const std::string& method, const char* fate) const {
    const auto found = fates();
    ASSERT_EQ(found.size(), 2u) << end.err;
    EXPECT_EQ(found.at("linear_fem"), "completed: ");
    EXPECT_THAT(found.at(method), MatchesRegex(fate));
    EXPECT_EQ(end.exit_code, found.at(method) == "completed: " ? 0 : 4) << end.err;
    EXPECT_TRUE(nothing_is_left());
  }
  std::string mark_;
};

struct ProgramFate {
  const char* fault;
  const char* fate;  ///< regular expression of status and reason
};
std::ostream& operator<<(std::ostream& out, const ProgramFate& given) {
  return out << given.fault;
}

class FateOfProgram : public OutsideMethods, public testing::WithParamInterface<ProgramFate> {};

TEST_P(FateOfProgram, IsItsCellsAloneWithTheReasonAndNothingIsLeftOfIt) {
  const double limit = std::string(GetParam().fate).starts_with("timeout") ? 4 : 60;
  const CommandEnd end =
      run("--program '" + program(GetParam().fault) + "' --method hostile --method linear_fem", limit);
  expect_fate(end, "hostile", GetParam().fate);
  EXPECT_TRUE(traces(".part").empty());
  for (const auto& file : traces())
    if (const TraceReader trace(file); trace.spec()["method"]["id"] == "hostile" && trace.status() == "completed")
      EXPECT_THAT(trace.provenance().value("program", ""), HasSubstr("hostile_program.py"));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, FateOfProgram,
    testing::Values(ProgramFate{"none", "completed: "},
                    ProgramFate{"error_at_create", "failed: .*could not be created.*ValueError: the mesh is too small"},
                    ProgramFate{"works_unknown",
                                "failed: step 3 .*work .*miles.*expected an object of whole numbers.*"},
                    ProgramFate{"works_less_than_nothing", "failed: step 3 .*work .*-1.*expected an object of whole.*"},
                    ProgramFate{"error_at_step", "failed: step 3 .*LinAlgError: singular matrix"},
                    ProgramFate{"segfault", "failed: step 3 .*killed by SIGSEGV: about to fail"},
                    ProgramFate{"real_time_signal", "failed: step 3 .*killed by 40: about to fail"},
                    ProgramFate{"exit_3", "failed: step 3 .*gives no more answers, it ended with exit code 3"},
                    ProgramFate{"nan", "diverged: step 3 .*"}, ProgramFate{"infinite", "diverged: step 3 .*"},
                    ProgramFate{"says_diverged", "diverged: step 3 .*"},
                    ProgramFate{"two_vertices", "failed: step 3 .*2 vertices after a step, expected 4"},
                    ProgramFate{"cut_short", "failed: step 3 .*ends after 92 of 96 bytes.*"},
                    ProgramFate{"garbage", "failed: step 3 .*answers \"[^\"]*what\\?\", expected an object in JSON.*"},
                    ProgramFate{"flood_answers", "failed: step 3 .*answers with more than 1048576 bytes.*"},
                    ProgramFate{"too_much", "failed: step 4 .*without being asked, or more numbers.*"},
                    ProgramFate{"wrong_type", "failed: step 3 .*\"iterations\": \"many\", expected a whole number"},
                    ProgramFate{"flood_output", "completed: "}, ProgramFate{"orphans", "completed: "},
                    ProgramFate{"hang", "timeout: .*4 s"}, ProgramFate{"stop", "timeout: .*4 s"},
                    ProgramFate{"hang_with_orphans", "timeout: .*4 s"}),
    [](const auto& given) { return std::string(given.param.fault); });

struct Refusal {
  const char* name;
  std::string options;
  const char* reason;  ///< regular expression of the line
};
std::ostream& operator<<(std::ostream& out, const Refusal& given) {
  return out << given.name;
}

class RefusedOutsideMethod : public OutsideMethods, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusedOutsideMethod, IsOneLineAndLeavesNothing) {
  const CommandEnd end = run(GetParam().options);
  EXPECT_EQ(end.exit_code, 2) << end.err;
  EXPECT_THAT(end.err, MatchesRegex(GetParam().reason));
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
  EXPECT_LT(end.err.size(), 2100u);
  EXPECT_TRUE(traces().empty());
  EXPECT_TRUE(nothing_is_left());
}

std::string with_program(const std::string& command) {
  return "--program '" + command + "'";
}

INSTANTIATE_TEST_SUITE_P(
    Programs, RefusedOutsideMethod,
    testing::Values(
        Refusal{"not_there", with_program("./no_such_program x"), ".*\"./no_such_program\" cannot be started.*"},
        Refusal{"no_program", with_program("/etc/passwd"), ".*cannot be started \\(Permission denied\\)\n"},
        Refusal{"nothing", with_program(" "), ".*--program.*expected a command.*"},
        Refusal{"open_quote", "--program \"python3 \\\"mine.py\"", ".*--program.*not closed.*"},
        Refusal{"exits", with_program(program("exit_at_once")), ".*exit code 3: no licence found\n"},
        Refusal{"is_deaf", with_program(program("deaf")), ".*cannot say what it is.*no answer in time.*"},
        Refusal{"other_protocol", with_program(program("protocol_2")), ".*/protocol: got 2, expected 1\n"},
        Refusal{"unit", with_program(program("unit_7")), ".*/parameters/0/unit: got 7, expected text\n"},
        Refusal{"takes", with_program(program("takes_water")),
                ".*/takes: got .*water.*expected a list of tetrahedra.*"},
        Refusal{"no_default", with_program(program("no_default")), ".*/parameters/0/default: got nothing.*"},
        Refusal{"watches", with_program(program("watches_birds")),
                ".*/watches: got .*birds.*expected a list of objective, gradient_norm, linear_iterations\n"},
        Refusal{"id_taken", with_program(program("id_of_another")), ".*'linear_fem' is registered twice.*"},
        Refusal{"id_wrong", with_program(program("id_with_blank")), ".*'my method': expected lower case.*"},
        Refusal{"id_with_newline", with_program(program("id_with_newline")),
                ".*'my\\\\nmethod': expected lower case.*"},
        Refusal{"nested_protocol", with_program(program("nested_protocol")), ".*nested more than 64 deep.*"},
        Refusal{"nested_error", with_program(program("nested_error")), ".*nested more than 64 deep.*"},
        Refusal{"long_error", with_program(program("long_error")), ".*no licence\\\\nat all .*\\.\\.\\. .*\n"},
        Refusal{"same_twice", with_program(program("none")) + " " + with_program(program("none")),
                ".*'hostile' is registered twice.*"}),
    [](const auto& given) { return std::string(given.param.name); });

std::string plugin(const char* file) {
  return std::string("--plugin ") + file;
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, RefusedOutsideMethod,
    testing::Values(Refusal{"not_there", plugin("libnone.so"), ".*--plugin libnone.so: is no file.*"},
                    Refusal{"no_library", plugin("/etc/passwd"), ".*--plugin /etc/passwd: cannot be loaded.*"},
                    Refusal{"no_methods", plugin(EMPTY_PLUGIN),
                            ".*has no methods for deformbench.*DEFORMBENCH_PLUGIN.*"},
                    Refusal{"twice", plugin(HOSTILE_PLUGIN) + " " + plugin(HOSTILE_PLUGIN), ".*registered twice.*"}),
    [](const auto& given) { return std::string(given.param.name); });

TEST_F(OutsideMethods, APlugInIsLoadedAndItsCellsRun) {
  const CommandEnd end = run(plugin(HOSTILE_PLUGIN) + " --method hostile_plugin");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(fates().at("hostile_plugin"), "completed: ");
  EXPECT_THAT(deformbench("describe hostile_plugin " + plugin(HOSTILE_PLUGIN)).out, HasSubstr("fault"));
}

struct PluginFault {
  const char* fault;
  const char* says;
};
std::ostream& operator<<(std::ostream& out, const PluginFault& given) {
  return out << given.fault;
}
class PluginAtLoad : public OutsideMethods, public testing::WithParamInterface<PluginFault> {};

TEST_P(PluginAtLoad, IsRefusedInOneLine) {
  setenv("HOSTILE_PLUGIN_AT_LOAD", GetParam().fault, 1);
  const CommandEnd end = run(plugin(HOSTILE_PLUGIN) + " --method hostile_plugin");
  unsetenv("HOSTILE_PLUGIN_AT_LOAD");
  EXPECT_EQ(end.exit_code, 2) << end.err;
  EXPECT_THAT(end.err, AllOf(HasSubstr("--plugin " HOSTILE_PLUGIN), HasSubstr(GetParam().says)));
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
}

INSTANTIATE_TEST_SUITE_P(
    Faults, PluginAtLoad,
    testing::Values(PluginFault{"stamp", "is built for \"interface 000, GCC of yesterday\", expected \"interface "},
                    PluginFault{"throw", "cannot be registered: no licence"},
                    PluginFault{"throw_number", "no std::exception"}, PluginFault{"nothing", "adds no method"},
                    PluginFault{"crash", "crashes when it is loaded (signal SIGSEGV)"},
                    PluginFault{"exit", "ends the process that loads it"},
                    PluginFault{"hang", "loading it takes more than 2 s"}),
    [](const auto& given) { return std::string(given.param.fault); });

class FateOfPlugin : public OutsideMethods, public testing::WithParamInterface<ProgramFate> {};

TEST_P(FateOfPlugin, IsItsCellsAloneWithTheReason) {
  const double limit = std::string(GetParam().fate).starts_with("timeout") ? 4 : 60;
  declare({}, {{"methods",
                {{{"name", "bad"}, {"method", "hostile_plugin"}, {"parameters", {{"fault", GetParam().fault}}}},
                 {{"name", "linear"}, {"method", "linear_fem"}}}},
               {"time_limit_s", limit}});
  const CommandEnd end = marked("run faults.json --out out " + plugin(HOSTILE_PLUGIN));
  expect_fate(end, "hostile_plugin", GetParam().fate);
}

INSTANTIATE_TEST_SUITE_P(Faults, FateOfPlugin,
                         testing::Values(ProgramFate{"create", "failed: .*could not be created: no room"},
                                         ProgramFate{"throw", "failed: step 3 .*no inverse"},
                                         ProgramFate{"throw_number", "failed: .*"},
                                         ProgramFate{"crash", "failed: .*SIGSEGV.*"},
                                         ProgramFate{"exit", "failed: .*exit code 0.*"},
                                         ProgramFate{"nan", "diverged: step 3 .*"}, ProgramFate{"flood", "timeout: .*"},
                                         ProgramFate{"print", "completed: "}, ProgramFate{"hang", "timeout: .*"},
                                         ProgramFate{"child", "timeout: .*"}),
                         [](const auto& given) { return std::string(given.param.fault); });

TEST_F(OutsideMethods, AProgramThatStartsProcessesWhenItDescribesItselfLeavesNone) {
  const CommandEnd end = run(with_program(program("orphan_at_describe")));
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(nothing_is_left());
}

class StoppedSupervisor : public OutsideMethods, public testing::WithParamInterface<int> {};

TEST_P(StoppedSupervisor, LeavesNoProgram) {
  declare({}, {{"methods", {{{"name", "linear"}, {"method", "linear_fem"}}}}, {"time_limit_s", 60}});
  const std::string line = "cd '" + folder_.string() + "' && exec env " + mark_ +
                           " " DEFORMBENCH_EXECUTABLE " run faults.json --out out --program '" +
                           program("hang_with_orphans") + "' >/dev/null 2>&1";
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  const auto is_hanging = [&] {  // two sleepers, the program, its guard, the cell, the supervisor
    return marked_processes(mark_).size() >= 6;
  };
  EXPECT_TRUE(wait_for(is_hanging, 10));
  kill(supervisor, GetParam());
  waitpid(supervisor, nullptr, 0);
  EXPECT_TRUE(nothing_is_left());
}

INSTANTIATE_TEST_SUITE_P(Signals, StoppedSupervisor, testing::Values(SIGINT, SIGTERM, SIGKILL),
                         [](const auto& given) { return std::string("SIG") + sigabbrev_np(given.param); });

TEST_F(OutsideMethods, TheTimingOfAProgramHasItsOwnTimeAndTheProtocols) {
  declare({}, {{"methods", {{{"name", "linear"}, {"method", "linear_fem"}}}},
               {"timing", {{"repeats", 5}, {"warmup_steps", 1}, {"min_steps", 4}, {"min_seconds", 0.0}}}});
  const CommandEnd end = marked("time faults.json --out out " + with_program(program("slow")));
  EXPECT_EQ(end.exit_code, 0) << end.err;
  const auto files = traces(".timing.h5");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(shell("h5dump -a /timing/phase_names " + files[0].string()).out, HasSubstr(R"(["program","protocol"])"));
  // The program says 0.1 s of a step that takes a little more; five repeats, four steps, two phases.
  EXPECT_THAT(shell("h5dump -d /timing/phase_seconds -c 1,1,2 " + files[0].string()).out,
              AllOf(HasSubstr("{ ( 5, 4, 2 )"), HasSubstr("(0,0,0): 0.1, 0.00")));
}

TEST_F(OutsideMethods, AChangedProgramIsAnotherMethod) {
  const fs::path script = folder_ / "mine.py";
  fs::copy_file(HOSTILE_PROGRAM, script);
  const std::string options = "--program '" PYTHON_EXECUTABLE " mine.py none'";
  ASSERT_EQ(run(options).exit_code, 0);
  EXPECT_THAT(run(options).out, HasSubstr("1 completed before"));
  std::ofstream(script, std::ios::app) << "# changed\n";
  EXPECT_THAT(run(options).out, Not(HasSubstr("before")));
  EXPECT_EQ(traces().size(), 2u);
}

class CodeThatChanges : public OutsideMethods,
                        public testing::WithParamInterface<std::tuple<const char*, const char*>> {};

TEST_P(CodeThatChanges, EndsTheRunInOneLineAndTheMixedCellIsNotKept) {
  const auto& [edited, verb] = GetParam();
  fs::copy_file(HOSTILE_PROGRAM, folder_ / "mine.py");
  fs::copy_file(HOSTILE_PLUGIN, folder_ / "mine.so");
  const std::string options = "--program '" PYTHON_EXECUTABLE " mine.py edits' --plugin mine.so ";
  setenv("HOSTILE_EDITS", edited, 1);
  const CommandEnd end = run(options + "--method linear_fem hostile hostile_plugin", 20, verb);
  unsetenv("HOSTILE_EDITS");
  EXPECT_EQ(end.exit_code, 2) << end.err;
  const std::string method = edited == std::string("mine.py") ? "hostile" : "hostile_plugin";
  EXPECT_THAT(end.err,
              HasSubstr("deformbench: method " + method + ": its plug-in or program changed while it was run"));
  EXPECT_TRUE(traces(".part").empty());
  for (const auto& [id, fate] : fates()) EXPECT_NE(id, method) << fate;
  EXPECT_TRUE(nothing_is_left());
}

INSTANTIATE_TEST_SUITE_P(Files, CodeThatChanges,
                         testing::Values(std::tuple("mine.py", "run"), std::tuple("mine.so", "run"),
                                         std::tuple("mine.py", "time")),
                         [](const auto& given) {
                           return std::string(std::get<0>(given.param)).substr(5) + "_" + std::get<1>(given.param);
                         });

/// Rows that bring their methods along, two of which cannot be had.
json rows_from_outside() {
  return {{{"name", "mine"}, {"method", "mine"}, {"program", PYTHON_EXECUTABLE " scripts/mine.py none"}},
          {{"name", "library"}, {"method", "hostile_plugin"}, {"plugin", HOSTILE_PLUGIN}},
          {{"name", "nowhere"}, {"method", "nowhere"}, {"plugin", "nowhere"}, {"parameters", {{"sweeps", 7}}}},
          {{"name", "absent"}, {"method", "absent"}, {"program", "{python} scripts/not_there.py"}},
          {{"name", "linear"}, {"method", "linear_fem"}}};
}

TEST_F(OutsideMethods, ARowBringsItsMethodAlongOrSaysThatItIsNotBuilt) {
  fs::create_directory(folder_ / "scripts");
  fs::copy_file(HOSTILE_PROGRAM, folder_ / "scripts" / "mine.py");
  declare({}, {{"methods", rows_from_outside()}});
  const CommandEnd end = marked("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  const auto fate = fates();
  ASSERT_EQ(fate.size(), 5u) << end.err;
  for (const char* id : {"mine", "hostile_plugin", "linear_fem"}) EXPECT_EQ(fate.at(id), "completed: ") << id;
  EXPECT_THAT(fate.at("nowhere"),
              MatchesRegex("unsupported: not built: .*lib/deformbench/plugins/nowhere.so: is no file.*"));
  EXPECT_THAT(fate.at("absent"), MatchesRegex("unsupported: not built: .*not_there.py.*"));
  EXPECT_THAT(end.out, HasSubstr("3 completed, 2 not built"));
  // Another run keeps them all, from another place too: neither paths nor the names of folders are in the ids.
  EXPECT_THAT(marked("run faults.json --out out").out, HasSubstr("3 completed before, 2 not built"));
  fs::rename(folder_ / "scripts", folder_ / "moved");
  json rows = rows_from_outside();
  rows[0]["program"] = PYTHON_EXECUTABLE " moved/mine.py none";
  declare({}, {{"methods", rows}});
  EXPECT_THAT(marked("run faults.json --method mine --out out").out, HasSubstr("1 completed before"));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(OutsideMethods, AResolvedCellBringsItsMethodAlong) {
  fs::create_directory(folder_ / "scripts");
  fs::copy_file(HOSTILE_PROGRAM, folder_ / "scripts" / "mine.py");
  declare({}, {{"methods", rows_from_outside()}});
  const json plan = json::parse(marked("run faults.json --out out --dry-run --start --json").out);
  ASSERT_EQ(plan.size(), 5u);
  fs::create_directory(folder_ / "elsewhere");
  for (const json& cell : plan) {
    std::ofstream(folder_ / "elsewhere" / "cell.json") << cell["spec"];
    const CommandEnd end = marked("run elsewhere/cell.json --out out");
    EXPECT_TRUE(end.exit_code == 0 || end.exit_code == 5) << end.err;
    EXPECT_TRUE(fs::exists(folder_ / cell["file"].get<std::string>())) << cell["spec"]["method"] << end.err;
  }
  EXPECT_EQ(fates().at("mine"), "completed: ");
}

TEST_F(OutsideMethods, ARowThatNamesTwoSourcesIsRefusedInOneLine) {
  declare({}, {{"methods", {{{"method", "mine"}, {"plugin", "a"}, {"program", "b"}}}}});
  const CommandEnd end = marked("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, MatchesRegex(".*/methods/0: has \"plugin\" and \"program\", expected one of them\n"));
}

/// Two steps of a program, of which the second is watched.
json watching(const char* fault) {
  return {{"methods", {{{"name", "mine"}, {"method", "mine"}, {"program", program(fault)}}}},
          {"schedule", {{"steps", 2}}},
          {"channels",
           {{"step", {{"names", {"volume"}}}},
            {"iteration",
             {{"steps", {2}}, {"names", {"objective", "gradient_norm", "linear_iterations", "elapsed_seconds"}}}}}}};
}

TEST_F(OutsideMethods, TheIterationsOfAProgramAreThoseThatItAnswers) {
  declare({}, watching("watched"));
  const CommandEnd end = marked("run faults.json --out out");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const TraceReader trace(traces().at(0));
  EXPECT_EQ(trace.channel("iteration", "objective").values, (std::vector<double>{10, 9, 8, 7}));
  EXPECT_EQ(trace.channel("iteration", "elapsed_seconds").values, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(trace.channel("iteration", "iteration").values, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(trace.channel("iteration", "iteration_kind").values, (std::vector<double>{3, 3, 3, 3}));
  const auto norms = trace.channel("iteration", "gradient_norm").values;
  EXPECT_EQ(norms[0], 1.0);
  EXPECT_TRUE(std::isnan(norms[1]));
  EXPECT_FALSE(trace.has_channel("iteration", "linear_iterations"));
  ASSERT_EQ(trace.events().size(), 1u);
  EXPECT_EQ(trace.events()[0].detail, "linear_iterations: it is not among what the program watches");
  EXPECT_EQ(trace.steps("iteration"), (std::vector<std::int64_t>{2, 2, 2, 2}));
}

TEST_F(OutsideMethods, TheWorkOfAProgramIsThatWhichItAnswers) {
  json counted = watching("works");
  counted["channels"] = {{"step", {{"names", {"work_gradients", "work_products", "work_trials"}}}}};
  declare({}, counted);
  const CommandEnd end = marked("run faults.json --out out");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const TraceReader trace(traces().at(0));
  EXPECT_EQ(trace.channel("step", "work_gradients").values.at(2), 960.0);
  EXPECT_EQ(trace.channel("step", "work_products").values.at(2), 7.0);
  EXPECT_EQ(trace.channel("step", "work_trials").values.at(2), 0.0);
}

TEST_F(OutsideMethods, AProgramThatAnswersNoIterationsFailsAndOneThatKnowsNoneIsRefused) {
  for (const char* fault : {"watched_not", "watched_short"}) {
    declare({}, watching(fault));
    const CommandEnd end = marked("run faults.json --out out --force");
    EXPECT_EQ(end.exit_code, 4) << end.err;
    EXPECT_THAT(end.err, HasSubstr("expected rows of 3 numbers")) << fault;
  }
  declare({}, watching("none"));
  const CommandEnd end = marked("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("the program does not say what it knows of its iterations"));
}

/// A bar that bends under its tip's load, until static, by implicit_fem and by the same without facets.
json bending(double time_step, double residual, int max_steps) {
  const json parameters = {{"law", "stable_neo_hookean"}, {"solver", "direct"}, {"mass_damping_1_s", 8.0}};
  return {{"scene",
           {{"name", "bar"},
            {"parameters",
             {{"length_m", 0.5},
              {"side_m", 0.1},
              {"cells_across", 1},
              {"gravity_m_s2", {0, 0, 0}},
              {"tip_force_n", {0, -2.0, 0}},
              {"young_modulus_pa", 1e5},
              {"time_step_s", time_step}}}}},
          {"methods",
           {{{"name", "open"}, {"method", "implicit_fem"}, {"parameters", parameters}},
            {{"name", "veiled"}, {"method", "veiled_implicit_fem"}, {"parameters", parameters}}}},
          {"schedule", {{"steps", nullptr}, {"until_static", {{"residual", residual}, {"max_steps", max_steps}}}}},
          {"channels", {{"step", {{"names", {"tip_displacement", "unbalanced_force"}}}}}}};
}

/// Downwards, at the end, by the method's label.
std::map<std::string, double> tips(const std::vector<fs::path>& files) {
  std::map<std::string, double> result;
  for (const auto& file : files) {
    const TraceReader trace(file);
    EXPECT_EQ(trace.status(), "completed") << trace.status_reason();
    const auto values = trace.channel("step", "tip_displacement").values;
    result[trace.spec()["method"]["name"]] = values[values.size() - 2];
  }
  return result;
}

TEST_F(OutsideMethods, AreStaticByTheirPositionsWhereTheyAreByTheirForces) {
  double rest = 0.0;
  // One huge implicit step after another, and a motion that dies out in small ones.
  for (const auto& [time_step, residual, steps] : {std::tuple{1e4, 1e-8, 50}, std::tuple{0.02, 1e-4, 5000}}) {
    fs::remove_all(folder_ / "out");
    declare({}, bending(time_step, residual, steps));
    const CommandEnd end = faulty("run faults.json --out out");
    ASSERT_EQ(end.exit_code, 0) << end.err;
    auto tip = tips(traces());
    ASSERT_EQ(tip.size(), 2u);
    EXPECT_LT(tip["open"], -0.01) << "it bends";
    // The huge steps end at the rest that both are to find. By positions, the motion to come is what is bounded. By
    // forces, each of 20 free vertices may be out of balance by the residual of the largest reaction, some 2.5 times
    // the load: 50 times as much.
    if (time_step > 1.0) rest = tip["open"];
    EXPECT_NEAR(tip["veiled"], rest, 10 * residual * std::abs(rest)) << time_step;
    EXPECT_NEAR(tip["open"], rest, 50 * residual * std::abs(rest)) << time_step;
    for (const auto& file : traces()) {
      const TraceReader trace(file);
      const bool is_veiled = trace.spec()["method"]["name"] == "veiled";
      std::map<std::string, std::string> events;
      for (const auto& event : trace.events()) events[event.kind] = event.detail;
      EXPECT_THAT(events["static"], HasSubstr(is_veiled ? "by the positions alone" : "largest unbalanced force"));
      EXPECT_EQ(events.contains("channel_missing"), is_veiled);
      if (is_veiled) {
        EXPECT_THAT(events["channel_missing"], HasSubstr("unbalanced_force"));
      }
    }
  }
}

TEST_F(OutsideMethods, WhatNeverMovesUnderLoadIsNotStatic) {
  json scene = bending(0.02, 1e-4, 20);
  scene["methods"] = {{{"name", "stuck"}, {"method", "faulty"}}};
  declare({}, scene);
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.err, HasSubstr("not static after 20 steps: nothing that is free has moved, under load"));
}

TEST_F(OutsideMethods, ChannelsOfFacetsAreMissingWithTheReasonAndTheCellCompletes) {
  declare({},
          {{"channels",
            {{"step", {{"names", {"elastic_energy", "volume"}}}}, {"operator", {{"names", {"condition_number"}}}}}}});
  const CommandEnd end = faulty("run faults.json --out out");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const TraceReader trace(traces().at(0));
  EXPECT_EQ(trace.channel("step", "volume").values.size(), 11u);
  EXPECT_ANY_THROW(trace.channel("step", "elastic_energy"));
  std::vector<std::string> missing;
  for (const auto& event : trace.events())
    if (event.kind == "channel_missing") missing.push_back(event.detail);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_THAT(missing, testing::Contains(AllOf(HasSubstr("'elastic_energy'"), HasSubstr("ElasticityFacet"))));
  EXPECT_EQ(faulty("validate " + traces().at(0).string()).exit_code, 0) << contents(folder_ / "stderr");
}

}  // namespace
}  // namespace deformbench::harness::test
