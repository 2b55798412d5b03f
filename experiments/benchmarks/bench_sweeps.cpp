// SPDX-License-Identifier: BSD-3-Clause
// Steps of vertex block descent (vbd) and compliant constraints (xpbd) on the bar of Figure 7 of [MG04], 50 sweeps
// each: in SIMD lanes, and the plain loop in the same order, which gives the same positions within rounding. Names:
// sweeps/<method>/<execution>/<law or solve>/<order>/<threads>/<tets>. Counters: ns_per_tet_and_sweep, of processor
// time, with a fiftieth of what a step costs beside its sweeps; gradient, ‖∂Φ‖ after the step over that before the
// first sweep.
//
// Sample run: bench_sweeps --benchmark_filter='/20000$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/bar_rows.hpp"
#include "methods/facets.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string method, execution, variant, order;
  int threads = 1;
  int cells_across = 10;  ///< n: the bar has 4n × n × n cubes of five tetrahedra

  long long tets() const { return tets_of(cells_across); }
  /// Pa. Linearised projections oscillate where a shear wave crosses more than a tetrahedron in a step.
  double young() const { return method == "xpbd" && variant != "newton" ? 1e3 : 1e5; }
  std::string name() const {
    return fmt::format("sweeps/{}/{}/{}/{}/{}/{}", method, execution, variant, order, threads, tets());
  }
};

constexpr long long kSweeps = 50;
constexpr int kWarmupSteps = 5;

std::unique_ptr<Simulation> simulation_of(const Row& row) {
  Settings set = {{"execution", row.execution}, {"order", row.order}, {"iterations", kSweeps}};
  if (row.method == "vbd")
    set["law"] = row.variant;
  else
    set.insert({{"solid_solve", row.variant}, {"substeps", 1LL}});
  const Scene scene =
      bar_scene({{"cells_across", static_cast<long long>(row.cells_across)}, {"young_modulus_pa", row.young()}});
  return create(row.method, scene, set, RunContext{1, row.threads, false});
}

/// ‖∂Φ‖ after the sweeps of one step over that before them.
double gradient_left(Simulation& simulation) {
  IterationLog log;
  auto& facet = dynamic_cast<IterationFacet&>(simulation);
  facet.watch_iterations(&log);
  log.begin_step();
  simulation.step();
  facet.watch_iterations(nullptr);
  return log.rows().back()[IterationQuantity::GradientNorm] / log.rows().front()[IterationQuantity::GradientNorm];
}

void step(benchmark::State& state, const Row& row) {
  Simulation& simulation = warmed_up(kWarmupSteps, [&] { return simulation_of(row); });
  StepReport report;
  for (auto _ : state) report = simulation.step();
  if (report.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  state.counters["ns_per_tet_and_sweep"] = nanoseconds_per(double(row.tets() * kSweeps));
  state.counters["gradient"] = gradient_left(simulation);
  state.counters["tets"] = double(row.tets());
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const int cells : {6, 10, 17, 37}) {
    const auto add = [&](const char* method, const char* plain, const char* lanes, const char* variant,
                         const char* order) {
      all.push_back({method, plain, variant, order, 1, cells});
      all.push_back({method, lanes, variant, order, 1, cells});
      if (std::string(order) == "coloured" || std::string(method) == "vbd")
        all.push_back({method, lanes, variant, order, 2, cells});
    };
    for (const char* law : {"stable_neo_hookean", "stable_neo_hookean_core", "st_venant_kirchhoff"})
      for (const char* order : {"index", "coloured"}) add("vbd", "plain", "lanes", law, order);
    for (const char* solve : {"newton", "coupled", "one_by_one"})
      for (const char* order : {"forward", "coloured"}) add("xpbd", "sequential", "scheduled", solve, order);
  }
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  return deformbench::benchmarks::run(argc, argv, deformbench::benchmarks::rows(), deformbench::benchmarks::step);
}
