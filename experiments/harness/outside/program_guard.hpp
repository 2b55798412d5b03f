// SPDX-License-Identifier: BSD-3-Clause
// A guard process for an external program: starts it and, once the program or the caller has ended, kills all its
// descendants, including orphans.
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
  /// Descriptors of the program: `questions` 3, `answers` 4, `output` stdout and stderr.
  struct Descriptors {
    int questions, answers, output;
  };
  /// InputError ("cannot be started (…)") naming the first word.
  ProgramGuard(std::vector<std::string> words, const Descriptors& descriptors);
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;
  ~ProgramGuard();  ///< kills the program and its descendants, and waits for them

  /// How the program ended, if it ends within `milliseconds`.
  std::optional<ProgramEnd> end(int milliseconds);

 private:
  void finish();

  pid_t guard_ = 0;
  int life_ = -1;  ///< closes when this process ends; watched by the guard
  int told_ = -1;  ///< the guard reports the program's end here
  std::optional<ProgramEnd> end_;
};

}  // namespace deformbench::harness
