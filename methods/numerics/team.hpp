// SPDX-License-Identifier: BSD-3-Clause
// A few OpenMP threads that work on fixed ranges and meet at cheap barriers, so that the order of every sum, and so
// every bit of the result, depends on the number of threads alone.
#pragma once

#include <atomic>

namespace deformbench::numerics {

class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}
  void wait() {
    if (threads_ == 1) return;
    const int phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_ - 1) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      phase_.notify_all();
      return;
    }
    for (int spins = 0; spins < 2000; ++spins) {
      if (phase_.load(std::memory_order_acquire) != phase) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    phase_.wait(phase, std::memory_order_acquire);  // more threads than cores: sleep, let the others arrive
  }

 private:
  int threads_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<int> phase_{0};
};

/// Calls work(thread) on every thread of a team of `threads`.
template <class Work>
void run_team(int threads, Work&& work) {
  if (threads == 1) {
    work(0);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) work(thread);
}

}  // namespace deformbench::numerics
