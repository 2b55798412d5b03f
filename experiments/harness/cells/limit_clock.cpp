// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/limit_clock.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace deformbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

/// Time of `computation` on the reference machine of the declared limits (GCC 12, -O1, AVX-512).
constexpr double kReferenceSeconds = 4.6e-3;
constexpr double kSmallestShare = 1.0 / 50;  ///< so that a hanging cell ends on any machine

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// Sweeps over a chain that fits into the cache: dependent additions and multiplications, as in solvers.
double computation() {
  std::array<double, 2048> values;
  values.fill(1.0);
  for (int sweep = 0; sweep < 400; ++sweep)
    for (std::size_t i = 1; i < values.size(); ++i) values[i] += 0.25 * (values[i - 1] - values[i]) + 1e-3;
  return values.back();
}

/// Other processes that run or wait for a processor; 0 without /proc.
long long other_runnable_processes() {
  std::ifstream file("/proc/loadavg");
  std::string average;
  long long running = 0;
  file >> average >> average >> average >> running;
  return file ? running - 1 : 0;
}

int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : int(std::thread::hardware_concurrency());
}

}  // namespace

double processor_share(long long runnable, int cores) {
  return std::max(kSmallestShare, double(cores) / double(std::max<long long>(runnable, cores)));
}

double slowness() {
  static const double measured = [] {
    double best = std::numeric_limits<double>::infinity();  // minimum of several runs
    for (int k = 0; k < 10; ++k) {
      const auto begin = Clock::now();
      volatile double keep = computation();
      static_cast<void>(keep);
      best = std::min(best, seconds_between(begin, Clock::now()));
    }
    return std::max(1.0, best / kReferenceSeconds);
  }();
  return measured;
}

LimitClock::LimitClock(TimeLimit limit) : limit_(limit), last_(Clock::now()) {}

bool LimitClock::exceeded() {
  const auto now = Clock::now();
  const double passed = seconds_between(last_, now);
  last_ = now;
  if (limit_.is_wall_clock) {
    used_ += passed;
    return used_ > limit_.seconds;
  }
  used_ += std::min(passed, 1.0) * processor_share(other_runnable_processes(), processors());
  return used_ > limit_.seconds && used_ > limit_.seconds * slowness();
}

}  // namespace deformbench::harness
