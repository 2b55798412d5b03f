// SPDX-License-Identifier: BSD-3-Clause
// Units, checksums and comparison.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/sha256.hpp"
#include "experiments/harness/trace/units.hpp"
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
using testing::small_channels;
using testing::small_provenance;
using testing::small_row;
using testing::small_spec;

TEST(Units, EqualQuantitiesHaveEqualDimensions) {
  const auto unit = [](const char* text) {
    const auto parsed = parse_unit(text);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(Unit{{99}, 0.0});
  };
  for (const char* joule : {"J", "N m", "kg m2/s2", "kg m^2/s^2", "kg m² s⁻²", "kg·m²·s^-2", "W s", "Pa m³"})
    EXPECT_EQ(unit(joule).dimension, unit("J").dimension) << joule;
  EXPECT_NE(unit("J").dimension, unit("N").dimension);
  EXPECT_EQ(unit("kg m/s").dimension, unit("N s").dimension);
  EXPECT_EQ(unit("W/(m K)").dimension, unit("W m^-1 K^-1").dimension);
  EXPECT_DOUBLE_EQ(unit("mm").factor, 1e-3);
  EXPECT_DOUBLE_EQ(unit("mm2").factor, 1e-6);
  EXPECT_DOUBLE_EQ(unit("kg").factor, 1.0);
  EXPECT_DOUBLE_EQ(unit("µs").factor, 1e-6);
  EXPECT_DOUBLE_EQ(unit("deg").factor * 180, 3.14159265358979323846);
  EXPECT_EQ(unit("1").dimension, Unit{}.dimension);
  EXPECT_EQ(unit("1/s").dimension, unit("Hz").dimension);
  EXPECT_EQ(unit("min").factor, 60.0);  // not a milli-inch
}

TEST(Units, WhatIsNoUnitIsRefused) {
  for (const char* text :
       {"", " ", "kilos", "m/", "/s", "m^", "m^x", "kg  m", "(m", "m)", "-", "none", "m0", "J J^^2", "meter"})
    EXPECT_FALSE(parse_unit(text)) << "'" << text << "'";
}

TEST(Sha256, AgreesWithThePublishedVectors) {
  // FIPS 180-4 examples (NIST, "Secure Hash Standard", example values).
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, TheProcessorsInstructionsGiveWhatThePortableRoundsGive) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += char(i * i % 251);
  for (const std::size_t pieces : {1, 7, 64, 65, 1000}) {  // bytes at a time, across the blocks of 64
    Sha256 fast, portable(true);
    for (std::size_t at = 0; at < text.size(); at += pieces) {
      fast.add(std::string_view(text).substr(at, pieces));
      portable.add(std::string_view(text).substr(at, pieces));
    }
    EXPECT_EQ(fast.hex(), portable.hex()) << pieces;
  }
  Sha256 portable(true);
  portable.add("abc");
  EXPECT_EQ(portable.hex(), sha256("abc"));
}

TEST(Diff, TwoRunsOfTheSameAgree) {
  const Folder folder;
  testing::write_small_trace(folder / "a.h5");
  testing::write_small_trace(folder / "b.h5");
  EXPECT_THAT(diff(folder / "a.h5", folder / "b.h5"), IsEmpty());
}

TEST(Diff, ReportsTheLargestDifferenceAndItsPlace) {
  const Folder folder;
  testing::write_small_trace(folder / "a.h5");
  const double volume = small_row(2)[0];
  testing::write_small_trace(folder / "b.h5", 4, volume + 0.25);
  const auto found = diff(folder / "a.h5", folder / "b.h5");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].object, "/series/step/volume");
  EXPECT_EQ(found[0].kind, Difference::Kind::Values);
  EXPECT_DOUBLE_EQ(found[0].max_absolute, 0.25);
  EXPECT_DOUBLE_EQ(found[0].max_relative, 0.25 / (volume + 0.25));  // that row has the largest value of both
  EXPECT_THAT(found[0].text(), HasSubstr("at [2]"));
  EXPECT_THAT(diff(folder / "a.h5", folder / "b.h5", {.absolute = 0.26}), IsEmpty());
  EXPECT_THAT(diff(folder / "a.h5", folder / "b.h5", {.absolute = 0.24}), SizeIs(1));
  EXPECT_THAT(diff(folder / "a.h5", folder / "b.h5", {.relative = 0.21}), IsEmpty());
}

TEST(Diff, OneUlpIsADifferenceAndNaNIsNone) {
  const Folder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  testing::write_small_trace(folder / "a.h5", 4, 1.0);
  testing::write_small_trace(folder / "b.h5", 4, std::nextafter(1.0, 2.0));
  EXPECT_THAT(diff(folder / "a.h5", folder / "b.h5"), SizeIs(1));
  testing::write_small_trace(folder / "c.h5", 4, nan);
  testing::write_small_trace(folder / "d.h5", 4, nan);
  EXPECT_THAT(diff(folder / "c.h5", folder / "d.h5"), IsEmpty());
  const auto found = diff(folder / "a.h5", folder / "c.h5", {.relative = 1.0});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(std::isinf(found[0].max_absolute));
}

TEST(Diff, ReportsShapesMissingObjectsAndAttributes) {
  const Folder folder;
  testing::write_small_trace(folder / "a.h5");
  {
    auto spec = small_spec();
    spec["seed"] = 8;
    TraceWriter writer(folder / "b.h5", spec, small_provenance());
    testing::append_small_rows(writer, 3);
    writer.add_clock("operator", {});
    writer.finish(CellStatus::Diverged, "blew up");
  }
  std::string all;
  for (const auto& difference : diff(folder / "a.h5", folder / "b.h5")) all += difference.text() + "\n";
  EXPECT_THAT(all, HasSubstr("/ attribute status: \"completed\" and \"diverged\""));
  EXPECT_THAT(all, HasSubstr("/provenance attribute spec: "));
  EXPECT_THAT(all, HasSubstr("/scene: only in the first"));
  EXPECT_THAT(all, HasSubstr("/series/operator: only in the second"));
  EXPECT_THAT(all, HasSubstr("/series/step/volume: shapes differ: [4] and [3]"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr("started")));
  EXPECT_THROW(diff(folder / "a.h5", folder / "absent.h5"), InputError);
}

}  // namespace
}  // namespace deformbench::harness
