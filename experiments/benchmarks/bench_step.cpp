// SPDX-License-Identifier: BSD-3-Clause
// Whole time steps of every method on the bar of Figure 7, the naive version in the same run.
// Names: step/<method>/<precision>/<threads>/<tets>[/stiff]; stiff is E = 10⁷ Pa instead of 10⁵.
// The setting is the paper's: Δt = 0.01 s, exactly 20 plain CG iterations from v_n ([MG04] §7).
//
// Sample run: bench_step --benchmark_filter='/4320$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <map>
#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/step_process.hpp"
#include "experiments/harness/scenes.hpp"
#include "methods/registry.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string method, precision;
  int threads = 1;
  int cells_across = 2;  ///< n: the bar has 4n × n × n cubes of five tetrahedra
  bool stiff = false;

  long long tets() const { return 20LL * cells_across * cells_across * cells_across; }
  std::string name() const {
    return fmt::format("step/{}/{}/{}/{}{}", method, precision, threads, tets(), stiff ? "/stiff" : "");
  }
};

constexpr int kWarmupSteps = 20;

std::unique_ptr<Simulation> create(const Row& row) {
  const harness::SceneRegistry scenes = harness::builtin_scenes();
  const harness::SceneDescriptor& bar = scenes.at("bar");
  const Parameters size(bar.parameters,
                        {{"cells_across", static_cast<long long>(row.cells_across)},
                         {"young_modulus_pa", row.stiff ? 1e7 : 1e5}},
                        "scene 'bar'");
  const Scene scene = bar.build(size);
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(row.method);
  std::map<std::string, ParameterValue> set = {{"cg_iterations", 20LL}};
  if (row.method != "naive_eigen")
    set.insert({{"cg_preconditioner", std::string("none")},
                {"cg_start", std::string("velocity")},
                {"precision", row.precision}});
  return method.create(scene, Parameters(method.parameters, set, row.method), RunContext{1, row.threads, true});
}

/// The child of the row that ran last: Google Benchmark calls a row several times with growing counts.
StepProcess& process_of(const Row& row) {
  static std::string current;
  static std::unique_ptr<StepProcess> process;
  if (current != row.name()) {
    process.reset();
    process = std::make_unique<StepProcess>([row] { return create(row); }, kWarmupSteps);
    current = row.name();
  }
  return *process;
}

void step(benchmark::State& state, const Row& row) {
  StepSample sum, last;
  try {
    StepProcess& process = process_of(row);
    for (auto _ : state) {
      last = process.step();
      state.SetIterationTime(last.seconds);
      sum.rotation_seconds += last.rotation_seconds;
      sum.assembly_seconds += last.assembly_seconds;
      sum.solve_seconds += last.solve_seconds;
    }
  } catch (const std::runtime_error& error) {
    state.SkipWithError(error.what());
    return;
  }
  if (!last.finite) state.SkipWithError("diverged");
  const auto mean_ms = [](double seconds) {
    return benchmark::Counter(1e3 * seconds, benchmark::Counter::kAvgIterations);
  };
  state.counters["rotation_ms"] = mean_ms(sum.rotation_seconds);
  state.counters["assembly_ms"] = mean_ms(sum.assembly_seconds);
  state.counters["solve_ms"] = mean_ms(sum.solve_seconds);
  state.counters["residual"] = last.residual;
  state.counters["peak_rss_mb"] = last.peak_rss_mb;
  state.counters["tets"] = static_cast<double>(row.tets());
}

void add(const Row& row) {
  benchmark::RegisterBenchmark(row.name().c_str(), [row](benchmark::State& state) { step(state, row); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_rows() {
  for (const bool stiff : {false, true})
    for (const int cells : {2, 3, 4, 5, 6, 7, 10, 17, 24, 37}) {
      add({"naive_eigen", "double", 1, cells, stiff});
      for (const char* method : {"linear_fem", "warped_fem"})
        for (const char* precision : {"double", "float"})
          for (const int threads : {1, 2}) add({method, precision, threads, cells, stiff});
    }
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  deformbench::benchmarks::register_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
