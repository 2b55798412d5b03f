// SPDX-License-Identifier: BSD-3-Clause
// The clock that time limits are measured by: wall clock, slowed down while the machine is busy or slow.
#pragma once

#include <chrono>

namespace deformbench::harness {

/// How long a cell may take. Declared limits allow for slow and busy machines; one of the command line is wall clock.
struct TimeLimit {
  double seconds = 0.0;
  bool is_wall_clock = false;
};

/// Fraction of a processor that each of `runnable` processes gets on `cores` processors, at most 1.
double processor_share(long long runnable, int cores);

/// Time that this machine and build take for a fixed computation, relative to the machine on which the limits of the
/// declarations were chosen; at least 1. Measured once, some 50 ms.
double slowness();

/// Measures whether a limit is exceeded. Each interval between two calls counts by the share of a processor that a
/// process gets then, and no interval counts as more than a second: a stopped supervisor uses up no cell's time.
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
