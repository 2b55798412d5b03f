// SPDX-License-Identifier: BSD-3-Clause
// /frames/<k>/: meshes whose length changes, written, read, checked, compared, and recovered after a kill.
#include <gmock/gmock.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "tests/harness/trace/child_process.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::same_bits;
using testing::small_channels;
using testing::small_provenance;
using testing::small_row;
using testing::small_spec;

FrameArray reals(const char* name, std::vector<double> values, std::vector<std::size_t> shape) {
  return {{name, "m", "position", "of every vertex", "harness", std::move(shape)}, std::move(values)};
}
FrameArray integers(const char* name, std::vector<int> values, std::vector<std::size_t> shape) {
  FrameArray array{{name, "1", "index", "of vertices", "method", std::move(shape), ScalarType::Int64}};
  array.integers = std::move(values);
  return array;
}

/// Vertex 3 of the tetrahedron splits in every other frame; each frame has its own positions.
TraceFrame small_frame(std::int64_t k, std::size_t extra) {
  TraceFrame frame{k, 0.01 * double(k)};
  const std::size_t vertices = 4 + extra * std::size_t(k / 2);
  std::vector<double> positions(3 * vertices);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = std::sin(double(k) + 0.37 * double(i));
  std::vector<int> parents(vertices, 3);
  for (int v = 0; v < 4; ++v) parents[std::size_t(v)] = v;
  frame.arrays.push_back(integers("tetrahedra", {0, 1, 2, int(vertices) - 1}, {1, 4}));
  frame.arrays.push_back(integers("parents", std::move(parents), {vertices}));
  frame.arrays.push_back(reals("positions", std::move(positions), {vertices, 3}));
  return frame;
}

void start(TraceWriter& writer) {
  writer.scene_array("rest_positions", std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 3}, "m", "rest");
  writer.scene_array("tetrahedra", std::vector<int>{0, 1, 2, 3}, {1, 4}, "vertices of the elements");
  writer.add_clock("step", small_channels());
  writer.add_clock("frame", {});
}

void append(TraceWriter& writer, std::int64_t k, std::size_t extra = 1) {
  writer.append("step", k, 0.01 * double(k), small_row(k));
  writer.append("frame", k, 0.01 * double(k), {});
  writer.frame(small_frame(k, extra));
}

fs::path write_frames(const fs::path& path, std::int64_t count = 5, double moved = 0.0) {
  TraceWriter writer(path, small_spec(), small_provenance());
  start(writer);
  for (std::int64_t k = 0; k < count; ++k) {
    if (k == 3 && moved != 0.0) {
      writer.append("step", k, 0.03, small_row(k));
      writer.append("frame", k, 0.03, {});
      TraceFrame frame = small_frame(k, 1);
      frame.arrays[2].reals[7] += moved;
      writer.frame(frame);
    } else {
      append(writer, k);
    }
  }
  writer.finish(CellStatus::Completed, "");
  return path;
}

/// Address of a dataset in its file: equal for hard links.
haddr_t address(const fs::path& file, const std::string& object) {
  return h5::address_of(h5::open_dataset(h5::open_file(file).get(), object).get());
}

void expect_frames(const TraceReader& reader, std::int64_t count, std::size_t extra = 1) {
  const auto frames = reader.frames();
  ASSERT_EQ(frames.size(), std::size_t(count));
  for (std::int64_t k = 0; k < count; ++k) {
    const auto& entry = frames[std::size_t(k)];
    const TraceFrame expected = small_frame(k, extra);
    ASSERT_EQ(entry.step, k);
    ASSERT_TRUE(same_bits(entry.time, expected.time));
    const auto positions = reader.dataset(entry.object + "/positions");
    ASSERT_EQ(positions.shape, expected.arrays[2].spec.row_shape);
    for (std::size_t i = 0; i < positions.values.size(); ++i)
      ASSERT_TRUE(same_bits(positions.values[i], expected.arrays[2].reals[i])) << k << ' ' << i;
    const auto corners = reader.dataset(entry.object + "/tetrahedra").values;
    ASSERT_THAT(corners, ElementsAre(0, 1, 2, expected.arrays[0].integers[3])) << k;
    ASSERT_EQ(reader.dataset(entry.object + "/parents").values.size(), positions.shape[0]);
  }
}

TEST(Frames, ComeBackBitForBitWithTheirOwnLengths) {
  const Folder folder;
  const fs::path path = write_frames(folder / "cell.h5", 12);  // names beyond 9 sort as numbers
  expect_frames(TraceReader(path), 12);
  EXPECT_THAT(validate(path), IsEmpty());
  EXPECT_EQ(TraceReader(path).dataset("/frames/3/positions").unit, "m");
}

TEST(Frames, ConnectivityIsStoredOnceWhileItDoesNotChange) {
  const Folder folder;
  const fs::path path = write_frames(folder / "cell.h5");
  EXPECT_EQ(address(path, "/frames/0/tetrahedra"), address(path, "/scene/tetrahedra"));
  EXPECT_EQ(address(path, "/frames/1/tetrahedra"), address(path, "/scene/tetrahedra"));
  EXPECT_NE(address(path, "/frames/2/tetrahedra"), address(path, "/scene/tetrahedra"));
  EXPECT_EQ(address(path, "/frames/3/tetrahedra"), address(path, "/frames/2/tetrahedra"));
  EXPECT_EQ(address(path, "/frames/3/parents"), address(path, "/frames/2/parents"));
  EXPECT_NE(address(path, "/frames/4/parents"), address(path, "/frames/2/parents"));
}

TEST(Frames, WhatAFrameMayNotHoldIsRefusedAndNothingIsWritten) {
  const Folder folder;
  {
    TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    start(writer);
    append(writer, 0);
    TraceFrame wrong = small_frame(1, 1);
    wrong.arrays[2].reals.pop_back();
    EXPECT_THROW(writer.frame(wrong), std::invalid_argument);
    wrong = small_frame(1, 1);
    wrong.arrays[2].spec.unit = "";
    EXPECT_THROW(writer.frame(wrong), std::invalid_argument);
    wrong = small_frame(1, 1);
    wrong.arrays.push_back(wrong.arrays[2]);
    EXPECT_THROW(writer.frame(wrong), std::invalid_argument);
    writer.finish(CellStatus::Completed, "");
  }
  EXPECT_EQ(TraceReader(folder / "cell.h5").frames().size(), 1u);
}

TEST(Frames, DiffFindsAMovedVertexAndAMissingFrame) {
  const Folder folder;
  const fs::path a = write_frames(folder / "a.h5"), same = write_frames(folder / "same.h5"),
                 moved = write_frames(folder / "moved.h5", 5, 1e-6), shorter = write_frames(folder / "shorter.h5", 4);
  EXPECT_THAT(diff(a, same), IsEmpty());
  const auto found = diff(a, moved);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].object, "/frames/3/positions");
  EXPECT_NEAR(found[0].max_absolute, 1e-6, 1e-12);
  EXPECT_THAT(diff(a, moved, {.absolute = 1e-5}), IsEmpty());
  bool told = false;
  for (const Difference& d : diff(a, shorter)) told = told || d.text() == "/frames/4: only in the first";
  EXPECT_TRUE(told);
}

/// A conforming trace with one thing changed by `spoil`.
std::vector<std::string> findings_after(const Folder& folder, const std::function<void(hid_t)>& spoil) {
  const fs::path path = write_frames(folder / "spoiled.h5");
  testing::drop_digest_record(path);  // as a trace of another program
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Adelete_by_name(file, "/provenance", "digest", H5P_DEFAULT);
  spoil(file);
  H5Fclose(file);
  std::vector<std::string> texts;
  for (const Finding& finding : validate(path)) texts.push_back(finding.text());
  return texts;
}

TEST(Frames, ValidateNamesWhatDoesNotConform) {
  const Folder folder;
  EXPECT_THAT(findings_after(folder, [](hid_t f) { H5Ldelete(f, "/frames/2/positions", H5P_DEFAULT); }),
              ElementsAre(HasSubstr("/frames/2/positions: found nothing, expected shape [vertex, 3]")));
  EXPECT_THAT(findings_after(folder, [](hid_t f) { H5Ldelete(f, "/frames/1", H5P_DEFAULT); }),
              ElementsAre(HasSubstr("/frames/1: found nothing, expected groups 0 to 3")));
  EXPECT_THAT(findings_after(folder,
                             [](hid_t f) {
                               const hid_t frame = H5Gopen2(f, "/frames/3", H5P_DEFAULT);
                               const std::int64_t step = 1;
                               const hid_t attribute = H5Aopen(frame, "step", H5P_DEFAULT);
                               H5Awrite(attribute, H5T_NATIVE_INT64, &step);
                               H5Aclose(attribute);
                               H5Gclose(frame);
                             }),
              ElementsAre(HasSubstr("/frames/3 attribute step: found 1 after 2, expected steps that rise")));
  EXPECT_THAT(findings_after(folder,
                             [](hid_t f) {
                               const hid_t data = H5Dopen2(f, "/frames/4/parents", H5P_DEFAULT);
                               const std::vector<int> parents{0, 1, 2, 3, 3, 4};  // 4 is no vertex of /scene
                               H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, parents.data());
                               H5Dclose(data);
                             }),
              ElementsAre(HasSubstr("/frames/4/parents: found index 4, expected 0 to 3")));
}

/// A square of cloth of which vertex 2 tears in frame 1; `torn` are the triangles then, `surface` those of a rigid
/// body.
fs::path write_cloth(const fs::path& path, std::vector<int> torn, std::vector<int> surface = {0, 1, 2},
                     CellStatus status = CellStatus::Completed) {
  TraceWriter writer(path, small_spec(), small_provenance());
  writer.scene_array("rest_positions", std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {4, 3}, "m", "rest");
  const std::vector<int> whole{0, 1, 2, 0, 2, 3};
  writer.scene_array("triangles", whole, {2, 3}, "vertices of the triangles");
  writer.scene_array("rigid_0_positions", std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0}, {3, 3}, "m", "surface");
  writer.scene_array("rigid_0_triangles", surface, {1, 3}, "surface");
  writer.add_clock("frame", {});
  for (int k = 0; k < 2; ++k) {
    writer.append("frame", k, 0.01 * k, {});
    const auto vertices = std::size_t(4 + k);
    TraceFrame frame{k, 0.01 * k};
    const std::vector<int>& triangles = k == 0 ? whole : torn;
    if (!triangles.empty()) frame.arrays.push_back(integers("triangles", triangles, {triangles.size() / 3, 3}));
    std::vector<int> parents{0, 1, 2, 3, 2};
    parents.resize(vertices);
    frame.arrays.push_back(integers("parents", parents, {vertices}));
    frame.arrays.push_back(reals("positions", std::vector<double>(3 * vertices, 0.5), {vertices, 3}));
    writer.frame(frame);
  }
  writer.finish(status, status == CellStatus::Completed ? "" : "of a test");
  return path;
}

std::vector<std::string> findings_of(const fs::path& path) {
  std::vector<std::string> texts;
  for (const Finding& finding : validate(path)) texts.push_back(finding.text());
  return texts;
}

TEST(Frames, OfClothHaveTrianglesInPlaceOfTetrahedra) {
  const Folder folder;
  const fs::path path = write_cloth(folder / "cloth.h5", {0, 1, 2, 0, 4, 3});
  EXPECT_THAT(findings_of(path), IsEmpty());
  EXPECT_EQ(address(path, "/frames/0/triangles"), address(path, "/scene/triangles"));
  EXPECT_NE(address(path, "/frames/1/triangles"), address(path, "/scene/triangles"));
}

TEST(Frames, ValidateNamesClothAndBodiesThatDoNotConform) {
  const Folder folder;
  // The findings are those of a failed cell: an invalid completed one throws and leaves no file.
  const auto findings = [&](const char* name, const std::vector<int>& torn) {
    EXPECT_THROW(write_cloth(folder / (std::string("completed_") + name), torn), TraceWriteError);
    EXPECT_FALSE(fs::exists(folder / (std::string("completed_") + name)));
    return findings_of(write_cloth(folder / name, torn, {0, 1, 2}, CellStatus::Failed));
  };
  EXPECT_THAT(findings("outside.h5", {0, 1, 2, 0, 5, 3}),
              ElementsAre("/frames/1/triangles: found index 5, expected 0 to 4"));
  EXPECT_THAT(findings("fewer.h5", {0, 1, 2}),
              ElementsAre("/frames/1/triangles: found shape [1, 3], expected shape [2, 3]"));
  EXPECT_THAT(findings("none.h5", {}),
              ElementsAre("/frames/1/triangles: found nothing, expected a dataset of indices"));
  EXPECT_THAT(findings_of(write_cloth(folder / "body.h5", {0, 1, 2, 0, 4, 3}, {0, 1, 3})),
              ElementsAre("/scene/rigid_0_triangles: found index 3, expected 0 to 2"));
}

TEST(Frames, OfNodesHaveNoElements) {
  const Folder folder;
  {
    TraceWriter writer(folder / "nodes.h5", small_spec(), small_provenance());
    writer.scene_array("rest_positions", std::vector<double>(6, 0.5), {2, 3}, "m", "rest");
    writer.add_clock("frame", {});
    writer.append("frame", 0, 0.0, {});
    TraceFrame frame{0, 0.0};
    frame.arrays.push_back(integers("parents", {0, 1}, {2}));
    frame.arrays.push_back(reals("positions", std::vector<double>(6, 0.5), {2, 3}));
    writer.frame(frame);
    writer.finish(CellStatus::Completed, "");
  }
  EXPECT_THAT(findings_of(folder / "nodes.h5"), IsEmpty());
}

TEST(Frames, AreAllThereAfterTheWriterWasDestroyed) {
  const Folder folder;
  {
    TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    start(writer);
    for (std::int64_t k = 0; k < 7; ++k) append(writer, k);
  }
  const Recovered result = recover(folder / "cell.h5.part");
  EXPECT_EQ(result.frames, 7);
  EXPECT_THAT(result.lost, IsEmpty());
  expect_frames(TraceReader(result.output), 7);
  EXPECT_THAT(validate(result.output), IsEmpty());
  EXPECT_EQ(address(result.output, "/frames/5/tetrahedra"), address(result.output, "/frames/4/tetrahedra"));
}

// What a process that dies while HDF5 moves names leaves behind.
TEST(Frames, AreFoundAgainWithoutTheirNames) {
  const Folder folder;
  constexpr std::size_t kExtra = 1;
  {
    TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
    start(writer);
    for (std::int64_t k = 0; k < 9; ++k) append(writer, k, kExtra);
  }
  {
    const h5::Handle part(H5Fopen((folder / "cell.h5.part").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    for (const char* name : {"/frames/2", "/frames/5", "/frames/8"}) {
      ASSERT_GE(H5Oincr_refcount(h5::open_group(part.get(), name).get()), 0);  // without its name, but there
      ASSERT_GE(H5Ldelete(part.get(), name, H5P_DEFAULT), 0);
    }
  }
  const Recovered result = recover(folder / "cell.h5.part");
  EXPECT_THAT(result.lost, IsEmpty());
  expect_frames(TraceReader(result.output), 9, kExtra);
  EXPECT_THAT(validate(result.output), IsEmpty());
}

TEST(Frames, AFinishedTraceHasNoAddresses) {
  const Folder folder;
  const fs::path path = write_frames(folder / "cell.h5");
  const h5::Handle file = h5::open_file(path);
  EXPECT_EQ(h5::attribute_names(h5::open_group(file.get(), "/frames").get()), std::vector<std::string>{"rows_written"});
  for (const char* k : {"0", "4"})
    EXPECT_FALSE(h5::has_attribute(h5::open_group(file.get(), std::string("/frames/") + k).get(), "previous_frame"));
}

TEST(Frames, AProcessKilledInTheMiddleLosesNoFrameThatItHadWritten) {
  const Folder folder;
  constexpr std::size_t kExtra = 20;  // vertices born every other frame
  for (int round = 0; round < 12; ++round) {
    const fs::path path = folder / ("cell" + std::to_string(round) + ".h5");
    void* memory =
        mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* written = new (memory) std::atomic<std::int64_t>(0);
    const pid_t child = testing::start_child([&] {
      TraceWriter writer(path, small_spec(), small_provenance());
      start(writer);
      for (std::int64_t k = 0; k < 400; ++k) {
        append(writer, k, kExtra);
        *written = k + 1;
      }
      return 0;
    });
    while (*written < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(7919 * round % 20000));
    kill(child, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(testing::wait_for(child)));

    const Recovered result = recover(part_path(path));
    EXPECT_THAT(result.lost, IsEmpty());
    EXPECT_GE(result.frames, *written);
    EXPECT_LE(result.frames, *written + 1);
    const TraceReader reader(result.output);
    EXPECT_EQ(reader.status(), "failed");
    expect_frames(reader, result.frames, kExtra);
    EXPECT_THAT(validate(result.output), IsEmpty());
  }
}

}  // namespace
}  // namespace deformbench::harness
