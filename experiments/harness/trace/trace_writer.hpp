// SPDX-License-Identifier: BSD-3-Clause
// Writes one trace (docs/trace_format.md): `<cell>.h5.part` until finished, then `<cell>.h5`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::harness {

enum class ScalarType { Float64, Int64 };

/// One dataset of a clock: shape of a row ({} = scalar, {3} = vector, {n,3} = a field).
struct ChannelSpec {
  std::string name;         ///< snake_case
  std::string unit;         ///< SI symbol, "1" if dimensionless
  std::string quantity;     ///< "energy", "momentum", …
  std::string description;  ///< one sentence
  std::string source = "harness";  ///< harness | method
  std::vector<std::size_t> row_shape = {};
  ScalarType type = ScalarType::Float64;
  std::size_t row_size() const;  ///< product of row_shape
};

enum class CellStatus { Running, Completed, Diverged, Unsupported, Timeout, Failed };
const char* to_string(CellStatus status);

class TraceWriter {
 public:
  /// Creates `<final_path>.part` exclusively (throws TraceLocked when it exists) and writes the root attributes,
  /// /provenance (with `spec`) and status "running". `members` > 0 makes every series [member, row, …].
  TraceWriter(std::filesystem::path final_path, const nlohmann::json& resolved_spec,
              const nlohmann::json& provenance, int members = 0);
  ~TraceWriter();  ///< without finish(): leaves a readable .part

  /// Arrays of /scene. Integer and real matrices, any shape; row-major.
  void scene_array(const std::string& name, std::span<const double> values, std::vector<std::size_t> shape,
                   const std::string& unit, const std::string& description);
  void scene_array(const std::string& name, std::span<const int> values, std::vector<std::size_t> shape,
                   const std::string& description);

  /// Declares /series/<clock>/ with its channels, all rows of equal length. Call before the first append.
  void add_clock(const std::string& clock, std::vector<ChannelSpec> channels);
  /// Appends one row: `values` holds every channel's row one after the other, in the declared order.
  /// Buffered (256 rows, fields fewer) and flushed a batch at a time.
  void append(const std::string& clock, std::int64_t step, double time, std::span<const double> values);
  /// Next ensemble member; rows of all members must agree in number, short ones are filled with NaN (−1).
  void begin_member(int member);
  void event(std::int64_t step, double time, const std::string& kind, std::int64_t code, const std::string& detail);

  /// /reference/<id>/<channel>: values on the rows of a clock, or scalars, with kind, citation, uncertainty, validity.
  struct Reference {
    std::string id, channel, unit, clock, kind, citation, validity;
    double uncertainty = 0.0;
    std::vector<double> values;
    std::vector<std::size_t> shape;
  };
  void reference(const Reference& reference);

  /// Closes, syncs and renames to the final path.
  void finish(CellStatus status, const std::string& reason);
  void flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deformbench::harness
