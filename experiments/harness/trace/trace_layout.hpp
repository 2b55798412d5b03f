// SPDX-License-Identifier: BSD-3-Clause
// What every file of the format has in common (docs/trace_format.md): names, root attributes, provenance, and
// the checks of what a writer is given. Used by the writers, recover() and validate().
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

/// What /provenance attribute finished says until it is.
inline constexpr const char* kNotFinished = "not finished";

/// Root attributes with status "running", and /provenance with the spec.
void write_root(hid_t file, const std::filesystem::path& final_path, const nlohmann::json& spec,
                const nlohmann::json& provenance);
/// Of a recovered file: adds what write_root() writes and is not there, as far as it can be known; `spec` and
/// `provenance` may be null. Returns what stays missing.
std::vector<std::string> complete_root(hid_t file, const std::filesystem::path& final_path, const nlohmann::json& spec,
                                       const nlohmann::json& provenance);
/// Final status, and when it ended (UTC).
void write_end(hid_t file, const std::string& status, const std::string& reason, const std::string& finished);

ChannelSpec step_column();
ChannelSpec time_column();

/// Each throws std::invalid_argument saying what is wrong.
void check_clock(const std::string& clock, const std::vector<ChannelSpec>& channels);
void check_scene_array(const std::string& name, std::size_t values, const std::vector<std::size_t>& shape,
                       const std::string& unit);
void check_reference(const TraceWriter::Reference& reference);

/// Where a clock is: steps rise (of the clock `iteration` they do not fall), and times are finite and do not fall.
struct Abscissa {
  std::int64_t step = std::numeric_limits<std::int64_t>::min();
  double time = -std::numeric_limits<double>::infinity();
  void advance(const std::string& clock, std::int64_t to_step, double to_time);  ///< std::invalid_argument
};

/// What was written of a clock.
struct WrittenClock {
  std::string name;
  std::vector<std::string> columns;
  std::size_t rows = 0;  ///< of a member in an ensemble
};
/// Reads the rows of a closed file: h5::Error unless all that was written is there and conforms.
void require_written(const std::filesystem::path& file, const std::vector<WrittenClock>& clocks);

/// As validate(), of the series, events and frames of an open file alone.
std::vector<Finding> validate_rows(hid_t file);

/// Lower case, digits, underscores; starts with a letter.
bool is_snake_case(const std::string& name);

}  // namespace deformbench::harness
