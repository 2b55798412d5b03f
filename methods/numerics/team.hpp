// SPDX-License-Identifier: BSD-3-Clause
// A few threads with fixed ranges and a cheap barrier. The order of every sum, and so every bit of the result,
// depends on the number of threads alone.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace deformbench::numerics {

/// A barrier that also sums values over the threads of a team.
/// Each thread writes one cache line of its own, which the others read: moving a line between cores costs a hundred
/// nanoseconds or more, and a shared counter costs that several times per round.
class Barrier {
 public:
  static constexpr std::size_t kMostValues = 3;  ///< a slot fits one cache line
  explicit Barrier(int threads) : slots_(std::size_t(threads)) {}

  /// Work between `arrive` and `wait` must not depend on other threads.
  template <std::size_t N>
  void arrive(int thread, const std::array<double, N>& values) {
    static_assert(N <= kMostValues);
    Slot& slot = slots_[std::size_t(thread)];
    const unsigned round = slot.round.load(std::memory_order_relaxed) + 1;
    for (std::size_t n = 0; n < N; ++n) slot.values[round % 2][n] = values[n];
    slot.round.store(round, std::memory_order_release);
  }
  /// Returns when all have arrived. The sum is formed in the order of the threads: the same bits on every thread.
  template <std::size_t N>
  std::array<double, N> wait(int thread) const {
    const unsigned round = slots_[std::size_t(thread)].round.load(std::memory_order_relaxed);
    std::array<double, N> sum{};
    for (const Slot& slot : slots_) {
      for (int spins = 0; int(slot.round.load(std::memory_order_acquire) - round) < 0; ++spins) {
        if (spins > 2000) std::this_thread::yield();  // more threads than cores: let the others arrive
#if defined(__x86_64__)
        else
          __builtin_ia32_pause();
#endif
      }
      for (std::size_t n = 0; n < N; ++n) sum[n] += slot.values[round % 2][n];
    }
    return sum;
  }
  template <std::size_t N>
  std::array<double, N> sum(int thread, const std::array<double, N>& values) {
    arrive(thread, values);
    return wait<N>(thread);
  }
  void arrive_and_wait(int thread) {
    sum<0>(thread, {});
  }

 private:
  struct alignas(64) Slot {
    std::atomic<unsigned> round{0};
    double values[2][kMostValues];  ///< alternating: a late thread may still read the previous round's
  };
  std::vector<Slot> slots_;
};

/// Calls work(thread) on `threads` threads concurrently, so that they may wait for each other.
template <class Work>
void run_team(int threads, Work&& work) {
  if (threads == 1) {
    work(0);
    return;
  }
  bool was_complete = false;
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_num_threads() == threads) {
      work(omp_get_thread_num());
      if (omp_get_thread_num() == 0) was_complete = true;
    }
  }
#endif
  if (was_complete) return;
  std::vector<std::jthread> team;  // OMP_THREAD_LIMIT or OMP_DYNAMIC may limit OpenMP to fewer
  for (int thread = 1; thread < threads; ++thread) team.emplace_back([&work, thread] { work(thread); });
  work(0);
}

}  // namespace deformbench::numerics
