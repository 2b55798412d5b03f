// SPDX-License-Identifier: BSD-3-Clause
// One flipped bit, wherever it is, makes a trace damaged; a trace without a digest stays one.
#include <gmock/gmock.h>
#include <hdf5.h>

#include <cstdlib>
#include <cstring>

#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_creation.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/sha256.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

/// The file with one bit of byte `at` flipped.
fs::path flipped(const fs::path& original, std::size_t at, const fs::path& path, int bit = 0) {
  std::string bytes = bytes_of(original);
  bytes.at(at) = char(bytes[at] ^ (1 << bit));
  write_bytes(path, bytes);
  return path;
}

/// A place that a test names: where in the file it is.
struct Region {
  const char* name;
  std::size_t (*at)(const std::string& bytes);
};
template <std::size_t kByte>
std::size_t byte(const std::string&) {
  return kByte;
}
std::size_t after(const std::string& bytes, const std::string& text) {
  const std::size_t at = bytes.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  return at + text.size() / 2;
}
const Region kRegions[] = {
    {"first_byte", byte<0>},
    {"name_of_the_writer", [](const std::string& b) { return after(b, "\nhost "); }},
    {"padding_of_the_user_block", byte<439>},
    {"name_of_the_digest", byte<442>},
    {"digit_of_the_digest", byte<460>},
    {"end_of_the_digest", byte<511>},
    {"signature_of_the_superblock", byte<513>},
    {"superblock", byte<512 + 44>},
    {"attribute_status", [](const std::string& b) { return after(b, "completed"); }},
    {"attribute_unit", [](const std::string& b) { return after(b, "kg m/s"); }},
    {"attribute_digest", [](const std::string& b) { return after(b, kDigestPlace); }},
    {"name_of_a_dataset", [](const std::string& b) { return after(b, "linear_momentum"); }},
    {"spec", [](const std::string& b) { return after(b, "angle_deg"); }},
    {"dataset",
     [](const std::string& b) {
       const double volume = testing::small_row(2)[0];
       std::string raw(sizeof volume, '\0');
       std::memcpy(raw.data(), &volume, sizeof volume);
       return after(b, raw);
     }},
    {"last_byte", [](const std::string& b) { return b.size() - 1; }},
};

class FlippedBit : public ::testing::TestWithParam<Region> {};

TEST_P(FlippedBit, IsSeenByEveryReaderInOneLine) {
  const Folder folder;
  const fs::path whole = testing::write_small_trace(folder / "whole.h5");
  const fs::path cell = flipped(whole, GetParam().at(bytes_of(whole)), folder / "cell.h5");
  EXPECT_EQ(check_integrity(cell).state, Integrity::State::Damaged);
  const auto findings = validate(cell);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].text(), HasSubstr("damaged or changed after it was written: found "));
  EXPECT_EQ(findings[0].text().find('\n'), std::string::npos);
  for (const auto& read : {+[](const fs::path& f) { TraceReader reader(f); }, +[](const fs::path& f) { diff(f, f); }}) {
    try {
      read(cell);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cell.h5: damaged or changed after it was written"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Digest, FlippedBit, ::testing::ValuesIn(kRegions),
                         [](const auto& region) { return region.param.name; });

TEST(Digest, NoFlippedBitOfATraceIsMissed) {
  const Folder folder;
  const fs::path whole = testing::write_small_trace(folder / "whole.h5", 300);
  const std::size_t size = fs::file_size(whole);
  for (std::size_t at = 0; at < size; at += 1 + size / 400)
    ASSERT_EQ(check_integrity(flipped(whole, at, folder / "cell.h5", int(at % 8))).state, Integrity::State::Damaged)
        << "byte " << at << " of " << size;
}

TEST(Digest, ALongerAndAShorterFileAreDamaged) {
  const Folder folder;
  const std::string whole = bytes_of(testing::write_small_trace(folder / "whole.h5"));
  write_bytes(folder / "longer.h5", whole + '\0');
  write_bytes(folder / "shorter.h5", whole.substr(0, whole.size() - 1));
  EXPECT_EQ(check_integrity(folder / "longer.h5").state, Integrity::State::Damaged);
  EXPECT_EQ(check_integrity(folder / "shorter.h5").state, Integrity::State::Damaged);
}

TEST(Digest, IsWhatCommonToolsMakeOfTheFile) {
  const Folder folder;
  const std::string whole = bytes_of(testing::write_small_trace(folder / "cell.h5"));
  EXPECT_EQ(whole.substr(440, 7), "sha256 ");
  EXPECT_EQ(whole.substr(447, 64), sha256(whole.substr(0, 440) + whole.substr(512)));
  EXPECT_EQ(std::system(("cd '" + folder.path().string() +
                         "' && test \"$( (head -c 440 cell.h5; tail -c +513 cell.h5) | sha256sum | cut -c-64)\" = "
                         "\"$(head -c 511 cell.h5 | tail -c 64)\"")
                            .c_str()),
            0);
}

TEST(Digest, OfARecoveredFileAndOfAWholeOneIsThere) {
  const Folder folder;
  { TraceWriter abandoned(folder / "cell.h5", testing::small_spec(), testing::small_provenance()); }
  EXPECT_EQ(check_integrity(recover(folder / "cell.h5.part").output).state, Integrity::State::Intact);
  EXPECT_THAT(validate(testing::write_small_trace(folder / "whole.h5")), IsEmpty());
  EXPECT_TRUE(carries_digest(folder / "whole.h5"));
}

TEST(Digest, ATraceWithoutOneIsReadAndConforms) {
  const Folder folder;
  const fs::path cell = testing::write_small_trace(folder / "cell.h5");
  testing::drop_digest_record(cell);
  EXPECT_EQ(check_integrity(cell).state, Integrity::State::Damaged) << "its provenance says that there was one";
  {
    const h5::Handle file(H5Fopen(cell.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Adelete_by_name(file.get(), "/provenance", "digest", H5P_DEFAULT), 0);
  }
  EXPECT_EQ(check_integrity(cell).state, Integrity::State::NoDigest);
  EXPECT_FALSE(carries_digest(cell));
  EXPECT_THAT(validate(cell), IsEmpty());
  EXPECT_EQ(TraceReader(cell).steps("step").size(), 4u);
}

TEST(Checksum, EveryChunkOfASeriesHasOne) {
  const Folder folder;
  const fs::path cell = testing::write_small_trace(folder / "cell.h5", 300);
  const h5::Handle file = h5::open_file(cell);
  for (const char* path :
       {"/series/step/step", "/series/step/volume", "/series/step/linear_momentum", "/events/code"}) {
    const h5::Handle creation(H5Dget_create_plist(h5::open_dataset(file.get(), path).get()), H5Pclose);
    unsigned flags = 0, mask = 0;
    std::size_t values = 0;
    EXPECT_GE(H5Pget_filter_by_id2(creation.get(), H5Z_FILTER_FLETCHER32, &flags, &values, nullptr, 0, nullptr, &mask),
              0)
        << path;
  }
}

TEST(Checksum, OfAChunkThatWasBeingWrittenDoesNotHideTheRowsCountedBefore) {
  // Row 200 of a part that a process left: written, not counted. The chunk's checksum no longer fits, its first rows
  // do.
  const Folder folder;
  {
    TraceWriter writer(folder / "cell.h5", testing::small_spec(), testing::small_provenance());
    testing::append_small_rows(writer, 201);
  }
  const fs::path part = folder / "cell.h5.part";
  {
    const h5::Handle file(H5Fopen(part.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const std::vector<std::int64_t> rows{200};
    h5::write_attribute(h5::open_group(file.get(), "/series/step").get(), "rows_written", std::span(rows));
  }
  std::string bytes = bytes_of(part);
  const double torn = testing::small_row(200)[0];
  std::string raw(sizeof torn, '\0');
  std::memcpy(raw.data(), &torn, sizeof torn);
  const std::size_t at = bytes.find(raw);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, sizeof torn, sizeof torn, '\0');
  write_bytes(part, bytes);
  const Recovered result = recover(part);
  EXPECT_THAT(result.lost, IsEmpty());
  EXPECT_EQ(result.rows.at("step")[0], 200);
  EXPECT_EQ(TraceReader(result.output).channel("step", "volume").values[199], testing::small_row(199)[0]);
}

}  // namespace
}  // namespace deformbench::harness
