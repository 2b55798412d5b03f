// SPDX-License-Identifier: BSD-3-Clause
// Clock for time limits: wall clock, slowed down on a busy or slow machine.
#pragma once

#include <chrono>

namespace deformbench::harness {

/// Time limit of a cell. Declared limits allow for slow and busy machines; a limit from the command line is wall
/// clock.
struct TimeLimit {
  double seconds = 0.0;
  bool is_wall_clock = false;
};

/// Processors per runnable process, in [1/50, 1].
double processor_share(long long runnable, int cores);

/// Run time of a fixed computation relative to the reference machine, at least 1. Measured once, in about 50 ms.
double slowness();

/// Checks a limit. If it is declared, each interval between calls is weighted by processor_share() and counts at most
/// 1 s, so stopping the supervisor costs at most 1 s.
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
