// SPDX-License-Identifier: BSD-3-Clause
// One child process of the supervisor: this executable with its input on stdin; keeps its output and the last line of
// stderr. It dies with its parent, and its descendants die with it.
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
  std::string last_words;             ///< last line of stderr that is not empty
  std::vector<std::string> warnings;  ///< lines of stderr that begin with "warning: "
  bool ok() const { return !timed_out && exit_code == 0; }
  /// "killed by SIGSEGV (Segmentation fault)", "exit code 3: <last words>", "exceeded its time limit of 2 s"
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
  /// True if it has ended (then end() is valid); kills it first if its time is over.
  bool poll();
  const ChildEnd& end() const { return end_; }

 private:
  struct Pid {  // 0 after a move, so that only the owner kills
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
