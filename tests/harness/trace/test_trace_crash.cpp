// SPDX-License-Identifier: BSD-3-Clause
// What is left when a writer dies, is killed, or runs out of disk: each in a child process of its own.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/trace/child_process.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using ::testing::HasSubstr;
using testing::same_bits;
using testing::small_channels;
using testing::small_provenance;
using testing::small_row;
using testing::small_spec;
using testing::start_child;
using testing::wait_for;

/// Counters that survive the child.
struct Shared {
  std::atomic<std::int64_t> appended{0}, frames{0}, events{0};
};
Shared* shared_memory() {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return new (memory) Shared;
}

constexpr std::size_t kVertices = 400;
std::vector<double> frame_row(std::int64_t frame) {
  std::vector<double> row(3 * kVertices);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::sin(double(frame) + 0.37 * double(i));
  return row;
}

/// Appends rows, frames and events until it is killed.
int write_for_ever(const fs::path& path, Shared& shared) {
  TraceWriter writer(path, small_spec(), small_provenance());
  writer.scene_array("masses", std::vector{1.0, 2.0}, {2}, "kg", "lumped masses");
  writer.add_clock("step", small_channels());
  writer.add_clock("frame", {{"positions", "m", "position", "positions", "harness", {kVertices, 3}}});
  for (std::int64_t step = 0;; ++step) {
    writer.append("step", step, 1e-3 * double(step), small_row(step));
    shared.appended = step + 1;
    if (step % 4 == 0) {
      writer.append("frame", step, 1e-3 * double(step), frame_row(step / 4));
      shared.frames = step / 4 + 1;
    }
    if (step % 3 == 0) writer.event(step, 1e-3 * double(step), "contact", step, "between two");
  }
}

TEST(Recover, AProcessKilledInTheMiddleLosesOnlyItsLastBatch) {
  // Rows of `frame`: 9,616 bytes; batches of 2^20 / 9,616 = 109.
  constexpr std::int64_t kFrameBatch = (1 << 20) / (8 * (3 * kVertices + 2));
  const Folder folder;
  testing::write_small_trace(folder / "earlier.h5");
  std::int64_t most = 0;
  for (int round = 0; round < 12; ++round) {
    const fs::path path = folder / ("cell" + std::to_string(round) + ".h5");
    Shared* shared = shared_memory();
    const pid_t child = start_child([&] { return write_for_ever(path, *shared); });
    while (shared->appended < 700) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(7919 * round % 40000));
    kill(child, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(wait_for(child)));

    ASSERT_TRUE(part_is_stale(part_path(path)));
    const Recovered result = recover(part_path(path));
    EXPECT_THAT(result.lost, ::testing::IsEmpty());
    const std::int64_t rows = result.rows.at("step")[0], frames = result.rows.at("frame")[0];
    // The batch that the last counted row belongs to may just have been on its way.
    EXPECT_GE(rows, (shared->appended - 1) / 256 * 256);
    EXPECT_EQ(rows % 256, 0);
    EXPECT_GE(frames, (shared->frames - 1) / kFrameBatch * kFrameBatch);
    EXPECT_LE(frames, shared->frames + 1);
    most = std::max(most, rows);

    const TraceReader reader(result.output);
    EXPECT_EQ(reader.status(), "failed");
    EXPECT_THAT(reader.status_reason(), HasSubstr("recovered after the death of process " + std::to_string(child)));
    EXPECT_EQ(reader.spec(), small_spec());
    EXPECT_THAT(reader.scene_array("masses").values, ::testing::ElementsAre(1.0, 2.0));
    const auto steps = reader.steps("step");
    const auto volume = reader.channel("step", "volume"), momentum = reader.channel("step", "linear_momentum");
    ASSERT_EQ(steps.size(), std::size_t(rows));
    ASSERT_EQ(volume.values.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto row = small_row(std::int64_t(i));
      ASSERT_EQ(steps[i], std::int64_t(i));
      ASSERT_TRUE(same_bits(volume.values[i], row[0])) << i;
      for (std::size_t k = 0; k < 3; ++k) ASSERT_TRUE(same_bits(momentum.values[3 * i + k], row[1 + k])) << i;
    }
    const auto positions = reader.channel("frame", "positions");
    ASSERT_EQ(positions.shape[0], std::size_t(frames));
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      const auto row = frame_row(frame);
      for (std::size_t i = 0; i < row.size(); ++i)
        ASSERT_TRUE(same_bits(positions.values[std::size_t(frame) * row.size() + i], row[i]));
    }
    for (const TraceEvent& event : reader.events()) {
      ASSERT_EQ(event.kind, "contact");
      ASSERT_EQ(event.code, event.step);
      ASSERT_EQ(event.detail, "between two");
    }
  }
  EXPECT_GE(most, 512);
  EXPECT_EQ(TraceReader(folder / "earlier.h5").status(), "completed");
}

TEST(Recover, MembersOfAnEnsembleAreCutOneByOne) {
  const Folder folder;
  const fs::path path = folder / "cell.h5";
  const pid_t child = start_child([&] {
    TraceWriter writer(path, small_spec(), small_provenance(), 3);
    testing::append_small_rows(writer, 400);
    writer.begin_member(1);
    for (int step = 0; step < 300; ++step) writer.append("step", step, 0.01 * step, small_row(1000 + step));
    return raise(SIGKILL);
  });
  wait_for(child);
  const auto result = recover(part_path(path), {.output = folder / "other.h5",
                                                .status = CellStatus::Timeout,
                                                .reason = "a time limit of 1 s",
                                                .remove_part = true});
  EXPECT_THAT(result.rows.at("step"), ::testing::ElementsAre(400, 256, 0));
  EXPECT_FALSE(fs::exists(part_path(path)));
  const TraceReader reader(folder / "other.h5");
  EXPECT_EQ(reader.status(), "timeout");
  EXPECT_EQ(reader.status_reason(), "recovered after a time limit of 1 s");
  const auto volume = reader.channel("step", "volume");
  ASSERT_THAT(volume.shape, ::testing::ElementsAre(3, 400));
  EXPECT_EQ(volume.values[399], small_row(399)[0]);
  EXPECT_EQ(volume.values[400 + 255], small_row(1255)[0]);
  EXPECT_TRUE(std::isnan(volume.values[400 + 256]));
  EXPECT_TRUE(std::isnan(volume.values[800]));
}

TEST(Recover, ALivingWriterIsLeftAlone) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  EXPECT_THROW(recover(folder / "cell.h5.part"), TraceLocked);
}

TEST(Recover, WhatIsNoPartIsRefused) {
  const Folder folder;
  std::ofstream(folder / "text.h5.part") << "hello";
  try {
    recover(folder / "text.h5.part");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("is no trace being written (expected its first line to be 'deformbench-part 1')"));
  }
}

TEST(Recover, AFinishedTraceIsRefused) {
  const Folder folder;
  const fs::path path = testing::write_small_trace(folder / "cell.h5");
  for (const bool force : {false, true}) {
    try {
      recover(path, {.force = force});
      ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is a finished trace, and undamaged; expected a .part"));
    }
  }
  EXPECT_FALSE(fs::exists(folder / "cell.recovered.h5"));
}

TEST(TraceLock, ASecondWriterIsToldWhoHasTheCell) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  try {
    TraceWriter second(folder / "cell.h5", small_spec(), small_provenance());
    FAIL() << "nothing was thrown";
  } catch (const TraceLocked& locked) {
    EXPECT_EQ(locked.holder.pid, getpid());
    EXPECT_FALSE(locked.stale);
    EXPECT_THAT(locked.what(), HasSubstr("being written by process " + std::to_string(getpid())));
  }
  EXPECT_FALSE(part_is_stale(folder / "cell.h5.part"));
  EXPECT_FALSE(remove_stale_part(folder / "cell.h5.part"));
}

TEST(TraceLock, OfManyProcessesExactlyOneGetsTheCell) {
  const Folder folder;
  constexpr int kProcesses = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i)
    children.push_back(start_child([&] {
      try {
        TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
        std::this_thread::sleep_for(std::chrono::seconds(1));  // longer than the others need to come
        writer.finish(CellStatus::Completed, "");
        return 0;
      } catch (const TraceLocked& locked) {
        return locked.stale ? 2 : 1;
      }
    }));
  int winners = 0, losers = 0;
  for (const pid_t child : children) {
    const int status = wait_for(child);
    winners += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    losers += WIFEXITED(status) && WEXITSTATUS(status) == 1;
  }
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(losers, kProcesses - 1);
}

TEST(TraceLock, TheLockOfADeadProcessIsStaleAndCanBeRemoved) {
  const Folder folder;
  wait_for(start_child([&] {
    TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    return raise(SIGKILL);
  }));
  const fs::path part = folder / "cell.h5.part";
  ASSERT_TRUE(part_is_stale(part));
  try {
    TraceWriter second(folder / "cell.h5", small_spec(), small_provenance());
    FAIL() << "nothing was thrown";
  } catch (const TraceLocked& locked) {
    EXPECT_TRUE(locked.stale);
  }
  EXPECT_TRUE(remove_stale_part(part));
  TraceWriter third(folder / "cell.h5", small_spec(), small_provenance());
  third.finish(CellStatus::Completed, "");
}

TEST(TraceLock, AReusedProcessNumberAndARestartAreSeen) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  const PartLock own = read_part_lock(folder / "cell.h5.part");
  const auto stale = [&](const PartLock& lock) {
    std::ofstream file(folder / "other.h5.part");
    file << "deformbench-part 1\nhost " << lock.host << "\nboot " << lock.boot << "\npid " << lock.pid
         << "\nstart_ticks " << lock.start_ticks << "\nstatus " << lock.status << "\nreason \n";
    file.close();
    return part_is_stale(folder / "other.h5.part");
  };
  EXPECT_FALSE(stale(own));
  PartLock lock = own;
  lock.start_ticks += 1;  // same number, another process
  EXPECT_TRUE(stale(lock));
  lock = own;
  lock.boot = "another";
  EXPECT_TRUE(stale(lock));
  lock = own;
  lock.status = "write_error";
  EXPECT_TRUE(stale(lock));
}

TEST(TraceLock, AnAbandonedWriterLeavesAReadablePart) {
  const Folder folder;
  {
    TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    testing::append_small_rows(writer, 3);
  }
  ASSERT_TRUE(part_is_stale(folder / "cell.h5.part"));
  const auto result = recover(folder / "cell.h5.part");
  EXPECT_EQ(result.rows.at("step")[0], 3);
  EXPECT_EQ(result.output, folder / "cell.recovered.h5");
}

/// Appends until the file-size limit stands in the way. Exit codes: 3 = TraceWriteError twice, as documented.
int write_until_full(const fs::path& path, bool through_exit) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{400'000, 400'000};
  setrlimit(RLIMIT_FSIZE, &limit);
  int errors = 0;
  {
    TraceWriter writer(path, small_spec(), small_provenance());
    writer.add_clock("step", small_channels());
    for (int step = 0; step < 1'000'000 && errors == 0; ++step) {
      try {
        writer.append("step", step, 0.01 * step, small_row(step));
      } catch (const TraceWriteError& error) {
        errors += std::string(error.what()).find("File too large") != std::string::npos;
        try {
          writer.finish(CellStatus::Completed, "");
        } catch (const TraceWriteError&) {
          ++errors;
        }
      }
    }
  }  // the destructor must not touch the file
  if (through_exit) exit(1 + errors);
  return 1 + errors;
}

class DiskFull : public ::testing::TestWithParam<bool> {};

TEST_P(DiskFull, LeavesAPartWithEveryFlushedBatchAndNoCrash) {
  const Folder folder;
  testing::write_small_trace(folder / "earlier.h5", 300);
  const int status = wait_for(start_child([&] { return write_until_full(folder / "cell.h5", GetParam()); }));
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_FALSE(fs::exists(folder / "cell.h5"));
  const fs::path part = folder / "cell.h5.part";
  const PartLock lock = read_part_lock(part);
  EXPECT_EQ(lock.status, "write_error");
  EXPECT_THAT(lock.reason, HasSubstr("File too large"));
  ASSERT_TRUE(part_is_stale(part));

  const auto result = recover(part);
  EXPECT_GE(result.rows.at("step")[0], 2048);
  EXPECT_THAT(result.lost, ::testing::IsEmpty());
  const TraceReader reader(result.output);
  EXPECT_THAT(reader.status_reason(), HasSubstr("recovered after a write error"));
  const auto volume = reader.channel("step", "volume").values;
  for (std::size_t i = 0; i < volume.size(); ++i) ASSERT_TRUE(same_bits(volume[i], small_row(std::int64_t(i))[0])) << i;
  EXPECT_EQ(TraceReader(folder / "earlier.h5").steps("step").size(), 300u);
}

INSTANTIATE_TEST_SUITE_P(LeavingBy, DiskFull, ::testing::Values(false, true),
                         [](const auto& way) { return way.param ? "exit" : "underscore_exit"; });

TEST(DiskFullAtOnce, LeavesNothingBehind) {
  const Folder folder;
  const int status = wait_for(start_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1500, 1500};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    } catch (const TraceWriteError&) {
      return 3;
    }
    return 0;
  }));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace deformbench::harness
