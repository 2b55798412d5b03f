// SPDX-License-Identifier: BSD-3-Clause
// Writes one trace (docs/trace_format.md): `<cell>.h5.part` until finished, then `<cell>.h5`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace deformbench::harness {

enum class ScalarType { Float64, Int64 };

/// One dataset of a clock: shape of a row ({} = scalar, {3} = vector, {n,3} = a field).
struct ChannelSpec {
  std::string name;                ///< snake_case
  std::string unit;                ///< SI symbol, "1" if dimensionless
  std::string quantity;            ///< "energy", "momentum", …
  std::string description;         ///< one sentence
  std::string source = "harness";  ///< harness | method
  std::vector<std::size_t> row_shape = {};
  ScalarType type = ScalarType::Float64;
  std::size_t row_size() const;  ///< product of row_shape
};

/// One array of a frame, row-major. `spec.row_shape` is its whole shape.
struct FrameArray {
  ChannelSpec spec;
  std::vector<double> reals = {};  ///< the values, if spec.type is Float64
  std::vector<int> integers = {};  ///< the values, if spec.type is Int64 (stored in 32 bits)
};

/// A whole mesh at one time; the number of vertices may vary.
struct TraceFrame {
  std::int64_t step = 0;
  double time = 0.0;  ///< s
  std::vector<FrameArray> arrays = {};
};

enum class CellStatus { Running, Completed, Diverged, Unsupported, Timeout, Failed };
const char* to_string(CellStatus status);
CellStatus cell_status(const std::string& name);  ///< InputError listing the known ones

/// The file could not be written (disk full, say). The `.part` stays with the cause and all flushed batches; the
/// writer never touches it again. HDF5 1.10 may crash if such a process ends normally: report, then leave by
/// `_exit(kWriteErrorExit)`.
class TraceWriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
inline constexpr int kWriteErrorExit = 74;  ///< EX_IOERR

/// Any failing write throws TraceWriteError; misuse (unknown clock, wrong number of values, empty unit, decreasing
/// step or time, a time that is not finite) throws std::invalid_argument.
class TraceWriter {
 public:
  /// Creates `<final_path>.part` exclusively (throws TraceLocked, part_file.hpp, when it exists) with the
  /// root attributes, /provenance (with `spec`) and status "running". `members` > 0 makes every series
  /// [member, row, …]. `cell_id` is taken from the provenance, or else the file's name up to the first dot;
  /// `experiment` and `method` from the spec.
  TraceWriter(std::filesystem::path final_path, const nlohmann::json& resolved_spec, const nlohmann::json& provenance,
              int members = 0);
  ~TraceWriter();  ///< without finish(): leaves a readable .part with a stale lock
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Real or integer arrays of /scene, of any shape, row-major.
  void scene_array(const std::string& name, std::span<const double> values, std::vector<std::size_t> shape,
                   const std::string& unit, const std::string& description);
  void scene_array(const std::string& name, std::span<const int> values, std::vector<std::size_t> shape,
                   const std::string& description);

  /// Declares /series/<clock>/ with its channels, all rows of equal length. Call before the first append. `step` and
  /// `time` are added.
  void add_clock(const std::string& clock, std::vector<ChannelSpec> channels);
  /// Appends one row: `values` concatenates the channels in declared order. Buffered and flushed in batches (256
  /// rows, or 1 MiB for fields); small series also every five seconds. Int64 channels are rounded, non-finite values
  /// in them become −1.
  void append(const std::string& clock, std::int64_t step, double time, std::span<const double> values);
  /// Writes /frames/<k>/, k counting from 0 over all members; it is on disk on return. Integer arrays unchanged since
  /// the last frame (or /scene) are stored once.
  void frame(const TraceFrame& frame);
  /// Starts an ensemble member. Short ones are padded: NaN, −1 in integers.
  void begin_member(int member);
  void event(std::int64_t step, double time, const std::string& kind, std::int64_t code, const std::string& detail);

  /// /reference/<id>/<channel>: values along the rows of a clock, or scalars, with kind, citation, uncertainty,
  /// validity.
  struct Reference {
    std::string id, channel, unit, clock, kind, citation, validity;
    double uncertainty = 0.0;
    std::vector<double> values;
    std::vector<std::size_t> shape;
  };
  void reference(const Reference& reference);

  /// Flushes, closes, syncs and renames to the final path, replacing an older file there. A completed trace is read
  /// back first: TraceWriteError if rows are missing because another process wrote into the file.
  void finish(CellStatus status, const std::string& reason);
  /// Everything appended so far survives a kill of the process.
  void flush();
  std::int64_t rows(const std::string& clock) const;  ///< appended to the current member

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deformbench::harness
