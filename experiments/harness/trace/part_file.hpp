// SPDX-License-Identifier: BSD-3-Clause
// The `.part` a trace is written into, and the lock it carries. The first 512 bytes of the file (HDF5's user
// block) are text: who writes it, and in which state; it can be read while another process writes, and
// changed on a full disk, where HDF5 can do neither. The file appears under its name complete, by link(2): of
// two processes that want the same cell exactly one gets it, also over NFS. What a dead process left is removed
// by one process alone, the one that gets its flock(2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "experiments/harness/trace/writer_identity.hpp"

namespace deformbench::harness {

/// What the first bytes of a `.part` say.
struct PartLock : WriterIdentity {
  /// running | finishing (closed, about to get its final name) | write_error | abandoned; unreadable: the block is one
  /// of ours and says no more, then pid is 0
  std::string status = "running";
  std::string reason;
};

/// Another process has, or had, this cell.
class TraceLocked : public std::runtime_error {
 public:
  TraceLocked(const std::filesystem::path& part, PartLock holder, bool is_stale);
  PartLock holder;
  bool stale;  ///< the holder is gone: recover() the file or remove_stale_part() it, then try again
};

/// `<cell>.h5` → `<cell>.h5.part`
std::filesystem::path part_path(const std::filesystem::path& final_path);

/// The lock in `part`; InputError if it has none (no block of ours).
PartLock read_part_lock(const std::filesystem::path& part);

/// True if the writer is gone (is_gone(), writer_identity.hpp), or has given up (write error, destroyed without
/// finish). False for a living writer, for one on another machine that shares the folder, which cannot be asked, and
/// for a block of ours that cannot be read.
bool part_is_stale(const std::filesystem::path& part);

/// Removes `part` if it is stale or has no block of ours; says whether it did. False too when another process is just
/// removing or recovering it. A `part` that another process created meanwhile under the same name is never touched.
bool remove_stale_part(const std::filesystem::path& part);

/// Ends the name of a trace that is being recovered, until it takes the name it is for.
inline constexpr const char* kRecovering = ".recovering";

/// Stands before the ending (name_ending()) of a list of cells that is being written.
inline constexpr const char* kNewList = ".new.";

/// Removes from `folder` what processes that are gone left before it had its name, or while they recovered a part:
/// nobody but their writer looks for these files. Returns how many.
int remove_litter(const std::filesystem::path& folder);

/// A stale part held by this process while it reads it: nobody removes it meanwhile.
class HeldPart {
 public:
  explicit HeldPart(const std::filesystem::path& part);
  ~HeldPart();
  HeldPart(const HeldPart&) = delete;
  HeldPart& operator=(const HeldPart&) = delete;
  bool held() const { return held_; }  ///< false: it is gone, or another process removes or writes it
  bool remove();                       ///< the file that is held, if it still has its name; says whether it did

 private:
  std::filesystem::path part_;
  int descriptor_ = -1;
  bool held_ = false;
};

/// Waits until a HeldPart would hold `part`, `seconds` at most; says whether it would. What a killed process had
/// started is killed with it, and has the lock until the system has ended it.
bool becomes_free(const std::filesystem::path& part, double seconds);

}  // namespace deformbench::harness
