// SPDX-License-Identifier: BSD-3-Clause
// Which process writes a file, and whether it still lives: across restarts, reused process numbers, containers (whose
// processes have numbers of their own) and machines that share a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace deformbench::harness {

struct WriterIdentity {
  std::string host, boot;  ///< boot: the kernel's boot id, so that a restart is noticed
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;    ///< start of the process since boot: a reused pid is another process
  std::int64_t pid_namespace = 0;  ///< in which `pid` counts, a container's for example; 0 if not known
};

WriterIdentity this_process();

/// flock(2) of an open file, without waiting.
enum class FileLock { Taken, HeldByAnother, NotAvailable /* the file system has no such locks */ };
FileLock take_lock(int descriptor, int operation);

/// True when the process that had the open file in work is certainly gone. By the boot id first, then the host:
/// of the same kernel the process is looked up (a zombie has ended), or, if it counted in another container, the flock
/// that every living writer has on its file is asked for; of another kernel it is gone if the host is the same
/// (restarted), or if the file system is one that a single kernel has. `lock` is the lock that the caller already has,
/// or tried to get, on the file.
bool is_gone(const WriterIdentity& writer, int descriptor, std::optional<FileLock> lock = std::nullopt);

/// "<boot>.<pid>.<start>.<namespace>": end of the name of a file that nobody but its writer looks for.
std::string name_ending(const WriterIdentity& writer);
/// Reads it; the host stays empty.
std::optional<WriterIdentity> writer_of_name_ending(std::string_view ending);

}  // namespace deformbench::harness
