// SPDX-License-Identifier: BSD-3-Clause
// One simulation in a child process of its own, stepped on request: so every row of a benchmark has its own heap,
// caches and peak memory, and no row warms up another.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <vector>

#include "methods/method.hpp"

namespace deformbench::benchmarks {

/// What the child measured in one step.
struct StepSample {
  double seconds = 0.0;
  double residual = 0.0;
  double rotation_seconds = 0.0;
  double assembly_seconds = 0.0;
  double solve_seconds = 0.0;
  double peak_rss_mb = 0.0;   ///< of the child so far, set-up included
  bool finite = true;
};

class StepProcess {
 public:
  /// Forks; the child calls `create`, takes `warmup_steps`, then waits. Throws std::runtime_error when it dies.
  StepProcess(const std::function<std::unique_ptr<Simulation>()>& create, int warmup_steps);
  ~StepProcess();
  StepProcess(const StepProcess&) = delete;
  StepProcess& operator=(const StepProcess&) = delete;

  /// One step in the child, timed there by a steady clock.
  StepSample step();

 private:
  pid_t child_ = -1;
  int request_ = -1;
  int reply_ = -1;
};

}  // namespace deformbench::benchmarks
