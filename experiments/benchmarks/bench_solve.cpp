// SPDX-License-Identifier: BSD-3-Clause
// One linear solve per step of the bar of Figure 7 of [MG04] by each solver, on one system: warped stiffness, implicit
// Euler, Δt = 0.01 s. Names: solve/<solver>/<young in MPa>/<poisson>/<shape>/<threads>/<tets>. Solvers: naive and
// reuse, the Eigen baselines, and twenty: exactly 20 plain conjugate gradient iterations, the setting of the paper;
// none, jacobi, mass, multigrid: conjugate gradients until the residual is below 10⁻⁸, by preconditioner; direct: a
// sparse factorisation. Shapes: structured; irregular, vertices displaced and shuffled and four materials
// (hard_bars.hpp). Counters: solve_ms, of the linear solve alone, clock time; iterations and residual of the last
// solve; ns_per_tet of the whole step, processor time.
//
// Sample run: bench_solve --benchmark_filter='/10/0.33/structured/1/20000$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/bar_rows.hpp"
#include "experiments/benchmarks/hard_bars.hpp"
#include "methods/facets.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string solver;
  double young, poisson;  ///< Pa, 1
  std::string shape;
  int threads, cells_across;  ///< n: the bar has 4n × n × n cubes of five tetrahedra

  bool is_baseline() const { return solver == "naive" || solver == "reuse"; }
  long long tets() const { return tets_of(cells_across); }
  std::string name() const {
    return fmt::format("solve/{}/{:g}/{}/{}/{}/{}", solver, 1e-6 * young, poisson, shape, threads, tets());
  }
};

constexpr int kWarmupSteps = 3;
constexpr double kTolerance = 1e-8;

Settings settings(const Row& row) {
  if (row.is_baseline()) return {{"cg_iterations", 20LL}};
  if (row.solver == "direct") return {{"solver", std::string("direct")}};
  if (row.solver == "twenty")
    return {{"cg_preconditioner", std::string("none")}, {"cg_start", std::string("velocity")}, {"cg_iterations", 20LL}};
  return {{"cg_preconditioner", row.solver}, {"cg_tolerance", kTolerance}, {"cg_max_iterations", 100000LL}};
}

std::unique_ptr<Simulation> simulation_of(const Row& row) {
  Scene scene = bar_scene({{"cells_across", static_cast<long long>(row.cells_across)},
                           {"young_modulus_pa", row.young},
                           {"poisson_ratio", row.poisson}});
  if (row.shape == "irregular") make_irregular(scene, 1.0 / row.cells_across);
  const std::string id = row.is_baseline() ? row.solver + "_eigen" : "warped_fem";
  return create(id, scene, settings(row), RunContext{1, row.threads, true});
}

void step(benchmark::State& state, const Row& row) {
  Simulation& simulation = warmed_up(kWarmupSteps, [&] { return simulation_of(row); });
  const auto* phases = find_facet<PhaseTimesFacet>(simulation);
  StepReport report;
  double seconds = 0.0;
  for (auto _ : state) {
    report = simulation.step();
    if (!phases) continue;
    const auto solve = std::ranges::find(phases->phase_names(), "solve") - phases->phase_names().begin();
    seconds += phases->phase_seconds()[std::size_t(solve)];
  }
  if (report.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  if (phases) state.counters["solve_ms"] = benchmark::Counter(1e3 * seconds, benchmark::Counter::kAvgIterations);
  state.counters["iterations"] = report.iterations;
  state.counters["residual"] = report.true_residual.value_or(report.residual);
  state.counters["ns_per_tet"] = nanoseconds_per(double(row.tets()));
  state.counters["tets"] = double(row.tets());
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const int cells : {3, 6, 10, 17, 37})
    for (const double young : {1e7, 1e9})
      for (const double poisson : {0.33, 0.45})
        for (const char* shape : {"structured", "irregular"})
          for (const char* solver : {"naive", "reuse", "twenty", "none", "jacobi", "mass", "multigrid", "direct"})
            if (std::string(solver) != "direct" || cells <= 17)  // factors of a million elements do not fit
              all.push_back({solver, young, poisson, shape, 1, cells});
  for (const int cells : {10, 17, 37})
    for (const char* solver : {"twenty", "jacobi", "multigrid"})
      all.push_back({solver, 1e7, 0.33, "structured", 2, cells});
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  return deformbench::benchmarks::run(argc, argv, deformbench::benchmarks::rows(), deformbench::benchmarks::step);
}
