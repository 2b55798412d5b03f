// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/part_creation.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr const char* kMagic = "deformbench-part 1";
constexpr const char* kFinished = "deformbench-trace 1 (an HDF5 file; its superblock is at byte 512)\n";

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.empty() ? "unknown" : id;
}

/// Field 22 of /proc/<pid>/stat; 0 if the process is not there (or this is no Linux).
std::int64_t start_ticks(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return 0;
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name may hold blanks
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  return fields ? std::stoll(field) : 0;
}

std::string unpublished_name(const std::filesystem::path& part) {
  return fmt::format("{}.{}", part.string(), getpid());
}

PartLock own_lock() {
  return {host_name(), boot_id(), getpid(), start_ticks(getpid()), "running", ""};
}

std::string one_line(std::string text, std::size_t limit) {
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
  return text.substr(0, limit);
}

bool write_block(int descriptor, std::string text) {
  text.resize(kUserBlockBytes, '\0');
  return pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

std::string to_text(const PartLock& lock) {
  return fmt::format("{}\nhost {}\nboot {}\npid {}\nstart_ticks {}\nstatus {}\nreason {}\n", kMagic,
                     one_line(lock.host, 64), lock.boot, lock.pid, lock.start_ticks, lock.status,
                     one_line(lock.reason, 240));
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);  // not every file system can; the rename itself has happened
  close(descriptor);
}

bool lock_is_stale(const PartLock& lock) {
  if (lock.status != "running") return true;
  if (lock.host != host_name()) return false;
  if (lock.boot != boot_id()) return true;
  if (kill(static_cast<pid_t>(lock.pid), 0) != 0 && errno == ESRCH) return true;
  const std::int64_t now = start_ticks(lock.pid);
  return now != 0 && lock.start_ticks != 0 && now != lock.start_ticks;
}

[[noreturn]] void throw_locked(const std::filesystem::path& part) {
  PartLock holder;
  try {
    holder = read_part_lock(part);
  } catch (const InputError&) {
    throw TraceLocked(part, {}, false);
  }
  const bool stale = lock_is_stale(holder);
  throw TraceLocked(part, std::move(holder), stale);
}

std::string locked_message(const std::filesystem::path& part, const PartLock& holder, bool stale) {
  if (holder.pid == 0) return fmt::format("{}: exists and does not say who writes it", part.string());
  return fmt::format("{}: {} process {} on host {}", part.string(),
                     stale ? "left behind by" : "being written by", holder.pid, holder.host);
}

}  // namespace

TraceLocked::TraceLocked(const std::filesystem::path& part, PartLock who, bool is_stale)
    : std::runtime_error(locked_message(part, who, is_stale)), holder(std::move(who)), stale(is_stale) {}

std::filesystem::path part_path(const std::filesystem::path& final_path) {
  return final_path.string() + ".part";
}

PartLock read_part_lock(const std::filesystem::path& part) {
  std::ifstream file(part, std::ios::binary);
  if (!file) throw InputError(part.string() + ": cannot be read");
  std::string block(kUserBlockBytes, '\0');
  file.read(block.data(), static_cast<std::streamsize>(block.size()));
  std::istringstream lines(block.substr(0, block.find('\0')));
  std::string line;
  if (!std::getline(lines, line) || line != kMagic)
    throw InputError(fmt::format("{}: is no trace being written (expected its first line to be '{}')",
                                 part.string(), kMagic));
  PartLock lock;
  while (std::getline(lines, line)) {
    const auto blank = line.find(' ');
    const std::string key = line.substr(0, blank),
                      value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "host") lock.host = value;
    if (key == "boot") lock.boot = value;
    if (key == "pid") lock.pid = std::atoll(value.c_str());
    if (key == "start_ticks") lock.start_ticks = std::atoll(value.c_str());
    if (key == "status") lock.status = value;
    if (key == "reason") lock.reason = value;
  }
  return lock;
}

bool part_is_stale(const std::filesystem::path& part) {
  return lock_is_stale(read_part_lock(part));
}

bool remove_stale_part(const std::filesystem::path& part) {
  if (!std::filesystem::exists(part) || !part_is_stale(part)) return false;
  return std::filesystem::remove(part);
}

PartFile create_part(const std::filesystem::path& final_path) {
  h5::initialise();
  PartFile result;
  result.final_path = final_path;
  result.part = part_path(final_path);
  if (final_path.has_parent_path()) std::filesystem::create_directories(final_path.parent_path());
  if (std::filesystem::exists(result.part)) throw_locked(result.part);  // the common case, without litter

  const std::string unpublished = unpublished_name(result.part);
  h5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose), access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_userblock(creation.get(), kUserBlockBytes);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  result.file = {H5Fcreate(unpublished.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
  if (!result.file)
    throw h5::Error(fmt::format("{}: cannot be created ({})", unpublished, h5::last_reason()));
  result.descriptor = open(unpublished.c_str(), O_RDWR | O_CLOEXEC);
  if (result.descriptor < 0 || !write_block(result.descriptor, to_text(own_lock()))) {
    const int error = errno;
    unlink(unpublished.c_str());
    throw std::system_error(error, std::generic_category(), unpublished);
  }
  return result;
}

void withdraw_part(PartFile& part) {
  unlink(unpublished_name(part.part).c_str());
}

void publish_part(PartFile& part) {
  const std::string unpublished = unpublished_name(part.part);
  int error = link(unpublished.c_str(), part.part.c_str()) == 0 ? 0 : errno;
#ifdef RENAME_NOREPLACE
  if (error == EPERM || error == ENOTSUP || error == EMLINK)  // a file system without hard links
    error = renameat2(AT_FDCWD, unpublished.c_str(), AT_FDCWD, part.part.c_str(), RENAME_NOREPLACE) == 0
                ? 0
                : errno;
#endif
  unlink(unpublished.c_str());
  if (error == EEXIST) throw_locked(part.part);
  if (error != 0) throw std::system_error(error, std::generic_category(), part.part.string());
}

void note_part_status(const PartFile& part, const std::string& status, const std::string& reason) noexcept {
  try {
    PartLock lock = own_lock();
    lock.status = status;
    lock.reason = reason;
    write_block(part.descriptor, to_text(lock));
  } catch (...) {  // out of memory while reporting a failure: the failure itself is reported elsewhere
  }
}

void finish_part(PartFile& part) {
  const hid_t file = part.file.release();
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fclose(file) < 0)
    throw h5::Error(fmt::format("{}: cannot be closed ({})", part.part.string(), h5::last_reason()));
  const bool synced = write_block(part.descriptor, kFinished) && fsync(part.descriptor) == 0;
  const int error = errno;
  close(std::exchange(part.descriptor, -1));
  if (!synced) throw std::system_error(error, std::generic_category(), part.part.string());
  std::filesystem::rename(part.part, part.final_path);
  sync_folder(part.final_path.parent_path());
}

void write_whole_file(const std::filesystem::path& final_path, const std::function<void(hid_t file)>& fill) {
  PartFile part;
  bool published = false;
  const auto give_up = [&](const std::string& reason) {
    part.file.release();  // closing after a failed write crashes HDF5 1.10
    if (part.descriptor >= 0) close(part.descriptor);
    if (published)
      std::filesystem::remove(part.part);
    else if (!part.part.empty())
      withdraw_part(part);
    throw TraceWriteError(fmt::format("{}: write error: {}", final_path.string(), reason));
  };
  try {
    part = create_part(final_path);
    fill(part.file.get());
    if (H5Fflush(part.file.get(), H5F_SCOPE_GLOBAL) < 0) h5::fail(part.file.get(), "/", "cannot be flushed");
    publish_part(part);
    published = true;
    finish_part(part);
  } catch (const h5::Error& error) {
    give_up(error.what());
  } catch (const std::system_error& error) {
    give_up(error.what());
  }
}

}  // namespace deformbench::harness
