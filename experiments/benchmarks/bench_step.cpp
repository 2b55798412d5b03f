// SPDX-License-Identifier: BSD-3-Clause
// Whole time steps of every method on the bar of Figure 7, the naive version in the same run.
// Names: step/<method>/<precision>/<threads>/<tets>[/stiff]; stiff is E = 10⁷ Pa instead of 10⁵.
// The setting is the paper's: Δt = 0.01 s, exactly 20 plain CG iterations from v_n ([MG04] §7).
//
// Sample run: bench_step --benchmark_filter='/4320$' --benchmark_format=json
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <map>
#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/row_processes.hpp"
#include "experiments/harness/scenes.hpp"
#include "methods/facets.hpp"
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

/// The simulation of the one row of this process, after its warm-up: Google Benchmark calls a row several times with
/// growing counts.
Simulation& simulation_of(const Row& row) {
  static std::unique_ptr<Simulation> simulation;
  if (!simulation) {
    simulation = create(row);
    for (int k = 0; k < kWarmupSteps; ++k) simulation->step();
  }
  return *simulation;
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void step(benchmark::State& state, const Row& row) {
  Simulation& simulation = simulation_of(row);
  const auto* phases = dynamic_cast<const PhaseTimesFacet*>(&simulation);
  std::map<std::string, double> seconds = {{"rotation", 0.0}, {"assembly", 0.0}, {"solve", 0.0}};
  StepReport report;
  for (auto _ : state) {
    report = simulation.step();
    if (phases == nullptr) continue;
    for (std::size_t k = 0; k < phases->phase_names().size(); ++k)
      if (const auto found = seconds.find(phases->phase_names()[k]); found != seconds.end())
        found->second += phases->phase_seconds()[k];
  }
  if (report.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  for (const auto& [phase, total] : seconds)
    state.counters[phase + "_ms"] = benchmark::Counter(1e3 * total, benchmark::Counter::kAvgIterations);
  state.counters["residual"] = report.residual;
  state.counters["peak_rss_mb"] = peak_rss_mb();
  state.counters["tets"] = static_cast<double>(row.tets());
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const bool stiff : {false, true})
    for (const int cells : {2, 3, 4, 5, 6, 7, 10, 17, 24, 37}) {
      all.push_back({"naive_eigen", "double", 1, cells, stiff});
      for (const char* method : {"linear_fem", "warped_fem"})
        for (const char* precision : {"double", "float"})
          for (const int threads : {1, 2}) all.push_back({method, precision, threads, cells, stiff});
    }
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  std::vector<std::string> names;
  for (const Row& row : rows()) {
    names.push_back(row.name());
    benchmark::RegisterBenchmark(row.name().c_str(), [row](benchmark::State& state) { step(state, row); })
        ->Unit(benchmark::kMillisecond);
  }
  return run_rows_in_processes(argc, argv, names);
}
