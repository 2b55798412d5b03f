// SPDX-License-Identifier: BSD-3-Clause
// Identity of the process that writes a file, and whether it is alive: robust to restarts, reused pids, containers
// (separate pid namespaces) and machines that share a folder.
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
  std::int64_t start_ticks = 0;    ///< start, clock ticks since boot; detects reused pids
  std::int64_t pid_namespace = 0;  ///< namespace of `pid`, e.g. a container's; 0 if unknown
};

WriterIdentity this_process();

/// Result of a non-blocking flock(2).
enum class FileLock { Taken, HeldByAnother, NotAvailable /* the file system has no such locks */ };
FileLock take_lock(int descriptor, int operation);

/// True if the writer of the open file is certainly gone. Same boot id: its process has ended (or is a zombie) or, in
/// another pid namespace, the flock that every living writer holds is free. Another boot id: the host is the same
/// (restarted) or the file system is local to one kernel. `lock` is the result of the
/// caller's own attempt to lock the file, if any.
bool is_gone(const WriterIdentity& writer, int descriptor, std::optional<FileLock> lock = std::nullopt);

/// "<boot>.<pid>.<start>.<namespace>": suffix of temporary file names.
std::string name_ending(const WriterIdentity& writer);
/// Inverse of name_ending(); the host stays empty.
std::optional<WriterIdentity> writer_of_name_ending(std::string_view ending);

}  // namespace deformbench::harness
