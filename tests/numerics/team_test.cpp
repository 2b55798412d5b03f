// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace deformbench::numerics {
namespace {

constexpr int kRounds = 2000;

class BarrierOf : public testing::TestWithParam<int> {};

TEST_P(BarrierOf, TellsEveryThreadTheSameSumOfItsRound) {
  const int threads = GetParam();
  Barrier barrier(threads);
  std::vector<int> wrong(std::size_t(threads), 0);
  run_team(threads, [&](int thread) {
    for (int round = 1; round <= kRounds; ++round) {
      const auto [sum, tenths] = barrier.sum<2>(thread, {double(round * (thread + 1)), 0.1 * (thread + 1)});
      double in_order = 0.0;  // 0.1 + 0.2 + 0.3 + … depends on the order
      for (int t = 0; t < threads; ++t) in_order += 0.1 * (t + 1);
      if (sum != round * threads * (threads + 1) / 2.0 || tenths != in_order) ++wrong[std::size_t(thread)];
    }
  });
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

TEST_P(BarrierOf, LetsNobodyPassBeforeAllHaveArrived) {
  const int threads = GetParam();
  Barrier barrier(threads);
  std::atomic<int> arrivals{0};
  std::vector<int> early(std::size_t(threads), 0);
  std::vector<double> after(std::size_t(threads), 0.0);
  run_team(threads, [&](int thread) {
    for (int round = 1; round <= kRounds; ++round) {
      ++arrivals;
      barrier.arrive<1>(thread, {1.0});
      after[std::size_t(thread)] += round;  // what needs nothing of the others
      if (barrier.wait<1>(thread)[0] != threads || arrivals < threads * round) ++early[std::size_t(thread)];
    }
  });
  for (const int count : early) EXPECT_EQ(count, 0);
  EXPECT_EQ(arrivals, threads * kRounds);
}

INSTANTIATE_TEST_SUITE_P(Threads, BarrierOf, testing::Values(1, 2, 3, 5), testing::PrintToStringParamName());

}  // namespace
}  // namespace deformbench::numerics
