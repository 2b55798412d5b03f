// SPDX-License-Identifier: BSD-3-Clause
// A writer that is killed at every single write to its file, its end included: what was counted is recovered, always.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>

#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/trace/support.hpp"

namespace {

/// What a child did, seen from outside.
struct Shared {
  std::atomic<std::int64_t> writes{0}, rows{0}, frames{0}, events{0};
  std::atomic<bool> is_published{false}, is_ending{false};
};
Shared* shared = nullptr;
std::int64_t kill_at = 0;  ///< 0: never

}  // namespace

/// Instead of the library's: HDF5 and the user block are written by it.
extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  if (shared != nullptr && ++shared->writes == kill_at) raise(SIGKILL);
  return syscall(SYS_pwrite64, descriptor, data, size, at);
}

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::same_bits;
using testing::small_channels;
using testing::small_provenance;
using testing::small_row;
using testing::small_spec;

constexpr int kRounds = 5;
constexpr std::int64_t kRowsARound = 3;
constexpr std::size_t kFieldVertices = 300;  ///< a compressed channel, and big arrays in the frames

std::vector<double> field(std::int64_t frame) {
  std::vector<double> values(3 * kFieldVertices);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.1 * double(i) + double(frame));
  return values;
}

/// A spec as long as real ones are: it fills a heap of its own.
nlohmann::json long_spec() {
  nlohmann::json spec = small_spec();
  for (int k = 0; k < 150; ++k) spec["scene"]["parameters"]["parameter_" + std::to_string(k)] = 0.1 * k;
  return spec;
}

TraceFrame mesh_frame(std::int64_t frame) {
  return {3 * frame,
          0.03 * double(frame),
          {{{"positions", "m", "position", "positions", "harness", {kFieldVertices, 3}}, field(frame), {}},
           {{"tetrahedra", "1", "index", "corners", "harness", {1, 4}, ScalarType::Int64},
            {},
            {0, 1, 2, int(3 + frame / 2)}},
           {{"parents", "1", "index", "parents", "harness", {kFieldVertices}, ScalarType::Int64},
            {},
            std::vector<int>(kFieldVertices, 0)}}};
}

void write_trace(const fs::path& path) {
  TraceWriter writer(path, long_spec(), small_provenance());
  shared->is_published = true;
  const std::vector<double> rest(3 * kFieldVertices, 0.0);
  writer.scene_array("rest_positions", rest, {kFieldVertices, 3}, "m", "rest positions");
  writer.scene_array("tetrahedra", std::vector<int>{0, 1, 2, 3}, {1, 4}, "vertices of the elements");
  writer.add_clock("step", small_channels());
  writer.add_clock("frame", {{"positions", "m", "position", "positions", "harness", {kFieldVertices, 3}}});
  for (std::int64_t round = 0; round < kRounds; ++round) {
    for (std::int64_t k = 0; k < kRowsARound; ++k) {
      const std::int64_t step = kRowsARound * round + k;
      writer.append("step", step, 0.01 * double(step), small_row(step));
      writer.event(step, 0.01 * double(step), "contact", step, "between two");
    }
    writer.append("frame", 3 * round, 0.03 * double(round), field(round));
    writer.flush();
    shared->rows = kRowsARound * (round + 1);
    shared->events = kRowsARound * (round + 1);
    writer.frame(mesh_frame(round));
    shared->frames = round + 1;
  }
  writer.reference({"closed_form", "volume", "m3", "", "closed_form", "none", "always", 0.0, {1.0}, {}});
  shared->is_ending = true;
  writer.finish(CellStatus::Completed, "");
}

/// Writes the trace in a child that dies at the write of this number; true if it died.
bool run_until(std::int64_t write, const fs::path& path) {
  new (shared) Shared;
  const pid_t child = fork();
  if (child == 0) {
    kill_at = write;
    try {
      write_trace(path);
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

class Kills : public ::testing::Test {
 protected:
  Kills() {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = new (memory) Shared;
  }
  ~Kills() override {
    munmap(shared, sizeof(Shared));
    shared = nullptr;
  }
};

void expect_prefix(const fs::path& file, std::int64_t rows, std::int64_t frames, std::int64_t events) {
  const TraceReader reader(file);
  const auto volume = reader.channel("step", "volume").values;
  ASSERT_GE(volume.size(), std::size_t(rows));
  for (std::size_t i = 0; i < volume.size(); ++i) ASSERT_TRUE(same_bits(volume[i], small_row(std::int64_t(i))[0])) << i;
  const auto positions = reader.channel("frame", "positions");
  for (std::size_t k = 0; k < positions.shape[0]; ++k) {
    const auto row = field(std::int64_t(k));
    for (std::size_t i = 0; i < row.size(); ++i)
      ASSERT_TRUE(same_bits(positions.values[k * row.size() + i], row[i])) << k;
  }
  ASSERT_GE(reader.frames().size(), std::size_t(frames));
  for (std::size_t k = 0; k < std::size_t(frames); ++k)
    ASSERT_EQ(reader.dataset("/frames/" + std::to_string(k) + "/positions").values, field(std::int64_t(k)));
  ASSERT_GE(reader.events().size(), std::size_t(events));
  for (const TraceEvent& event : reader.events()) ASSERT_EQ(event.detail, "between two");
  ASSERT_EQ(reader.spec(), long_spec());
  ASSERT_EQ(reader.experiment(), "tests/pendulum");
}

TEST_F(Kills, AtEveryWriteLoseNothingThatWasCounted) {
  const Folder folder;
  ASSERT_FALSE(run_until(0, folder / "whole.h5"));
  const std::int64_t writes = shared->writes;
  ASSERT_GT(writes, 100);
  int at_the_end = 0, unpublished = 0;
  for (std::int64_t n = 1; n <= writes; ++n) {
    const fs::path path = folder / ("cell" + std::to_string(n) + ".h5"), part = part_path(path);
    ASSERT_TRUE(run_until(n, path)) << n;
    const std::int64_t rows = shared->rows, frames = shared->frames, events = shared->events;
    const bool is_ending = shared->is_ending;
    at_the_end += is_ending;
    if (!shared->is_published) {
      ++unpublished;
      EXPECT_FALSE(fs::exists(part)) << n;
      EXPECT_EQ(remove_litter(folder.path()), 1) << n;
      continue;
    }
    ASSERT_TRUE(fs::exists(part)) << n;
    Recovered result;
    ASSERT_NO_THROW(result = recover(part, {.output = path, .remove_part = true})) << "write " << n << " of " << writes;
    // Before there are rows, groups may be on their way that nobody has counted.
    // The reference is written at the end and counted by nobody: the root may name it before it is in the file.
    if (is_ending) std::erase_if(result.lost, [](const std::string& what) { return what.starts_with("/reference: "); });
    if (rows > 0) {
      EXPECT_THAT(result.lost, IsEmpty()) << "write " << n << " of " << writes << ", ending " << is_ending;
    }
    std::string findings;
    if (rows > 0)
      for (const Finding& finding : validate(path)) findings += finding.text() + "\n";
    EXPECT_EQ(findings, "") << "write " << n;
    if (rows > 0) expect_prefix(path, rows, frames, events);
    EXPECT_EQ(TraceReader(path).status(), "failed");
    if (HasFailure()) return;
    fs::remove(path);
  }
  EXPECT_GT(at_the_end, 10);
  EXPECT_GT(unpublished, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "only the whole one is left";
}

TEST_F(Kills, WhatOfTheProvenanceIsTornIsTakenFromTheSupervisor) {
  const Folder folder;
  const fs::path path = folder / "cell.h5", part = part_path(path);
  ASSERT_FALSE(run_until(0, folder / "whole.h5"));
  ASSERT_TRUE(run_until(shared->writes, path));
  {
    // As a header that was never written: HDF5 then finds no such group.
    const h5::Handle file(H5Fopen(part.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    ASSERT_TRUE(file);
    H5O_info_t about;
    ASSERT_GE(H5Oget_info_by_name2(file.get(), "/provenance", &about, H5O_INFO_BASIC, H5P_DEFAULT), 0);
    std::fstream bytes(part, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(std::streamoff(about.addr + kUserBlockBytes));
    bytes << std::string(16, '\0');
  }
  const Recovered bare = recover(part);
  EXPECT_THAT(bare.lost, ::testing::Contains(HasSubstr("/provenance")));
  EXPECT_EQ(bare.rows.at("step")[0], kRounds * kRowsARound);
  EXPECT_EQ(bare.frames, kRounds);
  const Recovered helped = recover(part, {.output = path, .spec = long_spec(), .provenance = small_provenance()});
  EXPECT_EQ(helped.rows, bare.rows);
  expect_prefix(path, kRounds * kRowsARound, kRounds, kRounds * kRowsARound);
  EXPECT_THAT(validate(path), IsEmpty());
}

TEST_F(Kills, OfWhichNothingCanBeReadAreBadInput) {
  const Folder folder;
  const fs::path path = folder / "cell.h5", part = part_path(path);
  ASSERT_FALSE(run_until(0, folder / "whole.h5"));
  ASSERT_TRUE(run_until(shared->writes, path));
  {
    std::fstream bytes(part, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(kUserBlockBytes + 64);  // behind the superblock's first fields: the root group's address
    bytes << std::string(32, '\x7f');
  }
  EXPECT_THROW(recover(part), InputError);
  EXPECT_TRUE(fs::exists(part));
  EXPECT_FALSE(fs::exists(folder / "cell.recovered.h5"));
}

}  // namespace
}  // namespace deformbench::harness
