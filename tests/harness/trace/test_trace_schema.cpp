// SPDX-License-Identifier: BSD-3-Clause
// The format itself: what validate() finds in files that depart from it in one point each, and who else reads
// it.
#include <gmock/gmock.h>
#include <hdf5.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>

#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "tests/harness/trace/support.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::small_channels;
using testing::small_provenance;
using testing::small_row;
using testing::small_spec;

/// A trace that has everything the format knows, but timing.
fs::path write_full_trace(const fs::path& path) {
  TraceWriter writer(path, small_spec(), small_provenance());
  writer.scene_array("rest_positions", std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 3}, "m", "rest");
  writer.scene_array("masses", std::vector<double>{1, 2, 3, 4}, {4}, "kg", "lumped masses");
  writer.scene_array("tetrahedra", std::vector<int>{0, 1, 2, 3}, {1, 4}, "vertices of the elements");
  writer.add_clock("step", small_channels());
  writer.add_clock("pose", {{"pose_parameter", "deg", "angle", "angle of the bend"}});
  for (int step = 0; step < 4; ++step) writer.append("step", step, 0.01 * step, small_row(step));
  for (int pose = 0; pose < 2; ++pose) writer.append("pose", pose, 0.0, std::vector{90.0 * pose});
  writer.event(2, 0.02, "inversion", 0, "element 0");
  writer.reference({"closed_form", "volume", "m3", "step", "closed form", "a book", "always", 0.0, {1, 1, 1, 1}, {4}});
  writer.reference({"closed_form", "gravity", "m/s2", "", "constant", "", "", 0.0, {9.81}, {}});
  writer.finish(CellStatus::Completed, "");
  return path;
}

/// For changes: without its digest, as a trace of another program.
h5::Handle open_for_writing(const fs::path& path) {
  h5::initialise();
  testing::drop_digest_record(path);
  h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  H5Adelete_by_name(file.get(), "/provenance", "digest", H5P_DEFAULT);
  return file;
}

std::string texts(const fs::path& path) {
  std::string all;
  for (const Finding& finding : validate(path)) all += finding.text() + "\n";
  return all;
}

/// A defect, and what must be found then.
struct Defect {
  const char* name;
  std::function<void(hid_t file)> make;
  const char* finding;
};

void text_attribute(hid_t file, const char* object, const char* name, const std::string& value) {
  const h5::Handle handle(H5Oopen(file, object, H5P_DEFAULT), H5Oclose);
  h5::write_attribute(handle.get(), name, value);
}
void number_attribute(hid_t file, const char* object, const char* name, std::int64_t value) {
  const h5::Handle handle(H5Oopen(file, object, H5P_DEFAULT), H5Oclose);
  h5::write_attribute(handle.get(), name, value);
}
void drop_attribute(hid_t file, const char* object, const char* name) {
  ASSERT_GE(H5Adelete_by_name(file, object, name, H5P_DEFAULT), 0);
}
void drop(hid_t file, const char* path) {
  ASSERT_GE(H5Ldelete(file, path, H5P_DEFAULT), 0);
}
void set_value(hid_t file, const char* path, std::size_t index, double value) {
  const auto dataset = h5::open_dataset(file, path);
  auto values = h5::read_real(dataset.get());
  values.at(index) = value;
  ASSERT_GE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
}
void set_rows(hid_t file, const char* path, hsize_t rows) {
  ASSERT_GE(H5Dset_extent(h5::open_dataset(file, path).get(), &rows), 0);
}
std::string spec_with(const char* pointer, const nlohmann::json& value) {
  auto spec = small_spec();
  spec[nlohmann::json::json_pointer(pointer)] = value;
  return spec.dump();
}

const double kNaN = std::numeric_limits<double>::quiet_NaN();

const Defect kDefects[] = {
    {"format", [](hid_t f) { text_attribute(f, "/", "format", "h5md"); },
     "/ attribute format: found 'h5md', expected 'deformbench-trace'"},
    {"no_format", [](hid_t f) { drop_attribute(f, "/", "format"); }, "/ attribute format: found nothing"},
    {"version", [](hid_t f) { number_attribute(f, "/", "format_version", 2); },
     "/ attribute format_version: found 2, expected 1"},
    {"version_as_text", [](hid_t f) { text_attribute(f, "/", "format_version", "1"); },
     "/ attribute format_version: found \"1\", expected integer 1"},
    {"no_cell_id", [](hid_t f) { drop_attribute(f, "/", "cell_id"); }, "/ attribute cell_id: found nothing"},
    {"running", [](hid_t f) { text_attribute(f, "/", "status", "running"); },
     "/ attribute status: found 'running', expected one of completed, diverged, unsupported, timeout, "
     "failed"},
    {"unknown_status", [](hid_t f) { text_attribute(f, "/", "status", "fine"); }, "/ attribute status: found 'fine'"},
    {"no_reason", [](hid_t f) { text_attribute(f, "/", "status", "failed"); },
     "/ attribute status_reason: found an empty text, expected why the status is failed"},
    {"no_provenance", [](hid_t f) { drop(f, "/provenance"); }, "/provenance: found nothing, expected a group"},
    {"no_commit", [](hid_t f) { drop_attribute(f, "/provenance", "git_commit"); },
     "/provenance attribute git_commit: found nothing"},
    {"empty_cpu", [](hid_t f) { text_attribute(f, "/provenance", "cpu", ""); },
     "/provenance attribute cpu: found an empty text"},
    {"local_time", [](hid_t f) { text_attribute(f, "/provenance", "started", "2026-01-31 12:34"); },
     "/provenance attribute started: found '2026-01-31 12:34', expected UTC"},
    {"no_threads", [](hid_t f) { number_attribute(f, "/provenance", "threads", 0); },
     "/provenance attribute threads: found 0, expected a positive integer"},
    {"no_seed", [](hid_t f) { drop_attribute(f, "/provenance", "seed"); }, "/provenance attribute seed: found nothing"},
    {"spec_is_no_json", [](hid_t f) { text_attribute(f, "/provenance", "spec", "{"); },
     "/provenance attribute spec: found a text that is no JSON object"},
    {"spec_of_another_method",
     [](hid_t f) { text_attribute(f, "/provenance", "spec", spec_with("/method/id", "other")); },
     "/provenance attribute spec: found method 'other', expected 'linear_fem', as at /"},
    {"spec_without_coordinates",
     [](hid_t f) { text_attribute(f, "/provenance", "spec", spec_with("/coordinates", nullptr)); },
     "/provenance attribute spec: found no object at /coordinates"},
    {"spec_without_scene", [](hid_t f) { text_attribute(f, "/provenance", "spec", spec_with("/scene", 1)); },
     "/provenance attribute spec: found no text at /scene/name"},
    {"no_series", [](hid_t f) { drop(f, "/series"); }, "/: found neither a group series nor a group timing"},
    {"no_rows",
     [](hid_t f) {
       drop(f, "/series/step");
       drop(f, "/series/pose");
     },
     "/series: found no rows, expected at least one row in a completed trace"},
    {"no_time", [](hid_t f) { drop(f, "/series/step/time"); }, "/series/step/time: found nothing"},
    {"no_pose_parameter", [](hid_t f) { drop(f, "/series/pose/pose_parameter"); },
     "/series/pose/pose_parameter: found nothing"},
    {"rows_differ", [](hid_t f) { set_rows(f, "/series/step/volume", 3); },
     "/series/step/volume: found shape [3], expected [4, …] as the clock's time"},
    {"steps_fall", [](hid_t f) { set_value(f, "/series/step/step", 3, 1); },
     "/series/step/step: found 1 after 2 at row 3, expected steps that rise"},
    {"step_twice", [](hid_t f) { set_value(f, "/series/step/step", 1, 0); },
     "/series/step/step: found 0 after 0 at row 1"},
    {"time_falls", [](hid_t f) { set_value(f, "/series/step/time", 3, 0.0); },
     "/series/step/time: found 0 after 0.02 at row 3, expected times that do not fall"},
    {"time_is_not_finite", [](hid_t f) { set_value(f, "/series/step/time", 1, kNaN); },
     "/series/step/time: found nan at row 1, expected finite times"},
    {"real_steps",
     [](hid_t f) {
       drop(f, "/series/step/step");
       h5::write_dataset(f, "/series/step/step", std::vector<double>{0, 1, 2, 3}, {4});
     },
     "/series/step/step: found numbers that are no integers"},
    {"no_unit", [](hid_t f) { drop_attribute(f, "/series/step/volume", "unit"); },
     "/series/step/volume attribute unit: found nothing, expected an SI unit"},
    {"bad_unit", [](hid_t f) { text_attribute(f, "/series/step/volume", "unit", "litres"); },
     "/series/step/volume: found unit 'litres'"},
    {"no_description", [](hid_t f) { drop_attribute(f, "/series/step/volume", "description"); },
     "/series/step/volume attribute description: found nothing"},
    {"bad_source", [](hid_t f) { text_attribute(f, "/series/step/volume", "source", "me"); },
     "/series/step/volume attribute source: found 'me', expected harness or method"},
    {"masses_of_another_mesh",
     [](hid_t f) {
       drop(f, "/scene/masses");
       text_attribute(h5::write_dataset(f, "/scene/masses", std::vector<double>{1, 2}, {2}).get(), ".", "unit", "kg");
     },
     "/scene/masses: found shape [2], expected one mass per vertex"},
    {"vertex_out_of_range", [](hid_t f) { set_value(f, "/scene/tetrahedra", 2, 4); },
     "/scene/tetrahedra: found index 4, expected 0 to 3"},
    {"events_differ_in_length", [](hid_t f) { set_rows(f, "/events/code", 0); },
     "/events/code: found shape [0], expected shape [1] as its neighbours"},
    {"no_event_kind", [](hid_t f) { drop(f, "/events/kind"); }, "/events/kind: found nothing"},
    {"reference_without_uncertainty",
     [](hid_t f) { drop_attribute(f, "/reference/closed_form/volume", "uncertainty"); },
     "/reference/closed_form/volume attribute uncertainty: found nothing"},
    {"reference_on_no_clock", [](hid_t f) { text_attribute(f, "/reference/closed_form/volume", "clock", "tick"); },
     "/reference/closed_form/volume attribute clock: found 'tick', expected a clock of the trace"},
    {"reference_of_other_length", [](hid_t f) { text_attribute(f, "/reference/closed_form/volume", "clock", "pose"); },
     "/reference/closed_form/volume: found shape [4], expected a scalar or 2 rows as clock pose"},
};

TEST(Validate, ATraceOfEveryPartConforms) {
  const Folder folder;
  EXPECT_EQ(texts(write_full_trace(folder / "cell.h5")), "");
}

TEST(Validate, AnEnsembleWithShortMembersConforms) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance(), 2);
  writer.add_clock("step", small_channels());
  for (int member = 0; member < 2; ++member) {
    writer.begin_member(member);
    for (int step = 0; step < 4 - member; ++step) writer.append("step", step, 0.01 * step, small_row(step));
  }
  writer.finish(CellStatus::Completed, "");
  EXPECT_EQ(texts(folder / "cell.h5"), "");
  {
    const auto file = open_for_writing(folder / "cell.h5");
    set_value(file.get(), "/series/step/step", 5, 7);  // member 1, row 1: the next is 2
  }
  EXPECT_THAT(texts(folder / "cell.h5"), HasSubstr("found 2 after 7 at member 1, row 2"));
}

TEST(Validate, AnUnsupportedCellNeedsNoRows) {
  const Folder folder;
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  writer.finish(CellStatus::Unsupported, "no rigid bodies");
  EXPECT_EQ(texts(folder / "cell.h5"), "");
}

class DefectiveTrace : public ::testing::TestWithParam<Defect> {};

TEST_P(DefectiveTrace, IsFoundWithObjectFoundAndExpected) {
  const Folder folder;
  write_full_trace(folder / "cell.h5");
  {
    const auto file = open_for_writing(folder / "cell.h5");
    GetParam().make(file.get());
  }
  EXPECT_THAT(texts(folder / "cell.h5"), HasSubstr(GetParam().finding));
}

INSTANTIATE_TEST_SUITE_P(Validate, DefectiveTrace, ::testing::ValuesIn(kDefects),
                         [](const auto& defect) { return defect.param.name; });

TEST(Validate, WhatIsNoTraceIsAFinding) {
  const Folder folder;
  EXPECT_THAT(texts(folder / "absent.h5"), HasSubstr("no such file"));
  std::ofstream(folder / "text.h5") << "hello";
  EXPECT_THAT(texts(folder / "text.h5"), HasSubstr("expected a readable HDF5 file"));
  TraceWriter writer(folder / "cell.h5", small_spec(), small_provenance());
  EXPECT_THAT(texts(folder / "cell.h5.part"), HasSubstr("expected a finished trace (see 'recover')"));
}

TEST(Validate, ATruncatedFileIsAFindingAndNoCrash) {
  const Folder folder;
  write_full_trace(folder / "cell.h5");
  const auto size = fs::file_size(folder / "cell.h5");
  open_for_writing(folder / "cell.h5");
  for (const double part : {0.99, 0.7, 0.3, 0.02}) {
    fs::copy_file(folder / "cell.h5", folder / "cut.h5", fs::copy_options::overwrite_existing);
    fs::resize_file(folder / "cut.h5", std::uintmax_t(part * double(size)));
    EXPECT_NE(texts(folder / "cut.h5"), "") << part;
  }
}

/// Standard output of a command.
std::string output_of(const std::string& command, int& status) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  status = pclose(pipe);
  return text;
}

TEST(Format, H5pyReadsTextNumbersAndMissingValues) {
  const Folder folder;
  write_full_trace(folder / "cell.h5");
  std::ofstream(folder / "read.py") << R"(import json, sys, h5py
with h5py.File(sys.argv[1], "r") as f:
    assert f.attrs["format"] == "deformbench-trace" and f.attrs["format_version"] == 1
    assert f.attrs["status"] == "completed", f.attrs["status"]
    assert json.loads(f["provenance"].attrs["spec"])["method"]["id"] == "linear_fem"
    s = f["series/step"]
    assert s["volume"].shape == s["time"].shape == s["step"].shape == (4,)
    assert s["linear_momentum"].shape == (4, 3)
    assert s["volume"].dtype == "float64" and s["step"].dtype == "int64"
    assert s["volume"][2] == 1.0 + 1e-3 * 2.0 and s["volume"].attrs["unit"] == "m3"
    assert f["events/kind"].asstr()[0] == "inversion"
    assert f["scene/tetrahedra"][0].tolist() == [0, 1, 2, 3]
print("read")
)";
  int status = -1;
  const auto text = output_of(std::string(DEFORMBENCH_PYTHON) + " '" + (folder / "read.py").string() + "' '" +
                                  (folder / "cell.h5").string() + "'",
                              status);
  EXPECT_EQ(text, "read\n");
  EXPECT_EQ(status, 0);
}

TEST(Format, AForeignTraceWrittenByH5pyConforms) {
  const Folder folder;
  std::ofstream(folder / "write.py") << R"(import json, sys, h5py, numpy as np
spec = {"format": "deformbench-cell", "experiment": "cross/foreign", "coordinates": {},
        "scene": {"name": "bar", "parameters": {}}, "method": {"name": "mine", "id": "my_solver", "parameters": {}}}
with h5py.File(sys.argv[1], "w") as f:
    f.attrs.update(format="deformbench-trace", format_version=1, experiment="cross/foreign", cell_id="foreign",
                   method="my_solver", status="completed", status_reason="")
    p = f.create_group("provenance")
    p.attrs.update(git_commit="unknown", git_state="unknown", method_fingerprint="unknown", compiler="none",
                   flags="none", cpu="unknown", cores=1, threads=1, seed=0, host="unknown",
                   started="2026-01-31T12:00:00Z", finished="2026-01-31T12:00:01.5Z", spec=json.dumps(spec))
    s = f.create_group("series/step")
    def put(name, data, unit, quantity):
        d = s.create_dataset(name, data=data)
        d.attrs.update(unit=unit, quantity=quantity, description=name + " of the foreign run", source="method")
    put("step", np.arange(3), "1", "step")
    put("time", np.arange(3) * 0.1, "s", "time")
    put("volume", np.ones(3, dtype="float32"), "m^3", "volume")
    s["volume"].attrs["quantity"] = np.bytes_("volume")  # text of fixed length
print("written")
)";
  int status = -1;
  const auto text = output_of(std::string(DEFORMBENCH_PYTHON) + " '" + (folder / "write.py").string() + "' '" +
                                  (folder / "foreign.h5").string() + "'",
                              status);
  ASSERT_EQ(text, "written\n");
  EXPECT_EQ(texts(folder / "foreign.h5"), "");
}

}  // namespace
}  // namespace deformbench::harness
