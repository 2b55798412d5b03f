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

/// A whole mesh at one time, with as many vertices as it has then.
struct TraceFrame {
  std::int64_t step = 0;
  double time = 0.0;  ///< s
  std::vector<FrameArray> arrays = {};
};

enum class CellStatus { Running, Completed, Diverged, Unsupported, Timeout, Failed };
const char* to_string(CellStatus status);
CellStatus cell_status(const std::string& name);  ///< InputError naming the known ones

/// The file could not be written (disk full, say). The cause is noted in the `.part`, which stays, with every
/// flushed batch; the writer never touches the file again. HDF5 1.10 may crash when such a process ends in
/// the usual way: report, then leave by `_exit(kWriteErrorExit)`.
class TraceWriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
inline constexpr int kWriteErrorExit = 74;  ///< EX_IOERR

/// Any failing write throws TraceWriteError; misuse (unknown clock, wrong number of values, empty unit, a step or time
/// that falls, a time that is not finite) throws std::invalid_argument.
class TraceWriter {
 public:
  /// Creates `<final_path>.part` exclusively (throws TraceLocked, part_file.hpp, when it exists) with the
  /// root attributes, /provenance (with `spec`) and status "running". `members` > 0 makes every series
  /// [member, row, …]. `cell_id` is that of the provenance, or the file's name up to the first dot;
  /// `experiment` and `method` are the spec's.
  TraceWriter(std::filesystem::path final_path, const nlohmann::json& resolved_spec, const nlohmann::json& provenance,
              int members = 0);
  ~TraceWriter();  ///< without finish(): leaves a readable .part, whose lock is stale
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Arrays of /scene. Integer and real matrices, any shape; row-major.
  void scene_array(const std::string& name, std::span<const double> values, std::vector<std::size_t> shape,
                   const std::string& unit, const std::string& description);
  void scene_array(const std::string& name, std::span<const int> values, std::vector<std::size_t> shape,
                   const std::string& description);

  /// Declares /series/<clock>/ with its channels, all rows of equal length. Call before the first append.
  /// `step` and `time` are always there.
  void add_clock(const std::string& clock, std::vector<ChannelSpec> channels);
  /// Appends one row: `values` holds every channel's row one after the other, in the declared order.
  /// Buffered (256 rows, fields fewer: a MiB) and flushed a batch at a time; a small series also when its
  /// last flush is five seconds old. Int64 channels are rounded, non-finite values in them become −1.
  void append(const std::string& clock, std::int64_t step, double time, std::span<const double> values);
  /// Writes /frames/<k>/, k counting from 0 over all members, and has it on disk when it returns. Integer arrays that
  /// did not change since the last frame (or /scene) are stored once.
  void frame(const TraceFrame& frame);
  /// Next ensemble member; rows of all members must agree in number, short ones are filled with NaN (−1).
  void begin_member(int member);
  void event(std::int64_t step, double time, const std::string& kind, std::int64_t code, const std::string& detail);

  /// /reference/<id>/<channel>: values on the rows of a clock, or scalars, with kind, citation, uncertainty,
  /// validity.
  struct Reference {
    std::string id, channel, unit, clock, kind, citation, validity;
    double uncertainty = 0.0;
    std::vector<double> values;
    std::vector<std::size_t> shape;
  };
  void reference(const Reference& reference);

  /// Flushes, closes, syncs and renames to the final path, replacing an older file there. A completed trace is read
  /// first: TraceWriteError when the file does not hold all rows that were appended, as another process wrote into it.
  void finish(CellStatus status, const std::string& reason);
  /// Everything appended so far survives the death of the process.
  void flush();
  std::int64_t rows(const std::string& clock) const;  ///< appended to the current member

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deformbench::harness
