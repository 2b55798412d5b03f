// SPDX-License-Identifier: BSD-3-Clause
// A finished file with a flipped bit is as good as none: said, refused, made again.
#include <fstream>

#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class DamagedTrace : public CommandTest {
 protected:
  void flip(const fs::path& file, std::size_t at) const {
    std::string bytes = contents(file);
    bytes.at(at) = char(bytes[at] ^ 4);
    std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }
};

TEST_F(DamagedTrace, IsRefusedByValidateWithOneLine) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  EXPECT_THAT(faulty("validate " + traces().at(0).string()).out, HasSubstr(": conforms\n"));
  flip(traces()[0], fs::file_size(traces()[0]) / 2);
  const CommandEnd end = faulty("validate " + traces()[0].string());
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("damaged or changed after it was written: found content of SHA-256 "));
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1);
}

TEST_F(DamagedTrace, RunsAgainWhateverPartOfItIsDamaged) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  const fs::path file = traces().at(0);
  const std::string whole = contents(file);
  const std::size_t places[] = {3, 450, 512 + 20, whole.find("completed"), whole.size() / 2, whole.size() - 1};
  for (const std::size_t at : places) {
    flip(file, at);
    const std::string status = faulty("status faults.json --out out").out;
    EXPECT_THAT(status, AllOf(HasSubstr("1 damaged"), HasSubstr("`run` makes it again"))) << at;
    EXPECT_THAT(faulty("run faults.json --out out --dry-run").out, HasSubstr("damaged, to run")) << at;
    const CommandEnd end = faulty("run faults.json --out out");
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_THAT(end.err, HasSubstr("runs again, " + file.filename().string() + " is damaged")) << at;
    EXPECT_THAT(end.out, HasSubstr("1 completed\n")) << at;
    EXPECT_EQ(check_integrity(file).state, Integrity::State::Intact) << at;
    EXPECT_THAT(faulty("run faults.json --out out").out, HasSubstr("1 completed before")) << at;
  }
  fs::resize_file(file, 0);
  EXPECT_THAT(faulty("run faults.json --out out").err, HasSubstr("no readable trace"));
  EXPECT_EQ(TraceReader(file).status(), "completed");
}

TEST_F(DamagedTrace, AFileOfAnotherCellRunsAgainWhateverItsName) {
  declare({}, {{"sweep", {{"seed", {1, 2}}}}});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  const fs::path file = traces().at(1);
  fs::copy_file(traces()[0], file, fs::copy_options::overwrite_existing);
  EXPECT_THAT(faulty("status faults.json --out out").out,
              AllOf(HasSubstr("1 completed, 1 of another cell"), HasSubstr("`run` makes it again")));
  EXPECT_THAT(faulty("run faults.json --out out --dry-run").out, HasSubstr("of another cell, to run"));
  const CommandEnd refused = faulty("validate " + file.string());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the cell that the file is named after"));
  const CommandEnd end = faulty("run faults.json --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("runs again, " + file.filename().string() + " is the trace of another cell: found "));
  EXPECT_EQ(TraceReader(file).cell_id(), file.stem().string());
  EXPECT_THAT(faulty("run faults.json --out out").out, HasSubstr("2 completed before"));
  fs::create_directories(folder_ / "out/other/faults");
  fs::copy_file(file, folder_ / "out/other/faults" / file.filename());
  declare({}, {{"id", "other/faults"}, {"sweep", {{"seed", {1, 2}}}}});
  EXPECT_THAT(faulty("run faults.json --out out --dry-run").out, HasSubstr("of another cell, to run"));
}

TEST_F(DamagedTrace, ADamagedTimingIsMeasuredAgain) {
  declare({}, {{"timing", {{"repeats", 5}, {"warmup_steps", 2}, {"min_steps", 4}, {"min_seconds", 0.0}}}});
  ASSERT_EQ(faulty("time faults.json --out out").exit_code, 0);
  const fs::path file = traces(".timing.h5").at(0);
  flip(file, fs::file_size(file) / 2);
  EXPECT_EQ(faulty("validate " + file.string()).exit_code, 2);
  const CommandEnd end = faulty("time faults.json --out out");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr("is timed again"));
  EXPECT_EQ(faulty("validate " + file.string()).exit_code, 0);
}

TEST_F(DamagedTrace, WithoutADigestATraceConformsAndThatIsSaid) {
  declare({});
  ASSERT_EQ(faulty("run faults.json --out out").exit_code, 0);
  const fs::path file = traces().at(0);
  std::ofstream(folder_ / "drop.py") << "import sys, h5py\n"
                                        "with h5py.File(sys.argv[1], 'r+') as f: del f['provenance'].attrs['digest']\n"
                                        "with open(sys.argv[1], 'r+b') as f: f.seek(440); f.write(bytes(72))\n";
  ASSERT_EQ(shell("/usr/bin/python3 drop.py '" + file.string() + "'").exit_code, 0) << contents(folder_ / "stderr");
  const CommandEnd end = faulty("validate " + file.string());
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("conforms; it carries no digest"));
  EXPECT_THAT(faulty("run faults.json --out out").out, HasSubstr("1 completed before"));
}

}  // namespace
}  // namespace deformbench::harness::test
