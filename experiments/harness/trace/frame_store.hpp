// SPDX-License-Identifier: BSD-3-Clause
// /frames/<k>/ of a trace: whole meshes at one time each, with arrays of any length. Internal to the writer.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_writer.hpp"

namespace deformbench::harness {

/// Throws std::invalid_argument for what a frame may not hold: bad names, units, shapes; arrays of both kinds.
void check_frame(const TraceFrame& frame);

/// Attributes of /frames and of every frame, while the file is a part: number and address of the last frame; address of
/// the frame before. HDF5 moves half the names of a group when it needs more room for them, and a process that dies in
/// the middle of that leaves frames without names, however old: recover() then follows the addresses.
inline constexpr const char *kLastFrame = "last_frame", *kPreviousFrame = "previous_frame";

/// A frame that is counted in the attribute `rows_written` of /frames is whole, whatever happens to the process later:
/// its group is on disk before it gets its name, and it has its name before it is counted.
class FrameStore {
 public:
  /// An array of /scene that frames may refer to instead of repeating it.
  void remember(const std::string& name, std::span<const int> values, const std::vector<std::size_t>& shape,
                const std::string& path);
  /// Writes the next frame; `member` −1: no ensemble. Integer arrays that equal those last written under the same
  /// name become a hard link to them.
  void write(hid_t file, const TraceFrame& frame, int member);
  /// Removes what is for parts only.
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
