// SPDX-License-Identifier: BSD-3-Clause
// A foreign program under a guard: a process of its own that starts it and, when the program or whoever asked for it
// has ended, kills everything that the program has started, processes that have left their parent included.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace deformbench::harness {

/// How a program ended.
struct ProgramEnd {
  int exit_code = -1;  ///< −1 when a signal ended it
  int signal = 0;
  std::string text() const;  ///< "it ended with exit code 3", "it was killed by SIGSEGV"
};

class ProgramGuard {
 public:
  /// Descriptors that the program gets: standard output and error are `output`, 3 and 4 the two others.
  struct Descriptors {
    int questions, answers, output;
  };
  /// InputError ("cannot be started (…)") naming the first word.
  ProgramGuard(std::vector<std::string> words, const Descriptors& descriptors);
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;
  ~ProgramGuard();  ///< kills what is left of the program and of what it started, and waits for it

  /// How the program ended, if it has, or does within `milliseconds`.
  std::optional<ProgramEnd> end(int milliseconds);

 private:
  void finish();

  pid_t guard_ = 0;
  int life_ = -1;  ///< the guard sees the end of this process here
  int told_ = -1;  ///< where the guard tells how the program ended
  std::optional<ProgramEnd> end_;
};

}  // namespace deformbench::harness
