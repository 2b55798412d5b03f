// SPDX-License-Identifier: BSD-3-Clause
// Runs this executable as a child of the supervisor, with input on stdin; keeps stdout and the last line of stderr.
// The child dies with its parent, its descendants with the child.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "experiments/harness/cells/limit_clock.hpp"

namespace deformbench::harness {

struct ChildEnd {
  bool timed_out = false;
  int exit_code = -1;  ///< −1 when a signal ended it
  int signal = 0;
  double seconds = 0.0;               ///< wall time
  double processor_seconds = 0.0;     ///< user and system, including waited-for children
  std::string output;                 ///< stdout
  std::string last_words;             ///< last non-empty line of stderr
  std::vector<std::string> warnings;  ///< "warning: …" lines in stderr's last 4 KiB
  bool ok() const { return !timed_out && exit_code == 0; }
  /// "killed by SIGSEGV (Segmentation fault)", "ended with exit code 3: …", "exceeded its time limit of 2 s"
  std::string description(double time_limit_s) const;
};

class ChildProcess {
 public:
  /// Starts /proc/self/exe with `arguments`; `threads` goes into OMP_NUM_THREADS. InputError if no process can be
  /// created.
  ChildProcess(const std::vector<std::string>& arguments, const std::string& input, int threads, TimeLimit limit);
  ChildProcess(ChildProcess&&) = default;
  ChildProcess& operator=(ChildProcess&&) = default;
  ~ChildProcess();  ///< kills a child that still runs

  pid_t pid() const { return pid_.value; }
  /// True if it has ended (then end() is valid); else kills it if its time is up.
  bool poll();
  const ChildEnd& end() const { return end_; }

 private:
  struct Pid {  // moves keep one owner, which alone kills it
    pid_t value = 0;
    Pid() = default;
    Pid(Pid&& other) noexcept : value(other.value) { other.value = 0; }
    Pid& operator=(Pid&& other) noexcept {
      std::swap(value, other.value);
      return *this;
    }
  };
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  void reap(int status, const rusage& usage);

  Pid pid_;
  File output_, errors_;
  std::chrono::steady_clock::time_point start_;
  LimitClock limit_;
  bool was_killed_ = false;
  ChildEnd end_;
};

/// Waits until a child of this process may have ended, or `milliseconds` have passed.
void wait_for_children(int milliseconds);

}  // namespace deformbench::harness
