// SPDX-License-Identifier: BSD-3-Clause
// Clock of the time limits: wall clock, slowed down on a busy or slow machine.
#pragma once

#include <chrono>

namespace deformbench::harness {

/// Time limit of a cell. Declared limits allow for slow and busy machines; a limit from the command line is wall
/// clock.
struct TimeLimit {
  double seconds = 0.0;
  bool is_wall_clock = false;
};

/// Share of a processor per runnable process, at most 1.
double processor_share(long long runnable, int cores);

/// Time of a fixed computation relative to the reference machine of the declared limits; at least 1. Measured once,
/// some 50 ms.
double slowness();

/// Measures whether a limit is exceeded. Each interval between two calls is weighted by the processor share and
/// counts at most one second, so a stopped supervisor uses up no cell's time.
class LimitClock {
 public:
  explicit LimitClock(TimeLimit limit);
  bool exceeded();

 private:
  using Clock = std::chrono::steady_clock;
  TimeLimit limit_;
  Clock::time_point last_;
  double used_ = 0.0;  ///< s
};

}  // namespace deformbench::harness
