// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/contained.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <system_error>

#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_writer.hpp"

namespace deformbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBytesPerSecond = 2e5;  // of a file; compressed data may be large
constexpr double kLeastSeconds = 3.0;
constexpr double kWallSecondsPerSecond = 10.0;  // allows for a busy machine
constexpr rlim_t kLeastMemory = rlim_t{4} << 30;
constexpr rlim_t kMemoryPerByte = 256;  // of a file; allows for several decompressed arrays

/// First character of a child's message.
enum Outcome : char { kDone = 'D', kBadInput = 'I', kWriteError = 'W', kOther = 'O' };

std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

/// HDF5 hangs consume processor time.
void limit_time(double seconds) {
  const auto whole = rlim_t(std::ceil(seconds));
  const rlimit limit{whole, whole + 1};
  setrlimit(RLIMIT_CPU, &limit);
}

/// A bogus size in a damaged file becomes a failed allocation instead of exhausting the machine's memory.
void limit_memory(std::uintmax_t file_bytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers reserve more than any limit
  const rlim_t memory = rlim_t(sysconf(_SC_PHYS_PAGES)) * rlim_t(sysconf(_SC_PAGESIZE));
  const rlim_t wanted = kLeastMemory + kMemoryPerByte * std::min<rlim_t>(file_bytes, memory / kMemoryPerByte);
  const rlimit limit{std::min(memory, wanted), std::min(memory, wanted)};
  setrlimit(RLIMIT_AS, &limit);
#else
  static_cast<void>(file_bytes);
#endif
}

std::string outcome_of(const std::function<std::string()>& work) {
  try {
    return char(kDone) + work();
  } catch (const InputError& error) {
    return char(kBadInput) + std::string(error.what());
  } catch (const TraceWriteError& error) {
    return char(kWriteError) + std::string(error.what());
  } catch (const std::bad_alloc&) {
    return char(kOther) + std::string("claims to hold more than memory can");
  } catch (const std::length_error&) {
    return char(kOther) + std::string("claims to hold more than memory can");
  } catch (const std::exception& error) {
    return char(kOther) + std::string("cannot be read: ") + error.what();
  }
}

struct Limits {
  std::uintmax_t file_bytes = 0;
  double processor_seconds = 0.0, wall_seconds = 0.0;
};

[[noreturn]] void be_child(int to_parent, pid_t parent, const Limits& limits,
                           const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    dup2(null, STDERR_FILENO);  // silences malloc's messages
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU}) signal(number, SIG_DFL);
  limit_time(limits.processor_seconds);
  limit_memory(limits.file_bytes);
  std::string text;
  try {
    text = outcome_of(work);
  } catch (...) {  // no memory even for the message
    _exit(1);
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(to_parent, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) _exit(1);
    sent += std::size_t(count);
  }
  _exit(0);  // must flush neither HDF5 nor the parent's stream buffers
}

/// Reads the child's output until it ends; true if it ended in time.
bool read_all(int from_child, double seconds, std::string& text) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::array<char, 8192> block;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ready{from_child, POLLIN, 0};
    const int found = poll(&ready, 1, int(std::min<long long>(left, 1'000'000)));
    if (found < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
    if (found <= 0) continue;
    const ssize_t count = read(from_child, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(block.data(), std::size_t(count));
  }
}

/// Reads everything readable. Objects are identified by address: a damaged group may contain itself.
void read_through(hid_t file, const std::string& path, std::set<haddr_t>& seen) {
  const auto attempt = [](auto&& work) {
    try {
      work();
    } catch (const h5::Error&) {  // reported when the object is needed
    }
  };
  const h5::Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object) return;
  bool is_new = true;
  attempt([&] { is_new = seen.insert(h5::address_of(object.get())).second; });
  if (!is_new) return;
  std::vector<std::string> attributes;
  attempt([&] { attributes = h5::attribute_names(object.get()); });
  for (const std::string& name : attributes) attempt([&] { h5::read_attribute(object.get(), name); });
  if (H5Iget_type(object.get()) == H5I_DATASET) {
    if (!h5::keeps_own_values(object.get())) return;
    attempt([&] {
      switch (h5::info(object.get()).kind) {
        case h5::ElementKind::Text:
          h5::read_strings(object.get());
          break;
        case h5::ElementKind::Integer:
          h5::read_integers(object.get());
          break;
        case h5::ElementKind::Real:
          h5::read_real(object.get());
          break;
        case h5::ElementKind::Other:
          break;
      }
    });
  } else {
    std::vector<std::string> children;
    attempt([&] { children = h5::children(file, path); });
    for (const std::string& name : children) read_through(file, (path == "/" ? path : path + "/") + name, seen);
  }
}

}  // namespace

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : std::to_string(signal);
}

HarmfulFile::HarmfulFile(const std::filesystem::path& file, std::string reason)
    : InputError(fmt::format("{}: {}; expected an undamaged HDF5 file", file.string(), reason)),
      why(std::move(reason)) {}

std::string contained(const std::filesystem::path& file, const std::function<std::string()>& work, double seconds,
                      const HarmWords& words) {
  Limits limits;
  limits.file_bytes = size_of(file);
  limits.processor_seconds = seconds > 0 ? seconds : kLeastSeconds + double(limits.file_bytes) / kBytesPerSecond;
  limits.wall_seconds = kWallSecondsPerSecond * limits.processor_seconds;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t parent = getpid(), child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw std::system_error(error, std::generic_category(), "fork");
  }
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], parent, limits, work);
  }
  close(ends[1]);
  std::string text;
  const bool in_time = read_all(ends[0], limits.wall_seconds, text);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const auto refuse = [&](const std::string& why) { throw HarmfulFile(file, why); };
  if (!in_time) refuse(fmt::format("{} longer than {:.4g} s", words.takes, limits.wall_seconds));
  const bool is_over = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  if (is_over) refuse(fmt::format("{} more than {:.4g} s of processor time", words.takes, limits.processor_seconds));
  if (WIFSIGNALED(status)) refuse(fmt::format("{} (signal {})", words.crashes, signal_name(WTERMSIG(status))));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty()) refuse(words.ends);
  switch (text.front()) {
    case kDone:
      return text.substr(1);
    case kBadInput:
      throw InputError(text.substr(1));
    case kWriteError:
      throw TraceWriteError(text.substr(1));
    default:
      break;
  }
  refuse(text.substr(1));
  return {};
}

void require_harmless(const std::filesystem::path& file) {
  require_intact(file);
  if (carries_digest(file)) return;
  contained(file, [&]() -> std::string {
    try {
      const h5::Handle handle = h5::open_file(file);
      std::set<haddr_t> seen;
      read_through(handle.get(), "/", seen);
    } catch (const h5::Error&) {
    }
    return {};
  });
}

}  // namespace deformbench::harness
