// SPDX-License-Identifier: BSD-3-Clause
// Converged steps of Newton's method (implicit_fem) on the stiff bar of Figure 7 of [MG04], E = 10⁷ Pa: until the
// gradient is 10⁻⁶ of the step's forces. Names: newton/<law>/<hessian>/<solve>/<precision>/<threads>/<tets>. Hessians:
// parameter `hessian`, the filter of eigenvalues. Solve: fixed, conjugate gradients to 10⁻⁵; inexact, forcing terms
// after [EW96] and the automatic preconditioner; direct. Precision: of the Hessians of elements. one: a single
// iteration of 20 plain conjugate gradients, as a baseline of what assembly costs; ten_nodes: an eighth as many
// quadratic elements of as many vertices. Counters: newton and linear iterations of a step; assembly_ns, clock time of
// the assembly per element and Newton iteration; ns_per_tet of the whole step, processor time.
//
// Sample run: bench_newton --benchmark_filter='/stable_neo_hookean/.*/1/20000$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/bar_rows.hpp"
#include "methods/facets.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string law, hessian, solve, precision;
  int threads, cells_across;  ///< n: the bar has 4n × n × n cubes of five tetrahedra

  bool has_ten_nodes() const { return solve == "ten_nodes"; }
  long long tets() const { return tets_of(cells_across); }
  std::string name() const {
    return fmt::format("newton/{}/{}/{}/{}/{}/{}", law, hessian, solve, precision, threads, tets());
  }
};

constexpr int kWarmupSteps = 5;

Settings settings(const Row& row) {
  Settings set = {
      {"law", row.law}, {"hessian", row.hessian}, {"hessian_precision", row.precision}, {"newton_tolerance", 1e-6}};
  if (row.solve == "inexact")
    set.insert({{"newton_forcing", std::string("eisenstat_walker")}, {"cg_preconditioner", std::string("automatic")}});
  if (row.solve == "direct") set["solver"] = std::string("direct");
  if (row.solve == "one") set["newton_iterations"] = 1LL, set["cg_iterations"] = 20LL;
  if (row.has_ten_nodes()) set["elements"] = std::string("quadratic");
  return set;
}

std::unique_ptr<Simulation> simulation_of(const Row& row) {
  const long long across = row.has_ten_nodes() ? row.cells_across / 2 : row.cells_across;
  const Scene scene = bar_scene(
      {{"cells_across", across}, {"subdivisions", row.has_ten_nodes() ? 1LL : 0LL}, {"young_modulus_pa", 1e7}});
  return create("implicit_fem", scene, settings(row), RunContext{1, row.threads, false});
}

void step(benchmark::State& state, const Row& row) {
  Simulation& simulation = warmed_up(kWarmupSteps, [&] { return simulation_of(row); });
  const auto& phases = dynamic_cast<const PhaseTimesFacet&>(simulation);
  const auto assembly = std::ranges::find(phases.phase_names(), "assembly") - phases.phase_names().begin();
  StepReport report;
  double seconds = 0.0, assemblies = 0.0, linear = 0.0;
  for (auto _ : state) {
    report = simulation.step();
    seconds += phases.phase_seconds()[std::size_t(assembly)];
    assemblies += report.assemblies;
    linear += report.iterations;
  }
  if (report.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  state.counters["newton"] = benchmark::Counter(assemblies, benchmark::Counter::kAvgIterations);
  state.counters["linear"] = benchmark::Counter(linear, benchmark::Counter::kAvgIterations);
  const double elements = double(row.tets()) / (row.has_ten_nodes() ? 8.0 : 1.0);
  state.counters["assembly_ns"] = 1e9 * seconds / std::max(1.0, assemblies * elements);
  state.counters["ns_per_tet"] = nanoseconds_per(double(row.tets()));
  state.counters["tets"] = double(row.tets());
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const int cells : {6, 10, 17}) {
    for (const char* solve : {"fixed", "inexact", "direct", "one"})
      for (const char* precision : {"double", "single"})
        all.push_back({"stable_neo_hookean", "projected", solve, precision, 1, cells});
    for (const char* hessian : {"exact", "absolute", "trust_region", "project_on_demand", "progressive"})
      all.push_back({"stable_neo_hookean", hessian, "inexact", "double", 1, cells});
    for (const char* law : {"stable_neo_hookean_core", "st_venant_kirchhoff", "corotational", "neo_hookean"})
      all.push_back({law, "projected", "inexact", "double", 1, cells});
    all.push_back({"stable_neo_hookean", "projected", "inexact", "double", 2, cells});
  }
  for (const int threads : {1, 2})
    all.push_back({"stable_neo_hookean", "projected", "ten_nodes", "double", threads, 10});
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  return deformbench::benchmarks::run(argc, argv, deformbench::benchmarks::rows(), deformbench::benchmarks::step);
}
