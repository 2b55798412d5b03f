// SPDX-License-Identifier: BSD-3-Clause
// Runs every selected row of a benchmark program in its own process, so that rows share no heap, caches or peak
// memory, and merges the reports.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace deformbench::benchmarks {

struct BenchmarkRow {
  std::string name;
  std::function<void(benchmark::State&)> run;
};

/// Replaces benchmark::RunSpecifiedBenchmarks: registers the rows, with times in `unit`. Handles --benchmark_format
/// (console, json), --benchmark_out (always JSON), --benchmark_filter, --benchmark_list_tests; other flags go to
/// Google Benchmark. Returns 2 for an unknown flag, an empty selection or a failed write, else 0.
int run_rows_in_processes(int argc, char** argv, const std::vector<BenchmarkRow>& rows, benchmark::TimeUnit unit);

}  // namespace deformbench::benchmarks
