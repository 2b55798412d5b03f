// SPDX-License-Identifier: BSD-3-Clause
// What code from outside must not do: change the numbers of others, outlive its cell, start where one only looks.
#include <sys/stat.h>

#include <fstream>

#include "experiments/harness/trace/trace_reader.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const json kBuiltIn = {{"name", "linear"}, {"method", "linear_fem"}};

std::size_t lines_of(const std::string& text) {
  return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

class FloatingPoint : public CommandTest {
 protected:
  json patch(json rows) const {
    return {{"methods", std::move(rows)},
            {"channels", {{"step", {{"names", {"volume", "kinetic_energy", "centre_of_mass"}}}}}}};
  }
  /// The built-in method's cell has the bits that it has alone.
  void expect_undisturbed() const {
    for (const auto& file : traces()) {
      const fs::path alone = folder_ / "alone" / fs::relative(file, folder_ / "out");
      EXPECT_THAT(shell("h5dump -a /provenance/floating_point " + file.string()).out, HasSubstr("\"default\""));
      if (!fs::exists(alone)) continue;
      EXPECT_EQ(deformbench("diff " + alone.string() + " " + file.string()).out, "no difference\n");
      return;
    }
    FAIL() << "the cell has another id";
  }
};

class AtLoad : public FloatingPoint, public testing::WithParamInterface<const char*> {};

TEST_P(AtLoad, APlugInThatChangesItChangesNoBitOfABuiltInMethod) {
  declare({}, patch({kBuiltIn}));
  ASSERT_EQ(deformbench("run faults.json --out alone").exit_code, 0);
  const std::string run = "env HOSTILE_PLUGIN_AT_LOAD=" + std::string(GetParam()) +
                          " " DEFORMBENCH_EXECUTABLE " run faults.json --out out --plugin " HOSTILE_PLUGIN
                          " --method linear --method hostile_plugin";
  const CommandEnd end = shell(run);
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, AllOf(HasSubstr("note: --plugin " HOSTILE_PLUGIN ": once loaded it "),
                             HasSubstr("the default is restored")));
  ASSERT_EQ(traces().size(), 2u);
  expect_undisturbed();
}

INSTANTIATE_TEST_SUITE_P(OfPlugIns, AtLoad, testing::Values("upward", "flush"));

class AtCall : public FloatingPoint, public testing::WithParamInterface<const char*> {};

TEST_P(AtCall, AMethodThatChangesItIsSetBackWithAnEvent) {
  declare({}, patch({kBuiltIn}));
  ASSERT_EQ(deformbench("run faults.json --out alone").exit_code, 0);
  declare({}, patch({{{"name", "library"},
                      {"method", "hostile_plugin"},
                      {"plugin", HOSTILE_PLUGIN},
                      {"parameters", {{"fault", GetParam()}}}},
                     kBuiltIn}));
  const CommandEnd end = deformbench("run faults.json --out out");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  ASSERT_EQ(traces().size(), 2u);
  std::string events;
  for (const auto& file : traces())
    for (const auto& event : TraceReader(file).events()) events += event.kind + ": " + event.detail + "\n";
  EXPECT_EQ(events, "floating_point_restored: the method rounds upward\n");
  expect_undisturbed();
}

INSTANTIATE_TEST_SUITE_P(OfPlugIns, AtCall, testing::Values("upward_at_create", "upward_at_step"));

TEST_F(FloatingPoint, APlugInOfTheCommandLineIsLoadedByItsOwnCellsAlone) {
  declare({}, {{"methods", {kBuiltIn}}});
  std::ofstream(folder_ / "loads");  // a line for each process that loads it
  const CommandEnd end = shell("env HOSTILE_PLUGIN_LOADS=" + (folder_ / "loads").string() +
                               " " DEFORMBENCH_EXECUTABLE " run faults.json --out out --plugin " HOSTILE_PLUGIN);
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(lines_of(contents(folder_ / "loads")), 2u);  // the trial in a child, and the command itself
}

TEST_F(CommandTest, ADetachedProcessOfAPlugInEndsWithItsCell) {
  declare({}, {{"methods",
                {{{"method", "hostile_plugin"}, {"plugin", HOSTILE_PLUGIN}, {"parameters", {{"fault", "daemon"}}}}}}});
  const std::string mark = "DEFORMBENCH_TEST_MARK=" + folder_.filename().string();
  const CommandEnd end = shell("env " + mark + " " DEFORMBENCH_EXECUTABLE " run faults.json --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(shell("grep -lzx " + mark + " /proc/[0-9]*/environ 2>/dev/null").out, "");
  EXPECT_EQ(deformbench("run faults.json --out out --force").exit_code, 0) << "the lock is free";
}

/// A paper outside the tree whose method is a program that leaves a file behind when it is started.
class ForeignPaper : public CommandTest {
 protected:
  ForeignPaper() {
    fs::create_directories(folder_ / "theirs" / "declarations");
    fs::copy_file(HOSTILE_PROGRAM, folder_ / "theirs" / "declarations" / "mine.py");
    std::ofstream(folder_ / "theirs" / "paper.json") << json{{"paper", "theirs"}, {"short", "T"}, {"citation", "T."}};
    declare({}, {{"id", "theirs/falls"},
                 {"methods",
                  {{{"method", "mine"},
                    {"program", "sh -c 'touch " + started_ + "; exec " PYTHON_EXECUTABLE " \"$0\" none' mine.py"}},
                   kBuiltIn}}});
    fs::rename(folder_ / "faults.json", folder_ / "theirs" / "declarations" / "falls.json");
  }
  CommandEnd with_papers(const std::string& arguments) const { return deformbench(arguments + " --papers theirs"); }
  const std::string started_ = (folder_ / "started").string();
};

TEST_F(ForeignPaper, IsLookedAtWithoutStartingItsCode) {
  const std::string run = "run theirs/falls --out out";
  for (const std::string& look :
       {std::string("list methods"), std::string("list experiments"), std::string("describe theirs/falls"),
        std::string("status theirs/falls --out out"), run + " --dry-run", run + " --dry-run --json"}) {
    const CommandEnd end = with_papers(look);
    EXPECT_EQ(end.exit_code, 0) << look << ": " << end.err;
    EXPECT_FALSE(fs::exists(started_)) << look;
    if (look.ends_with("--dry-run")) {
      EXPECT_THAT(end.out, AllOf(HasSubstr("not known without starting"), HasSubstr("to run"))) << look;
    }
  }
  const CommandEnd first = with_papers(run), second = with_papers(run);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(fs::exists(started_));
  EXPECT_THAT(first.err,
              AllOf(HasSubstr("note: theirs/falls starts code from outside: program sh -c "), HasSubstr("mine.py\n")));
  EXPECT_THAT(second.err, Not(HasSubstr("starts code")));
  const std::string status = with_papers("status theirs/falls --out out").out;
  EXPECT_THAT(status, AllOf(HasSubstr("1 completed"), HasSubstr("1 not known"), Not(HasSubstr("files of other"))));
}

TEST_F(ForeignPaper, IsLookedAtWithItsCodeWhereThatIsAskedFor) {
  const CommandEnd plan = with_papers("run theirs/falls --out out --dry-run --start");
  EXPECT_EQ(lines_of(plan.out), 2u);
  EXPECT_THAT(plan.out, Not(HasSubstr("not known")));
  EXPECT_TRUE(fs::exists(started_));
  EXPECT_THAT(with_papers("status theirs/falls --out out --start").out, HasSubstr("2 missing"));
}

TEST_F(CommandTest, OddFilesAreRefusedInOneLineAndNotWaitedFor) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.json").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder_ / "pipe.obj").c_str(), 0600), 0);
  for (const char* suffix : {"json", "h5", "mesh", "h5.part"}) {
    fs::create_symlink("/proc/self/mem", folder_ / (std::string("memory.") + suffix));
    fs::create_symlink("/proc/kmsg", folder_ / (std::string("log.") + suffix));
  }
  std::ofstream(folder_ / "box.mesh") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3\n";
  for (const std::string line :
       {"run memory.json", "run log.json", "run pipe.json", "simulate log.json --method linear_fem", "validate log.h5",
        "validate memory.h5", "recover log.h5.part", "diff log.h5 memory.h5", "describe log.json",
        "convert memory.mesh a.obj", "convert log.mesh a.obj", "convert box.mesh pipe.obj --force",
        "export-scene bar --to pipe.json", "run $'new\\nline.json'", "validate $'new\\nline.h5'",
        "describe $'new\\nline'"}) {
    const CommandEnd end = shell("timeout 10 bash -c '" DEFORMBENCH_EXECUTABLE " '\"" + line + "\"");
    EXPECT_EQ(end.exit_code, 2) << line << ": " << end.err;
    EXPECT_EQ(lines_of(end.err), 1u) << line << ": " << end.err;
    EXPECT_THAT(end.err, Not(HasSubstr("internal error"))) << line;
  }
}

TEST_F(CommandTest, ScarceDescriptorsFilesAndStackAreOneLine) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out whole").exit_code, 0);
  fs::copy(folder_ / "whole", folder_ / "out", fs::copy_options::recursive);
  const std::string trace = traces().at(0).string();
  EXPECT_THAT(shell("(ulimit -s 64; " DEFORMBENCH_EXECUTABLE " validate " + trace + ")").out, EndsWith(": conforms\n"));
  for (const std::string limit : {"-n 3", "-n 4", "-n 5", "-n 6", "-n 8", "-n 10", "-n 12", "-f 1"}) {
    const std::string folder = " --quiet --out out" + limit.substr(3);
    const CommandEnd end = shell("{ { (ulimit " + limit + "; " FAULTY_EXECUTABLE " run faults.json" + folder +
                                 " >/dev/null) 2>&1; } | cat; }");
    EXPECT_LE(lines_of(end.out), 1u) << limit << ": " << end.out;
    EXPECT_THAT(end.out, Not(HasSubstr("internal error"))) << limit;
  }
}

}  // namespace
}  // namespace deformbench::harness::test
