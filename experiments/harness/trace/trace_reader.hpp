// SPDX-License-Identifier: BSD-3-Clause
// Reads a trace (docs/trace_format.md), from this or any other program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace deformbench::harness {

/// A dataset with its attributes. Row-major; integers are converted to double.
struct ChannelData {
  std::vector<double> values;
  std::vector<std::size_t> shape;                   ///< [row, …] or [member, row, …] in a series; {} is a scalar
  std::string unit, quantity, description, source;  ///< empty if absent from the file
  std::size_t rows() const { return shape.empty() ? 1 : shape[0]; }
};

struct TraceEvent {
  std::int64_t step, code;
  double time;
  std::string kind, detail;
};

/// One group of /frames; its arrays are read by dataset(object + "/positions").
struct FrameEntry {
  std::string object;  ///< "/frames/<k>"
  std::int64_t step = 0;
  double time = 0.0;  ///< s
  std::int64_t member = 0;
};

struct ReferenceData {
  std::string id, channel, unit, clock, kind, citation, validity;
  double uncertainty = 0.0;
  std::vector<double> values;
  std::vector<std::size_t> shape;
};

class TraceReader {
 public:
  /// Opens read-only. InputError if it is not a readable HDF5 file of this format and version, is a `.part` (only
  /// recover() reads these), or contradicts its digest.
  explicit TraceReader(const std::filesystem::path& path);
  ~TraceReader();
  TraceReader(TraceReader&&) noexcept;

  const std::filesystem::path& path() const;
  // Root attributes
  std::string experiment() const;
  std::string cell_id() const;
  std::string method() const;
  std::string status() const;
  std::string status_reason() const;

  nlohmann::json spec() const;        ///< the resolved declaration
  nlohmann::json provenance() const;  ///< all attributes of /provenance except the spec
  /// Any attribute, as JSON: attribute("/series/step/volume", "unit"). InputError if absent.
  nlohmann::json attribute(const std::string& object, const std::string& name) const;
  bool has(const std::string& object) const;  ///< group or dataset

  std::vector<std::string> clocks() const;                            ///< sorted
  std::vector<std::string> channels(const std::string& clock) const;  ///< sorted, without step and time
  bool has_channel(const std::string& clock, const std::string& channel) const;
  bool is_ensemble() const;  ///< the first dimension of series is the member
  std::vector<std::int64_t> steps(const std::string& clock) const;
  std::vector<double> times(const std::string& clock) const;
  std::vector<std::size_t> shape(const std::string& clock, const std::string& channel) const;
  /// `channel` may be step or time too. InputError names file, clock and channel.
  ChannelData channel(const std::string& clock, const std::string& channel) const;

  ChannelData scene_array(const std::string& name) const;
  std::vector<TraceEvent> events() const;
  std::vector<FrameEntry> frames() const;  ///< in write order; empty without /frames
  std::vector<ReferenceData> references() const;
  /// Any numeric dataset by its full path.
  ChannelData dataset(const std::string& object) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deformbench::harness
