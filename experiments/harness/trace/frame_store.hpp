// SPDX-License-Identifier: BSD-3-Clause
// /frames/<k>/ of a trace: one whole mesh per time, with arrays of any length. Internal to the writer.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_writer.hpp"

namespace deformbench::harness {

/// Throws std::invalid_argument for invalid names, units, shapes, and arrays with both kinds of values.
void check_frame(const TraceFrame& frame);

/// Attributes of /frames and of every frame, while the file is a part: number and address of the last frame; address
/// of the previous frame. A growing HDF5 group moves half of its names; a process killed meanwhile leaves frames,
/// even old ones, without names: recover() then follows the addresses.
inline constexpr const char *kLastFrame = "last_frame", *kPreviousFrame = "previous_frame";

/// Frames counted in the attribute `rows_written` of /frames are complete, even if the process is killed: a group is
/// on disk before it gets its name, and named before it is counted.
class FrameStore {
 public:
  /// Registers an array of /scene that frames may link to instead of repeating it.
  void remember(const std::string& name, std::span<const int> values, const std::vector<std::size_t>& shape,
                const std::string& path);
  /// Writes the next frame; `member` −1: no ensemble. Integer arrays that equal those last written under the same
  /// name become a hard link to them.
  void write(hid_t file, const TraceFrame& frame, int member);
  /// Removes both attributes above.
  void finish();
  void close() { group_.reset(); }

 private:
  struct Stored {
    std::vector<int> values;
    std::vector<std::size_t> shape;
    std::string path;
  };
  void write_array(hid_t file, hid_t frame, const std::string& path, const FrameArray& array);

  h5::Handle group_;
  std::int64_t count_ = 0;
  std::int64_t last_address_ = -1;
  std::map<std::string, Stored> last_;  ///< by name
};

}  // namespace deformbench::harness
