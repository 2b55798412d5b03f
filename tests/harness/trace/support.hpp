// SPDX-License-Identifier: BSD-3-Clause
// A folder that goes away, a resolved spec, a small trace, child processes: shared by the tests of the trace.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_writer.hpp"

namespace deformbench::harness::testing {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "deformbench_trace_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline nlohmann::json small_spec() {
  return nlohmann::json::parse(R"({
    "format": "deformbench-cell", "experiment": "tests/pendulum", "tier": "smoke",
    "coordinates": {"scene.parameters.angle_deg": 30},
    "scene": {"name": "bar", "parameters": {"length_m": 1.5}},
    "method": {"name": "linear", "id": "linear_fem", "parameters": {}},
    "schedule": {"steps": 4}, "channels": {"step": {"every": 1, "names": ["volume"]}},
    "references": [], "ensemble": {}, "expect": {"status": "completed"}, "threads": 1, "seed": 7})");
}

inline nlohmann::json small_provenance() {
  return run_provenance({1, 7, "0123abcd"});
}

inline std::vector<ChannelSpec> small_channels() {
  return {{"volume", "m3", "volume", "volume of all elements", "harness", {}, ScalarType::Float64},
          {"linear_momentum", "kg m/s", "momentum", "sum of m v", "harness", {3}, ScalarType::Float64},
          {"solver_iterations", "1", "count", "iterations of the solver", "method", {}, ScalarType::Int64}};
}

/// A row that no other step has: the step can be told from every value.
inline std::vector<double> small_row(std::int64_t step) {
  const double s = double(step);
  return {1.0 + 1e-3 * s, 0.1 * s, -0.2 * s, 1.0 / (1.0 + s), 20.0 + s};
}

/// The small channels, and `rows` steps of them; row 2 has another volume where one is given.
inline void append_small_rows(TraceWriter& writer, int rows, std::optional<double> volume_of_row_2 = {}) {
  writer.add_clock("step", small_channels());
  for (int step = 0; step < rows; ++step) {
    auto row = small_row(step);
    if (step == 2) row[0] = volume_of_row_2.value_or(row[0]);
    writer.append("step", step, 0.01 * step, row);
  }
}

/// A finished trace of `rows` steps.
inline fs::path write_small_trace(const fs::path& path, int rows = 4, std::optional<double> volume_of_row_2 = {}) {
  TraceWriter writer(path, small_spec(), small_provenance());
  writer.scene_array("rest_positions", std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 3}, "m",
                     "rest positions of the vertices");
  writer.scene_array("masses", std::vector<double>{1, 2, 3, 4}, {4}, "kg", "lumped masses");
  writer.scene_array("tetrahedra", std::vector<int>{0, 1, 2, 3}, {1, 4}, "vertices of the elements");
  append_small_rows(writer, rows, volume_of_row_2);
  writer.finish(CellStatus::Completed, "");
  return path;
}

/// All bytes of a file.
inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Wipes the record in the user block.
inline void drop_digest_record(const fs::path& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(kUserBlockBytes - kDigestRecordBytes);
  file << std::string(kDigestRecordBytes, '\0');
}

/// Equality of every bit: NaN equals NaN of the same payload, and −0 is not 0.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace deformbench::harness::testing
