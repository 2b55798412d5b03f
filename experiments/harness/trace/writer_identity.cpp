// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/writer_identity.hpp"

#include <fmt/format.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <regex>
#include <sstream>

namespace deformbench::harness {
namespace {

constexpr const char* kUnknownBoot = "unknown";

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.empty() ? kUnknownBoot : id;
}

/// The number in "pid:[4026531836]".
std::int64_t own_pid_namespace() {
  std::error_code error;
  const std::string name = std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  const auto bracket = name.find('[');
  return error || bracket == std::string::npos ? 0 : std::atoll(name.c_str() + bracket + 1);
}

/// Fields 3 and 22 of /proc/<pid>/stat.
struct ProcessState {
  char state = '?';
  std::int64_t start_ticks = 0;
};

std::optional<ProcessState> state_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name may contain blanks
  ProcessState found;
  fields >> found.state;
  std::string field;
  for (int i = 4; i <= 22; ++i) fields >> field;
  if (fields) found.start_ticks = std::atoll(field.c_str());
  return found;
}

bool lives(std::int64_t pid, std::int64_t start_ticks) {
  if (kill(pid_t(pid), 0) != 0 && errno == ESRCH) return false;
  const auto now = state_of(pid);
  if (!now) return true;  // /proc may hide it
  // A zombie has ended; its parent has not waited for it yet.
  if (now->state == 'Z' || now->state == 'X' || now->state == 'x') return false;
  return now->start_ticks == 0 || start_ticks == 0 || now->start_ticks == start_ticks;
}

/// Local file systems, written by one kernel only.
bool belongs_to_one_kernel(int descriptor) {
  constexpr std::array<unsigned long, 8> kLocal{EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
                                                TMPFS_MAGIC,      RAMFS_MAGIC,     OVERLAYFS_SUPER_MAGIC,
                                                F2FS_SUPER_MAGIC, 0x2fc12fc1 /* ZFS, not in the kernel's headers */};
  struct statfs about {};
  if (fstatfs(descriptor, &about) != 0) return false;
  return std::find(kLocal.begin(), kLocal.end(), static_cast<unsigned long>(about.f_type)) != kLocal.end();
}

}  // namespace

WriterIdentity this_process() {
  const auto own = state_of(getpid());
  return {host_name(), boot_id(), getpid(), own ? own->start_ticks : 0, own_pid_namespace()};
}

FileLock take_lock(int descriptor, int operation) {
  if (flock(descriptor, operation | LOCK_NB) == 0) return FileLock::Taken;
  return errno == EWOULDBLOCK ? FileLock::HeldByAnother : FileLock::NotAvailable;
}

bool is_gone(const WriterIdentity& writer, int descriptor, std::optional<FileLock> lock) {
  const WriterIdentity here = this_process();
  const bool same_host = writer.host == here.host;
  const bool same_kernel = writer.boot == here.boot && (here.boot != kUnknownBoot || same_host);
  if (!same_kernel) return same_host || belongs_to_one_kernel(descriptor);
  const bool known = writer.pid_namespace != 0 && here.pid_namespace != 0;
  if (known ? writer.pid_namespace == here.pid_namespace : same_host) return !lives(writer.pid, writer.start_ticks);
  if (!lock) lock = take_lock(descriptor, LOCK_SH);
  return *lock == FileLock::Taken;
}

std::string name_ending(const WriterIdentity& writer) {
  return fmt::format("{}.{}.{}.{}", writer.boot, writer.pid, writer.start_ticks, writer.pid_namespace);
}

std::optional<WriterIdentity> writer_of_name_ending(std::string_view ending) {
  static const std::regex pattern(R"(([0-9a-z-]+)\.(\d{1,10})\.(\d{1,18})\.(\d{1,18}))");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(ending.begin(), ending.end(), found, pattern)) return std::nullopt;
  return WriterIdentity{"", found[1].str(), std::stoll(found[2].str()), std::stoll(found[3].str()),
                        std::stoll(found[4].str())};
}

}  // namespace deformbench::harness
