// SPDX-License-Identifier: BSD-3-Clause
// Damaged and foreign files: what HDF5 makes of them stays in a process of its own.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <sstream>

#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string refusal(const std::function<std::string()>& work, double seconds = 20) {
  try {
    contained("some.h5", work, seconds);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Contained, GivesBackWhatTheWorkGives) {
  const std::string long_text(3'000'000, 'x');
  EXPECT_EQ(contained("some.h5", [&] { return long_text; }), long_text);
  EXPECT_EQ(contained("some.h5", [] { return std::string(); }), "");
}

TEST(Contained, ACrashAHangAndMadeUpSizesAreOneLineEach) {
  EXPECT_THAT(refusal([]() -> std::string {
                raise(SIGSEGV);
                return "";
              }),
              HasSubstr("some.h5: damaged: HDF5 crashes on it (signal SIGSEGV); expected an undamaged HDF5 file"));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal(
                  []() -> std::string {
                    pause();
                    return "";
                  },
                  0.2),
              HasSubstr("takes longer than 2 s"));  // ten times that on the clock
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_THAT(refusal([] { return std::to_string(std::vector<double>(std::size_t{1} << 59).size()); }),
              HasSubstr("more than memory can"));
  EXPECT_THAT(refusal([]() -> std::string { _exit(7); }), HasSubstr("without a word"));
  EXPECT_THAT(refusal([]() -> std::string { throw std::out_of_range("at"); }), HasSubstr("cannot be read: at"));
}

TEST(Contained, WhatTheCrashItselfPrintsIsNotSaid) {  // malloc on its way to abort(): a second line
  ::testing::internal::CaptureStderr();
  const std::string said = refusal([]() -> std::string {
    EXPECT_GT(write(STDERR_FILENO, "malloc: top\n", 12), 0);
    abort();
  });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(said, HasSubstr("SIGABRT"));
}

TEST(Contained, ABusyMachineIsNoHang) {  // of a process that waits for its turn, the clock alone goes on
  EXPECT_EQ(refusal(
                []() -> std::string {
                  usleep(500'000);
                  return "";
                },
                0.1),
            "");
  EXPECT_THAT(refusal(
                  []() -> std::string {
                    std::atomic<int> turns = 0;
                    while (true) ++turns;
                  },
                  1),
              HasSubstr("takes more than 1 s of processor time"));
}

TEST(Contained, BadInputAndWriteErrorsPass) {
  EXPECT_EQ(refusal([]() -> std::string { throw InputError("here: this"); }), "here: this");
  EXPECT_THROW(contained("some.h5", []() -> std::string { throw TraceWriteError("full"); }), TraceWriteError);
}

/// A trace without a digest, as other programs write them.
std::string foreign_trace(const Folder& folder) {
  const fs::path path = testing::write_small_trace(folder / "whole.h5", 40);
  {
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    EXPECT_GE(H5Adelete_by_name(file.get(), "/provenance", "digest", H5P_DEFAULT), 0);
  }
  testing::drop_digest_record(path);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  return path;
}

// Before files were read in a process of their own, 1 in 16 of these ended the test with a signal.
TEST(ForeignFiles, WithOverwrittenBytesEndNoCommand) {
  const Folder folder;
  const std::string whole = foreign_trace(folder);
  ASSERT_THAT(validate(folder / "whole.h5"), IsEmpty());
  std::mt19937_64 random(20240611);
  int refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::string bytes = whole;
    if (trial % 3 == 2) bytes.resize(random() % bytes.size());
    for (int k = 0; k < 1 + trial % 5 * 8; ++k) bytes[512 + random() % (bytes.size() - 512)] = char(random());
    const fs::path path = put(folder / "damaged.h5", bytes);
    SCOPED_TRACE(trial);
    refused += !validate(path).empty();
    try {
      refused += !diff(path, folder / "whole.h5").empty();
    } catch (const InputError&) {
      ++refused;
    }
    try {
      const TraceReader reader(path);
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(refused, 30);
}

TEST(ForeignFiles, ThatAreNoRegularFilesAreNotWaitedFor) {
  const Folder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.h5").c_str(), 0600), 0);
  fs::create_directory(folder / "folder.h5");
  for (const char* name : {"pipe.h5", "folder.h5", "absent.h5"}) {
    EXPECT_FALSE(validate(folder / name).empty()) << name;
    EXPECT_THROW(diff(folder / name, folder / name), InputError) << name;
    EXPECT_THROW(TraceReader(folder / name), InputError) << name;
  }
}

TEST(ForeignFiles, WithTextThatIsNoUtf8AreCompared) {
  const Folder folder;
  foreign_trace(folder);
  fs::copy_file(folder / "whole.h5", folder / "other.h5");
  {
    const h5::Handle file(H5Fopen((folder / "other.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    h5::write_attribute(file.get(), "status_reason", std::string("\xff\xfe broken"));
    h5::write_attribute(file.get(), "method", std::string("\xc3"));
  }
  std::string all;
  for (const auto& difference : diff(folder / "whole.h5", folder / "other.h5")) all += difference.text() + "\n";
  EXPECT_THAT(all, HasSubstr("\uFFFD\uFFFD broken"));
  EXPECT_FALSE(validate(folder / "other.h5").empty());
}

}  // namespace
}  // namespace deformbench::harness
