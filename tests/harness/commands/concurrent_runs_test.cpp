// SPDX-License-Identifier: BSD-3-Clause
// Several supervisors on one folder: whatever the order, a cell that one of them completed stays completed.
#include <signal.h>

#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Starts a command in the background; its end with join().
class Background {
 public:
  Background(const fs::path& folder, const std::string& line, const fs::path& log)
      : thread_([this, command = "cd '" + folder.string() + "' && " + line + " >'" + log.string() + "' 2>&1"] {
          const int status = std::system(command.c_str());
          code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }) {}
  int join() {
    thread_.join();
    return code_;
  }

 private:
  int code_ = -1;
  std::thread thread_;
};

using ConcurrentRuns = CommandTest;

TEST_F(ConcurrentRuns, ACellWhoseFileIsJustSyncedIsLeftToItsWriter) {
  declare({});
  Background first(folder_, "FAULTY_FSYNC_SECONDS=2 " FAULTY_EXECUTABLE " run faults.json --out out",
                   folder_ / "first");
  const auto is_sealed = [&] {
    const auto parts = traces(".part");
    return !parts.empty() && contents(parts[0]).starts_with("deformbench-trace 1");
  };
  ASSERT_TRUE(wait_for(is_sealed, 20)) << contents(folder_ / "first");
  const CommandEnd second = faulty("run faults.json --out out");
  ASSERT_TRUE(is_sealed()) << "the disk was too fast to show anything";
  EXPECT_EQ(second.exit_code, 4) << "a cell of the selection was not there";
  EXPECT_THAT(second.err, HasSubstr("in progress, process "));
  EXPECT_THAT(second.err, HasSubstr("1 in progress elsewhere"));
  EXPECT_EQ(first.join(), 0) << contents(folder_ / "first");
  ASSERT_EQ(traces().size(), 1u);
  EXPECT_EQ(TraceReader(traces()[0]).status(), "completed");
  EXPECT_THAT(traces(".part"), IsEmpty());
}

TEST_F(ConcurrentRuns, FourStartedAtOnceLoseNoCell) {
  declare({}, {{"sweep", {{"seed", {1, 2, 3}}}}});
  for (int round = 0; round < 3; ++round) {
    fs::remove_all(folder_ / "out");
    std::vector<std::unique_ptr<Background>> starts;
    for (int k = 0; k < 4; ++k)
      starts.push_back(std::make_unique<Background>(folder_, FAULTY_EXECUTABLE " run faults.json --out out",
                                                    folder_ / ("log" + std::to_string(k))));
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const int code = starts[k]->join();
      const std::string log = contents(folder_ / ("log" + std::to_string(k)));
      const std::size_t summary = log.rfind(" cells: ");  // what progress says may be over by then
      ASSERT_NE(summary, std::string::npos) << log;
      const bool is_missing = log.find("in progress elsewhere", summary) != std::string::npos;
      EXPECT_EQ(code, is_missing ? 4 : 0) << log;
      EXPECT_THAT(log, Not(HasSubstr("failed")));
    }
    ASSERT_EQ(traces().size(), 3u);
    for (const fs::path& file : traces())
      EXPECT_EQ(TraceReader(file).status(), "completed") << TraceReader(file).status_reason();
    EXPECT_THAT(traces(".part"), IsEmpty());
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out"))
      EXPECT_THAT(entry.path().string(), Not(HasSubstr(".new"))) << "a list of cells that was not renamed";
  }
}

TEST_F(ConcurrentRuns, AnAbnormalEndDoesNotReplaceACompletedTrace) {
  declare({{"step_seconds", 0.1}});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  const std::string before = contents(traces().at(0));
  Background again(folder_, FAULTY_EXECUTABLE " run faults.json --out out --force", folder_ / "again");
  ASSERT_TRUE(wait_for([&] { return !traces(".part").empty(); }, 20));
  kill(pid_t(read_part_lock(traces(".part")[0]).pid), SIGKILL);
  EXPECT_EQ(again.join(), 4);
  EXPECT_THAT(contents(folder_ / "again"), HasSubstr("the completed trace of another run stays"));
  EXPECT_EQ(contents(traces().at(0)), before);
  EXPECT_THAT(traces(".part"), IsEmpty());
}

TEST_F(ConcurrentRuns, WhatAKilledRunLeavesBesideATraceIsRemovedByTheNextOne) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  EXPECT_NE(shell("FAULTY_KILL_AT_WRITE=9 FAULTY_KILL_PARENT=1 " FAULTY_EXECUTABLE " run faults.json --out out --force")
                .exit_code,
            0);
  ASSERT_EQ(traces(".part").size(), 1u);
  EXPECT_THAT(faulty("status faults.json --out out").out,
              AllOf(HasSubstr("1 completed,"), Not(HasSubstr("broken off"))));
  EXPECT_THAT(faulty("run faults.json --out out").out, HasSubstr("1 completed before"));
  EXPECT_THAT(traces(".part"), IsEmpty());
}

}  // namespace
}  // namespace deformbench::harness::test
