// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "methods/model/error.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;
using testing::small_channels;
using testing::small_provenance;
using testing::small_row;
using testing::small_spec;

TEST(TraceRoundTrip, EveryValueComesBackBitEqualOverSeveralBatches) {
  const Folder folder;
  testing::write_small_trace(folder / "cell.h5", 700);  // batches of 256: two whole ones and a rest
  const TraceReader reader(folder / "cell.h5");
  const auto volume = reader.channel("step", "volume"), momentum = reader.channel("step", "linear_momentum"),
             iterations = reader.channel("step", "solver_iterations");
  ASSERT_THAT(volume.shape, ElementsAre(700));
  ASSERT_THAT(momentum.shape, ElementsAre(700, 3));
  const auto steps = reader.steps("step");
  const auto times = reader.times("step");
  for (std::size_t i = 0; i < 700; ++i) {
    const auto row = small_row(std::int64_t(i));
    ASSERT_EQ(steps[i], std::int64_t(i));
    ASSERT_TRUE(testing::same_bits(times[i], 0.01 * double(i)));
    ASSERT_TRUE(testing::same_bits(volume.values[i], row[0]));
    for (std::size_t k = 0; k < 3; ++k) ASSERT_TRUE(testing::same_bits(momentum.values[3 * i + k], row[1 + k]));
    ASSERT_EQ(iterations.values[i], row[4]);
  }
}

TEST(TraceRoundTrip, RootProvenanceAndSceneComeBack) {
  const Folder folder;
  testing::write_small_trace(folder / "cell.h5");
  const TraceReader reader(folder / "cell.h5");
  EXPECT_EQ(reader.experiment(), "tests/pendulum");
  EXPECT_EQ(reader.method(), "linear_fem");
  EXPECT_EQ(reader.cell_id(), "cell");
  EXPECT_EQ(reader.status(), "completed");
  EXPECT_EQ(reader.spec(), small_spec());
  EXPECT_EQ(reader.provenance().at("threads"), 1);
  EXPECT_EQ(reader.provenance().at("seed"), 7);
  EXPECT_EQ(reader.provenance().at("method_fingerprint"), "0123abcd");
  EXPECT_THAT(reader.clocks(), ElementsAre("step"));
  EXPECT_THAT(reader.channels("step"), ElementsAre("linear_momentum", "solver_iterations", "volume"));
  const auto volume = reader.channel("step", "volume");
  EXPECT_EQ(volume.unit, "m3");
  EXPECT_EQ(volume.quantity, "volume");
  EXPECT_EQ(volume.source, "harness");
  EXPECT_EQ(reader.scene_array("masses").unit, "kg");
  EXPECT_THAT(reader.scene_array("tetrahedra").values, ElementsAre(0, 1, 2, 3));
}

TEST(TraceRoundTrip, CompressedFieldsComeBackBitEqual) {
  const Folder folder;
  const std::size_t n = 5000;  // 120 kB per row: eight rows per batch
  const auto value = [](std::size_t row, std::size_t i) { return std::sin(1.0 + double(row) * 0.3 + double(i)); };
  {
    TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    writer.add_clock("frame", {{"positions", "m", "position", "positions of the vertices", "harness", {n, 3}}});
    std::vector<double> row(3 * n);
    for (std::size_t frame = 0; frame < 21; ++frame) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = value(frame, i);
      writer.append("frame", std::int64_t(frame), 0.1 * double(frame), row);
      if (frame == 10) writer.flush();  // in the middle of a chunk
    }
    writer.finish(CellStatus::Completed, "");
  }
  const auto positions = TraceReader(folder / "cell.h5").channel("frame", "positions");
  ASSERT_THAT(positions.shape, ElementsAre(21, n, 3));
  for (std::size_t frame = 0; frame < 21; ++frame)
    for (std::size_t i = 0; i < 3 * n; ++i)
      ASSERT_TRUE(testing::same_bits(positions.values[frame * 3 * n + i], value(frame, i)));
}

TEST(TraceRoundTrip, NonFiniteValuesAreKept) {
  const Folder folder;
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  writer.add_clock("step", small_channels());
  writer.append("step", 0, 0.0, std::vector{inf, -inf, nan, -0.0, nan});
  writer.finish(CellStatus::Diverged, "volume is not finite");
  const TraceReader reader(folder / "cell.h5");
  EXPECT_EQ(reader.channel("step", "volume").values[0], inf);
  const auto momentum = reader.channel("step", "linear_momentum").values;
  EXPECT_EQ(momentum[0], -inf);
  EXPECT_TRUE(std::isnan(momentum[1]));
  EXPECT_TRUE(std::signbit(momentum[2]));
  EXPECT_EQ(reader.channel("step", "solver_iterations").values[0], -1.0);  // an integer has no NaN
  EXPECT_EQ(reader.status(), "diverged");
  EXPECT_EQ(reader.status_reason(), "volume is not finite");
}

TEST(TraceRoundTrip, ShortMembersOfAnEnsembleAreFilled) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance(), 3);
  writer.add_clock("step", small_channels());
  const int lengths[] = {300, 5, 310};
  for (int member = 0; member < 3; ++member) {
    writer.begin_member(member);
    for (int step = 0; step < lengths[member]; ++step)
      writer.append("step", step, 0.01 * step, small_row(1000 * member + step));
  }
  writer.finish(CellStatus::Completed, "");
  const TraceReader reader(folder / "cell.h5");
  EXPECT_TRUE(reader.is_ensemble());
  const auto volume = reader.channel("step", "volume");
  ASSERT_THAT(volume.shape, ElementsAre(3, 310));
  const auto steps = reader.steps("step");
  for (std::size_t member = 0; member < 3; ++member)
    for (std::size_t row = 0; row < 310; ++row) {
      const double value = volume.values[member * 310 + row];
      if (row < std::size_t(lengths[member])) {
        ASSERT_EQ(value, small_row(std::int64_t(1000 * member + row))[0]);
        ASSERT_EQ(steps[member * 310 + row], std::int64_t(row));
      } else {
        ASSERT_TRUE(std::isnan(value)) << member << " " << row;
        ASSERT_EQ(steps[member * 310 + row], -1);
      }
    }
}

TEST(TraceRoundTrip, EventsAndReferencesComeBack) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  for (int i = 0; i < 300; ++i) writer.event(i, 0.01 * i, "inversion", i % 5, i == 7 ? "element ∂Ω 7" : "");
  writer.reference(
      {"free_fall", "volume", "m3", "step", "closed form", "Galilei 1638", "always", 1e-3, {1.0, 2.0}, {2}});
  writer.reference({"free_fall", "gravity", "m/s2", "", "closed form", "", "", 0.0, {9.81}, {}});
  writer.finish(CellStatus::Completed, "");
  const TraceReader reader(folder / "cell.h5");
  const auto events = reader.events();
  ASSERT_EQ(events.size(), 300u);
  EXPECT_EQ(events[7].detail, "element ∂Ω 7");
  EXPECT_EQ(events[299].step, 299);
  EXPECT_EQ(events[299].code, 4);
  const auto references = reader.references();
  ASSERT_EQ(references.size(), 2u);
  EXPECT_EQ(references[0].channel, "gravity");
  EXPECT_TRUE(references[0].shape.empty());
  EXPECT_EQ(references[1].citation, "Galilei 1638");
  EXPECT_EQ(references[1].uncertainty, 1e-3);
  EXPECT_THAT(references[1].values, ElementsAre(1.0, 2.0));
}

TEST(TraceRoundTrip, NothingStandsUnderTheFinalNameBeforeTheEnd) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  EXPECT_FALSE(testing::fs::exists(folder / "cell.h5"));
  EXPECT_TRUE(testing::fs::exists(folder / "cell.h5.part"));
  writer.finish(CellStatus::Unsupported, "needs rigid bodies");
  EXPECT_TRUE(testing::fs::exists(folder / "cell.h5"));
  EXPECT_FALSE(testing::fs::exists(folder / "cell.h5.part"));
  const auto files = std::distance(testing::fs::directory_iterator(folder.path()), {});
  EXPECT_EQ(files, 1);
}

TEST(TraceRoundTrip, MisuseIsRefusedByName) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  const auto message = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(message([&] {
                writer.add_clock("step", {{"mass", "", "mass", "total mass"}});
              }),
              HasSubstr("channel 'mass' of clock 'step' has no unit"));
  EXPECT_THAT(message([&] {
                writer.add_clock("step", {{"mass", "kilos", "mass", "total mass"}});
              }),
              HasSubstr("unknown unit 'kilos'"));
  EXPECT_THAT(message([&] { writer.add_clock("step", {{"time", "s", "time", "twice"}}); }), HasSubstr("twice"));
  writer.add_clock("step", small_channels());
  EXPECT_THAT(message([&] { writer.append("step", 0, 0.0, std::vector{1.0}); }), HasSubstr("has 1 values, expected 5"));
  EXPECT_THAT(message([&] { writer.append("frame", 0, 0.0, std::vector{1.0}); }),
              HasSubstr("clock 'frame' was not declared"));
  writer.append("step", 3, 0.3, small_row(3));
  for (const auto& [step, time] : {std::pair<std::int64_t, double>{3, 0.4}, {4, 0.2}, {4, std::nan("")}})
    EXPECT_THAT(message([&] { writer.append("step", step, time, small_row(step)); }),
                HasSubstr("expected steps that rise and finite times that do not fall"));
  EXPECT_THAT(message([&] { writer.begin_member(0); }), HasSubstr("ensemble of 0"));
  EXPECT_THAT(message([&] {
                writer.scene_array("masses", std::vector{1.0, 2.0}, {3}, "kg", "masses");
              }),
              HasSubstr("has 2 values, expected 3"));
}

TEST(TraceReader, BadFilesAreRefusedWithWhatWasExpected) {
  const Folder folder;
  const auto message = [](const testing::fs::path& path) -> std::string {
    try {
      TraceReader reader(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(message(folder / "absent.h5"), HasSubstr("absent.h5: no such file"));
  std::ofstream(folder / "text.h5") << "not a trace";
  EXPECT_THAT(message(folder / "text.h5"), HasSubstr("cannot be opened as HDF5"));
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  EXPECT_THAT(message(folder / "cell.h5.part"), HasSubstr("only 'recover' reads it"));
  testing::write_small_trace(folder / "good.h5");
  EXPECT_THROW(TraceReader(folder / "good.h5").channel("step", "entropy"), InputError);
  try {
    TraceReader(folder / "good.h5").channel("step", "entropy");
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("clock 'step' has no channel 'entropy' (it has: linear_momentum"));
  }
}

TEST(Provenance, NamesTheCommitTheCompilerAndTheMachine) {
  const auto all = small_provenance();
  EXPECT_THAT(all.at("git_commit").get<std::string>(), ::testing::MatchesRegex("[0-9a-f]{40}|unknown"));
  EXPECT_THAT(all.at("compiler").get<std::string>(), HasSubstr("GNU"));
  EXPECT_THAT(all.at("eigen_version").get<std::string>(), HasSubstr("3.4"));
  EXPECT_THAT(all.at("flags").get<std::string>(), HasSubstr("-O"));
  EXPECT_GE(all.at("cores").get<int>(), 1);
  EXPECT_GE(all.at("load_1min").get<double>(), 0.0);
  EXPECT_EQ(utc_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_time(1'000'000'000), "2001-09-09T01:46:40Z");
  for (const auto& [key, value] : all.items()) {
    EXPECT_NE(value, "") << key;
  }
}

}  // namespace
}  // namespace deformbench::harness
