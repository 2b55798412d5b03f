// SPDX-License-Identifier: BSD-3-Clause
// Who may touch a `.part`, step by step: between seal and name, and when several take over what a dead process left.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "experiments/harness/trace/part_creation.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/trace/child_process.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using testing::start_child;

/// A part that this process has begun, with its name.
PartFile begin(const fs::path& path) {
  PartFile part = create_part(path);
  publish_part(part);
  return part;
}

int exit_code_of(pid_t child) {
  const int status = testing::wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Leaves the part of a process that died while it wrote.
void leave_stale_part(const fs::path& path) {
  ASSERT_EQ(exit_code_of(start_child([&] {
              begin(path).file.release();
              return 3;
            })),
            3);
}

TEST(PartLock, ASealedPartBelongsToItsWriterUntilItHasItsName) {
  const Folder folder;
  PartFile part = begin(folder / "cell.h5");
  seal_part(part);
  EXPECT_EQ(read_part_lock(part.part).status, "finishing");
  EXPECT_FALSE(part_is_stale(part.part));
  EXPECT_FALSE(remove_stale_part(part.part));
  try {
    create_part(folder / "cell.h5");
    FAIL() << "nothing was thrown";
  } catch (const TraceLocked& locked) {
    EXPECT_FALSE(locked.stale);
    EXPECT_EQ(locked.holder.pid, getpid());
  }
  name_part(part);
  EXPECT_TRUE(fs::exists(folder / "cell.h5"));
  EXPECT_FALSE(fs::exists(part.part));
}

TEST(PartLock, ASealedPartOfADeadProcessIsStale) {
  const Folder folder;
  ASSERT_EQ(exit_code_of(start_child([&] {
              PartFile part = begin(folder / "cell.h5");
              seal_part(part);
              return 3;
            })),
            3);
  EXPECT_TRUE(part_is_stale(folder / "cell.h5.part"));
  EXPECT_TRUE(remove_stale_part(folder / "cell.h5.part"));
}

TEST(PartLock, APartIsFreeWhenWhatItsDeadWriterStartedHasEnded) {
  const Folder folder;
  for (const unsigned microseconds : {200000u, 1500000u}) {
    const fs::path cell = folder / std::to_string(microseconds);
    ASSERT_EQ(exit_code_of(start_child([&] {
                begin(cell).file.release();
                start_child([&] { return usleep(microseconds); });  // has the lock, too
                return 3;
              })),
              3);
    const fs::path part = cell.string() + ".part";
    EXPECT_TRUE(part_is_stale(part));
    EXPECT_FALSE(HeldPart(part).held());
    EXPECT_EQ(becomes_free(part, 1.0), microseconds < 1000000u);
    EXPECT_EQ(HeldPart(part).held(), microseconds < 1000000u);
  }
}

TEST(PartLock, ABlockOfOursThatCannotBeReadIsNotStale) {
  const Folder folder;
  for (const char* text :
       {"deformbench-", "deformbench-part 1", "deformbench-part 1\nhost here\npid ", "deformbench-trace 1 (an HDF5"}) {
    const fs::path part = folder / "cell.h5.part";
    std::ofstream(part) << text;
    EXPECT_FALSE(part_is_stale(part)) << text;
    EXPECT_FALSE(remove_stale_part(part)) << text;
    EXPECT_TRUE(fs::exists(part)) << text;
  }
}

TEST(PartLock, WhatHasNoBlockOfOursIsNobodys) {
  const Folder folder;
  for (const char* text : {"", "hello"}) {
    std::ofstream(folder / "cell.h5.part") << text;
    EXPECT_TRUE(remove_stale_part(folder / "cell.h5.part")) << text;
    EXPECT_FALSE(fs::exists(folder / "cell.h5.part")) << text;
  }
  EXPECT_FALSE(remove_stale_part(folder / "cell.h5.part"));
}

TEST(PartLock, AStalePartThatIsBeingRecoveredIsNotRemoved) {
  const Folder folder;
  leave_stale_part(folder / "cell.h5");
  const fs::path part = folder / "cell.h5.part";
  {
    HeldPart held(part);
    ASSERT_TRUE(held.held());
    EXPECT_FALSE(remove_stale_part(part));
    EXPECT_TRUE(fs::exists(part));
  }
  EXPECT_TRUE(remove_stale_part(part));
}

TEST(PartLock, TheNextWritersPartUnderTheSameNameIsNotRemoved) {
  const Folder folder;
  leave_stale_part(folder / "cell.h5");
  HeldPart held(folder / "cell.h5.part");
  ASSERT_TRUE(held.held());
  fs::remove(folder / "cell.h5.part");  // what a second process does that judged it stale, too
  PartFile next = begin(folder / "cell.h5");
  EXPECT_FALSE(held.remove());
  ASSERT_TRUE(fs::exists(next.part));
  finish_part(next);
  EXPECT_TRUE(fs::exists(folder / "cell.h5"));
}

TEST(PartLock, AWriterWhosePartWasReplacedDoesNotGiveAnothersFileItsName) {
  const Folder folder;
  PartFile part = begin(folder / "cell.h5");
  seal_part(part);
  fs::remove(part.part);
  std::ofstream(part.part) << "another's";
  EXPECT_THROW(name_part(part), std::system_error);
  EXPECT_FALSE(fs::exists(folder / "cell.h5"));
  EXPECT_TRUE(fs::exists(part.part));
}

TEST(PartLock, AZombieIsNoLivingWriter) {
  const Folder folder;
  const pid_t child = start_child([&] {
    begin(folder / "cell.h5").file.release();
    return 3;
  });
  siginfo_t about{};
  ASSERT_EQ(waitid(P_PID, id_t(child), &about, WEXITED | WNOWAIT), 0);  // has ended, is not collected
  EXPECT_TRUE(part_is_stale(folder / "cell.h5.part"));
  EXPECT_TRUE(remove_stale_part(folder / "cell.h5.part"));
  EXPECT_EQ(exit_code_of(child), 3);
}

/// A block that says so, in a file of its own.
fs::path part_of(const Folder& folder, const PartLock& lock) {
  const fs::path part = folder / "other.h5.part";
  std::ofstream file(part);
  file << "deformbench-part 1\nhost " << lock.host << "\nboot " << lock.boot << "\npid " << lock.pid << "\nstart_ticks "
       << lock.start_ticks << "\npid_namespace " << lock.pid_namespace << "\nstatus running\nreason \n";
  return part;
}

TEST(PartLock, AWriterInAnotherContainerOfThisMachineIsKnownByItsLockOnTheFile) {
  const Folder folder;
  PartLock lock{this_process(), "running", ""};
  lock.host = "container.example";
  lock.pid_namespace += 1;
  for (const std::int64_t pid : {lock.pid, std::int64_t{999'999'999}}) {  // its number says nothing here
    lock.pid = pid;
    const fs::path part = part_of(folder, lock);
    const int descriptor = open(part.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
    EXPECT_FALSE(part_is_stale(part));
    EXPECT_FALSE(remove_stale_part(part));
    close(descriptor);
    EXPECT_TRUE(part_is_stale(part));
    EXPECT_TRUE(remove_stale_part(part));
  }
}

TEST(PartLock, AWriterHoldsTheLockOfItsFileUntilItHasItsName) {
  const Folder folder;
  PartFile part = begin(folder / "cell.h5");
  const auto is_locked = [&] {
    const int descriptor = open(part.part.c_str(), O_RDWR | O_CLOEXEC);
    const bool locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0;
    close(descriptor);
    return locked;
  };
  EXPECT_TRUE(is_locked());
  seal_part(part);
  EXPECT_TRUE(is_locked());
  name_part(part);
}

TEST(PartLock, AWriterOfAnotherBootIsGoneWhereOneKernelHasTheFiles) {
  const Folder folder;  // on a disk of this machine
  PartLock lock{this_process(), "running", ""};
  lock.boot = "00000000-0000-0000-0000-000000000000";
  EXPECT_TRUE(part_is_stale(part_of(folder, lock)));
  lock.host = "container.example";
  EXPECT_TRUE(part_is_stale(part_of(folder, lock)));
}

std::vector<std::string> names_in(const Folder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) names.push_back(entry.path().filename().string());
  return names;
}

TEST(Litter, OfADeadProcessIsRemovedAndThatOfALivingOneStays) {
  const Folder folder;
  PartFile own = create_part(folder / "own.h5");
  ASSERT_EQ(exit_code_of(start_child([&] {
              create_part(folder / "cell.h5").file.release();  // killed before it was published
              create_part(folder / "other.recovering").file.release();
              begin(folder / "third.recovering").file.release();
              std::ofstream(folder / ("paper.cells.json" + std::string(kNewList) + name_ending(this_process())));
              return 3;
            })),
            3);
  ASSERT_THAT(names_in(folder), ::testing::SizeIs(5));
  std::ofstream(folder / "mine.h5.part.1");  // nobody's we know
  EXPECT_EQ(remove_litter(folder.path()), 4);
  EXPECT_THAT(names_in(folder), ::testing::SizeIs(2));
  publish_part(own);
  finish_part(own);
  EXPECT_TRUE(fs::exists(folder / "own.h5"));
  EXPECT_EQ(remove_litter(folder / "absent"), 0);
}

TEST(PartLock, OfManyThatFindAStalePartOneRemovesIt) {
  for (int round = 0; round < 12; ++round) {
    const Folder folder;
    leave_stale_part(folder / "cell.h5");
    std::vector<pid_t> children;
    for (int k = 0; k < 4; ++k)
      children.push_back(start_child([&] {
        const bool removed = remove_stale_part(folder / "cell.h5.part");
        try {
          PartFile part = begin(folder / "cell.h5");
          finish_part(part);
        } catch (const TraceLocked& locked) {
          // Another is about to remove the dead one's part, or writes.
          if (removed && locked.stale) return 98;
        }
        return removed ? 1 : 0;
      }));
    int removers = 0;
    for (const pid_t child : children) {
      const int code = exit_code_of(child);
      EXPECT_LE(code, 1) << "a writer's part was taken away";
      removers += code == 1;
    }
    EXPECT_EQ(removers, 1);
    EXPECT_TRUE(fs::exists(folder / "cell.h5"));
    EXPECT_FALSE(fs::exists(folder / "cell.h5.part"));
  }
}

}  // namespace
}  // namespace deformbench::harness
