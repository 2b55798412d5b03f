// SPDX-License-Identifier: BSD-3-Clause
// A child process that does the work of a test, to die of it or to be killed.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace deformbench::harness::testing {

/// Runs `work` in a child; its return value is the exit code, 99 when it throws.
template <typename Work>
pid_t start_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (...) {
    }
    _exit(code);
  }
  return child;
}

/// The status of waitpid.
inline int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace deformbench::harness::testing
