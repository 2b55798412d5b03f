// SPDX-License-Identifier: BSD-3-Clause
// Common layout of all files of the format (docs/trace_format.md): names, root attributes, provenance, and checks of
// a writer's input. Used by the writers, recover() and validate().
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_writer.hpp"
#include "experiments/harness/trace/validate.hpp"

namespace deformbench::harness {

inline constexpr const char* kFormatName = "deformbench-trace";
inline constexpr std::int64_t kFormatVersion = 1;
inline constexpr std::array<const char*, 6> kStatusNames{"running",     "completed", "diverged",
                                                         "unsupported", "timeout",   "failed"};  // as CellStatus

/// Value of the /provenance attribute `finished` in an unfinished file.
inline constexpr const char* kNotFinished = "not finished";

/// Writes root attributes, status "running", and /provenance with spec.
void write_root(hid_t file, const std::filesystem::path& final_path, const nlohmann::json& spec,
                const nlohmann::json& provenance);
/// Adds missing items of write_root() to a recovered file, as far as known; `spec` and `provenance` may be null.
/// Returns the items still missing.
std::vector<std::string> complete_root(hid_t file, const std::filesystem::path& final_path, const nlohmann::json& spec,
                                       const nlohmann::json& provenance);
/// Writes the final status and the end time (UTC).
void write_end(hid_t file, const std::string& status, const std::string& reason, const std::string& finished);

ChannelSpec step_column();
ChannelSpec time_column();

/// Each throws std::invalid_argument with the defect.
void check_clock(const std::string& clock, const std::vector<ChannelSpec>& channels);
void check_scene_array(const std::string& name, std::size_t values, const std::vector<std::size_t>& shape,
                       const std::string& unit);
void check_reference(const TraceWriter::Reference& reference);

/// State of a clock: steps strictly increase (clock `iteration`: do not decrease); times are finite and do not
/// decrease.
struct Abscissa {
  std::int64_t step = std::numeric_limits<std::int64_t>::min();
  double time = -std::numeric_limits<double>::infinity();
  void advance(const std::string& clock, std::int64_t to_step, double to_time);  ///< std::invalid_argument
};

/// Data written for a clock.
struct WrittenClock {
  std::string name;
  std::vector<std::string> columns;
  std::size_t rows = 0;  ///< of the longest member
};
/// Reads the rows of a closed file: h5::Error unless all written rows are present and conform.
void require_written(const std::filesystem::path& file, const std::vector<WrittenClock>& clocks);

/// validate() restricted to series, events and frames of an open file.
std::vector<Finding> validate_rows(hid_t file);

/// Lower case, digits, underscores; starts with a letter.
bool is_snake_case(const std::string& name);

}  // namespace deformbench::harness
