// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/part_creation.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr const char* kOurs = "deformbench-";  ///< prefix of every block
constexpr const char* kMagic = "deformbench-part 1";
constexpr const char* kFinished = "deformbench-trace 1 (an HDF5 file; its superblock is at byte 512)";
constexpr const char* kFinishing = "finishing";

/// The name identifies the writer: the file exists before its user block can be written.
std::string unpublished_name(const std::filesystem::path& part) {
  return fmt::format("{}.{}", part.string(), name_ending(this_process()));
}

PartLock own_lock() {
  return {this_process(), "running", ""};
}

std::string one_line(std::string text, std::size_t limit) {
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
  return text.substr(0, limit);
}

bool write_block(int descriptor, std::string text) {
  text.resize(kUserBlockBytes, '\0');
  return pwrite(descriptor, text.data(), text.size(), 0) == ssize_t(text.size());
}

std::string to_text(const PartLock& lock) {
  const std::string writer =
      fmt::format("host {}\nboot {}\npid {}\nstart_ticks {}\npid_namespace {}\n", one_line(lock.host, 64), lock.boot,
                  lock.pid, lock.start_ticks, lock.pid_namespace);
  if (lock.status == kFinishing) return fmt::format("{}\n{}", kFinished, writer);
  return fmt::format("{}\n{}status {}\nreason {}\n", kMagic, writer, lock.status, one_line(lock.reason, 240));
}

/// The lock in a user block; nothing if the block is not ours.
std::optional<PartLock> parse_block(const std::string& block) {
  if (!block.starts_with(kOurs)) return std::nullopt;
  const PartLock unreadable{{}, "unreadable", ""};
  std::istringstream lines(block.substr(0, block.find('\0')));
  std::string line;
  PartLock lock;
  if (!std::getline(lines, line) || (line != kMagic && line != kFinished)) return unreadable;
  if (line == kFinished) lock.status = kFinishing;
  while (std::getline(lines, line)) {
    const auto blank = line.find(' ');
    const std::string key = line.substr(0, blank), value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "host") lock.host = value;
    if (key == "boot") lock.boot = value;
    if (key == "pid") lock.pid = std::atoll(value.c_str());
    if (key == "start_ticks") lock.start_ticks = std::atoll(value.c_str());
    if (key == "pid_namespace") lock.pid_namespace = std::atoll(value.c_str());
    if (key == "status") lock.status = value;
    if (key == "reason") lock.reason = value;
  }
  return lock.pid > 0 ? lock : unreadable;
}

std::string read_block(int descriptor) {
  std::string block(kUserBlockBytes, '\0');
  const ssize_t count = pread(descriptor, block.data(), block.size(), 0);
  block.resize(count > 0 ? std::size_t(count) : 0);
  return block;
}

/// Whether `path` still names the open file.
bool names_file(const std::filesystem::path& path, int descriptor) {
  struct stat open_file {
  }, named{};
  return fstat(descriptor, &open_file) == 0 && stat(path.c_str(), &named) == 0 && open_file.st_dev == named.st_dev &&
         open_file.st_ino == named.st_ino;
}

/// True also if the file system has no such locks: then only the blocks decide.
bool lock_file(int descriptor, int operation) {
  return take_lock(descriptor, operation) != FileLock::HeldByAnother;
}

/// The open file, read-only if necessary; −1 if there is none.
class OpenPart {
 public:
  explicit OpenPart(const std::filesystem::path& part, int mode = O_RDONLY)
      : descriptor_(open(part.c_str(), mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {}
  ~OpenPart() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenPart(const OpenPart&) = delete;
  OpenPart& operator=(const OpenPart&) = delete;
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);  // unsupported by some file systems; the rename itself is done
  close(descriptor);
}

bool lock_is_stale(const PartLock& lock, int descriptor, std::optional<FileLock> taken = std::nullopt) {
  if (lock.pid == 0) return false;  // unreadable: may be being written
  if (lock.status != "running" && lock.status != kFinishing) return true;
  return is_gone(lock, descriptor, taken);
}

[[noreturn]] void throw_locked(const std::filesystem::path& part) {
  const OpenPart file(part);
  std::optional<PartLock> holder;
  if (file) holder = parse_block(read_block(file.get()));
  if (!holder) throw TraceLocked(part, {}, false);
  const bool stale = lock_is_stale(*holder, file.get());
  throw TraceLocked(part, std::move(*holder), stale);
}

std::string locked_message(const std::filesystem::path& part, const PartLock& holder, bool stale) {
  if (holder.pid == 0) return fmt::format("{}: exists and does not say who writes it", part.string());
  return fmt::format("{}: {} process {} on host {}", part.string(), stale ? "left behind by" : "being written by",
                     holder.pid, holder.host);
}

}  // namespace

TraceLocked::TraceLocked(const std::filesystem::path& part, PartLock who, bool is_stale)
    : std::runtime_error(locked_message(part, who, is_stale)), holder(std::move(who)), stale(is_stale) {}

std::filesystem::path part_path(const std::filesystem::path& final_path) {
  return final_path.string() + ".part";
}

namespace {
PartLock lock_in(const std::filesystem::path& part, const OpenPart& file) {
  if (!file) throw InputError(part.string() + ": cannot be read");
  std::optional<PartLock> lock = parse_block(read_block(file.get()));
  if (!lock)
    throw InputError(
        fmt::format("{}: is no trace being written (expected its first line to be '{}')", part.string(), kMagic));
  return std::move(*lock);
}
}  // namespace

PartLock read_part_lock(const std::filesystem::path& part) {
  return lock_in(part, OpenPart(part));
}

bool part_is_stale(const std::filesystem::path& part) {
  const OpenPart file(part);
  return lock_is_stale(lock_in(part, file), file.get());
}

// A stale part is removed under an exclusive flock of the file, after rechecking its block and name. Processes that
// find it stale at the same time get the lock one after the other; all but the first then see that the name is gone
// or belongs to the next writer. Only the lock holder and a living writer remove names.
bool remove_stale_part(const std::filesystem::path& part) {
  const OpenPart file(part, O_RDWR);
  if (!file) return false;
  const FileLock taken = take_lock(file.get(), LOCK_EX);
  if (taken == FileLock::HeldByAnother) return false;
  const std::optional<PartLock> lock = parse_block(read_block(file.get()));
  return (!lock || lock_is_stale(*lock, file.get(), taken)) && names_file(part, file.get()) &&
         unlink(part.c_str()) == 0;
}

int remove_litter(const std::filesystem::path& folder) {
  int removed = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool recovering = name.ends_with(kRecovering) || name.ends_with(part_path(kRecovering).string());
    std::optional<WriterIdentity> writer;
    for (const char* before : {".part.", kNewList})
      if (const auto at = name.rfind(before); at != std::string::npos)
        writer = writer_of_name_ending(std::string_view(name).substr(at + std::strlen(before)));
    if (!writer && !recovering) continue;
    const OpenPart file(entry.path(), O_RDWR);
    if (!file) continue;
    FileLock taken = take_lock(file.get(), LOCK_EX);
    if (taken == FileLock::HeldByAnother) continue;
    if (name.find(kNewList) != std::string::npos) taken = FileLock::NotAvailable;  // list writers take no lock
    if (!writer)
      if (auto lock = parse_block(read_block(file.get())); lock && lock->pid > 0) writer = *lock;
    if (writer && is_gone(*writer, file.get(), taken) && names_file(entry.path(), file.get()) &&
        unlink(entry.path().c_str()) == 0)
      ++removed;
  }
  return removed;
}

// Shared, because HDF5 itself takes a shared lock for reading.
HeldPart::HeldPart(const std::filesystem::path& part)
    : part_(part), descriptor_(open(part.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) descriptor_ = open(part.c_str(), O_RDONLY | O_CLOEXEC);  // read-only medium
  held_ = descriptor_ >= 0 && lock_file(descriptor_, LOCK_SH) && names_file(part, descriptor_);
}

HeldPart::~HeldPart() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool HeldPart::remove() {
  return held_ && lock_file(descriptor_, LOCK_EX) && names_file(part_, descriptor_) && unlink(part_.c_str()) == 0;
}

bool becomes_free(const std::filesystem::path& part, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!HeldPart(part).held()) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

PartFile create_part(const std::filesystem::path& final_path) {
  h5::initialise();
  PartFile result;
  result.final_path = final_path;
  result.part = part_path(final_path);
  if (final_path.has_parent_path()) std::filesystem::create_directories(final_path.parent_path());
  if (std::filesystem::exists(result.part)) throw_locked(result.part);  // common case, leaves no temporary file

  const std::string unpublished = unpublished_name(result.part);
  h5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose), access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_userblock(creation.get(), kUserBlockBytes);
  // Room for the names of the root group: a process that is killed while HDF5 moves them leaves none readable.
  H5Pset_local_heap_size_hint(creation.get(), 512);
  H5Pset_sym_k(creation.get(), 16, 8);  // half as many names as a node of a group has
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  result.file = {H5Fcreate(unpublished.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
  if (!result.file) {
    const std::string reason = h5::last_reason();
    unlink(unpublished.c_str());
    throw h5::Error(fmt::format("{}: cannot be created ({})", unpublished, reason));
  }
  // A duplicate of HDF5's descriptor shares its lock, which therefore survives when HDF5 closes the file.
  void* handle = nullptr;
  if (H5Fget_vfd_handle(result.file.get(), H5P_DEFAULT, &handle) >= 0 && handle != nullptr)
    result.descriptor = fcntl(*static_cast<int*>(handle), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (result.descriptor >= 0) lock_file(result.descriptor, LOCK_EX);  // HDF5 locking may be disabled
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
  if (error == EPERM || error == ENOTSUP || error == EMLINK)  // file system without hard links
    error = renameat2(AT_FDCWD, unpublished.c_str(), AT_FDCWD, part.part.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
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
  } catch (...) {  // out of memory while noting a failure, which is reported elsewhere
  }
}

void seal_part(PartFile& part, const std::function<void()>& check) {
  const hid_t file = part.file.release();
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fclose(file) < 0)
    throw h5::Error(fmt::format("{}: cannot be closed ({})", part.part.string(), h5::last_reason()));
  lock_file(part.descriptor, LOCK_SH);  // HDF5 may have released it, and takes a shared one for reading
  check();
  lock_file(part.descriptor, LOCK_EX);
  PartLock lock = own_lock();
  lock.status = kFinishing;
  if (!write_block(part.descriptor, sealed_block(part.descriptor, to_text(lock))) || fsync(part.descriptor) != 0)
    throw std::system_error(errno, std::generic_category(), part.part.string());
}

void name_part(PartFile& part) {
  if (!names_file(part.part, part.descriptor))
    throw std::system_error(ENOENT, std::generic_category(),
                            part.part.string() + ": removed or replaced by another process");
  std::filesystem::rename(part.part, part.final_path);
  close(std::exchange(part.descriptor, -1));
  sync_folder(part.final_path.parent_path());
}

void finish_part(PartFile& part, const std::function<void()>& check) {
  seal_part(part, check);
  name_part(part);
}

void write_whole_file(const std::filesystem::path& final_path, const std::function<void(hid_t file)>& fill) {
  PartFile part;
  bool published = false;
  const auto withdraw = [&] {
    part.file.release();  // closing after a failed write crashes HDF5 1.10
    if (published && part.descriptor >= 0 && names_file(part.part, part.descriptor))
      unlink(part.part.c_str());
    else if (!published && !part.part.empty())
      withdraw_part(part);
    if (part.descriptor >= 0) close(part.descriptor);
  };
  const auto give_up = [&](const std::string& reason) {
    withdraw();
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
  } catch (...) {  // locked by another process, or whatever `fill` throws
    withdraw();
    throw;
  }
}

}  // namespace deformbench::harness
