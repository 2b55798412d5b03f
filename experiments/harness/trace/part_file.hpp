// SPDX-License-Identifier: BSD-3-Clause
// The `.part` of an unfinished trace, and its lock. The first 512 bytes of the file (HDF5's user block) are text:
// writer and state; unlike HDF5 data, it can be read while another process writes, and changed on a full disk. The
// file appears under its name complete, by link(2): of two processes writing the same cell exactly one gets it,
// also over NFS. Stale files are removed by one process only, the holder of their flock(2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "experiments/harness/trace/writer_identity.hpp"

namespace deformbench::harness {

/// Content of the user block of a `.part`.
struct PartLock : WriterIdentity {
  /// running | finishing (closed, about to get its final name) | write_error | abandoned; unreadable (block is ours
  /// but incomplete; pid is 0)
  std::string status = "running";
  std::string reason;
};

/// Another process has, or had, this cell.
class TraceLocked : public std::runtime_error {
 public:
  TraceLocked(const std::filesystem::path& part, PartLock holder, bool is_stale);
  PartLock holder;
  bool stale;  ///< the holder is gone: call recover() or remove_stale_part(), then retry
};

/// `<cell>.h5` → `<cell>.h5.part`
std::filesystem::path part_path(const std::filesystem::path& final_path);

/// The lock in `part`; InputError if it has none.
PartLock read_part_lock(const std::filesystem::path& part);

/// True if the writer is gone (is_gone(), writer_identity.hpp), or has given up (write error, destroyed without
/// finish). False for a living writer, for a writer on another machine, whose state is unknown, and for an unreadable
/// block of ours.
bool part_is_stale(const std::filesystem::path& part);

/// Removes `part` if it is stale or has no block of ours; returns whether it did. False also if another process is
/// removing or recovering it. Never touches a new `part` that another process has created meanwhile.
bool remove_stale_part(const std::filesystem::path& part);

/// Suffix of the temporary name of a trace being recovered.
inline constexpr const char* kRecovering = ".recovering";

/// Infix before name_ending() in the temporary name of a cell list being written.
inline constexpr const char* kNewList = ".new.";

/// Removes the temporary files (unpublished traces, unfinished recoveries, cell lists) of dead processes in `folder`.
/// Returns how many.
int remove_litter(const std::filesystem::path& folder);

/// Holds a stale part, so that no other process removes it while this one reads it.
class HeldPart {
 public:
  explicit HeldPart(const std::filesystem::path& part);
  ~HeldPart();
  HeldPart(const HeldPart&) = delete;
  HeldPart& operator=(const HeldPart&) = delete;
  bool held() const { return held_; }  ///< false: gone, or being removed or written by another process
  bool remove();                       ///< removes the held file if it still has its name; returns whether it did

 private:
  std::filesystem::path part_;
  int descriptor_ = -1;
  bool held_ = false;
};

/// Waits until a HeldPart could hold `part`, at most `seconds`; returns whether it could. Descendants of a killed
/// process keep the lock until they have ended.
bool becomes_free(const std::filesystem::path& part, double seconds);

}  // namespace deformbench::harness
