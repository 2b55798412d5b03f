// SPDX-License-Identifier: BSD-3-Clause
// Whole time steps of all methods on the bar of Figure 7, with two Eigen baselines in the same run. Names:
// step/<method>/<precision>/<threads>/<tets>[/stiff|creep|tested|creep_tested|splitting|irregular|inverting], and
// explicit_fem and implicit_fem with /law_<law>: one substep of 0.1 ms, and one Newton iteration with projected
// Hessians (reuse_eigen/…/elements_st_venant_kirchhoff_projected: with a dense eigensolver). stiff: E = 10⁷ Pa; all
// others are the soft bar, 10⁵ Pa. creep: flowing plasticity; tested: stress test of fracture without cracks;
// creep_tested: both; ten_nodes: an eighth as many quadratic elements, stable neo-Hookean, of as many vertices;
// splitting: one vertex split per step; irregular: random vertex displacements and order, four materials by region;
// inverting: a step that inverts a fifth of the elements (hard_bars.hpp). Solves and steps that converge are in
// bench_solve and bench_newton. Rows of explicit_fem have gb_per_s, from the minimum bytes read and written per
// substep; row memory/triad/<bytes> is the bandwidth of one core for as many bytes with hardly any arithmetic. Setting
// of the paper: Δt = 0.01 s, exactly 20 plain CG iterations from v_n ([MG04] §7).
//
// Sample run: bench_step --benchmark_filter='/4320$' --benchmark_format=json
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <map>
#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/bar_rows.hpp"
#include "experiments/benchmarks/hard_bars.hpp"
#include "methods/facets.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string method, precision;
  int threads = 1;
  int cells_across = 2;  ///< n: the bar has 4n × n × n cubes of five tetrahedra
  std::string variant;   ///< "" or one of the variants above
  bool has_ten_nodes() const { return variant == "ten_nodes"; }

  long long tets() const { return tets_of(cells_across); }
  std::string name() const {
    return fmt::format("step/{}/{}/{}/{}{}{}", method, precision, threads, tets(), variant.empty() ? "" : "/", variant);
  }
};

constexpr int kWarmupSteps = 20;
constexpr int kMostSplits = 100;

Scene build(const Row& row) {
  Scene scene = bar_scene(
      {{"cells_across", static_cast<long long>(row.has_ten_nodes() ? row.cells_across / 2 : row.cells_across)},
       {"subdivisions", row.has_ten_nodes() ? 1LL : 0LL},
       {"young_modulus_pa", row.variant == "stiff" ? 1e7 : 1e5}});
  if (row.method == "explicit_fem") scene.time_step = 1e-4;  // stable at every size here
  if (row.variant == "irregular") make_irregular(scene, 1.0 / row.cells_across);
  if (row.variant == "inverting") make_inverting(scene);
  return scene;
}

/// The scene of this process's only row.
const Scene& bar_of(const Row& row) {
  static const Scene scene = build(row);
  return scene;
}

std::unique_ptr<Simulation> create(const Row& row) {
  Settings set = {{"cg_iterations", 20LL}};
  if (row.method == "linear_fem" || row.method == "warped_fem")
    set.insert({{"cg_preconditioner", std::string("none")},
                {"cg_start", std::string("velocity")},
                {"precision", row.precision}});
  // Nearly all elements flow in every step up to the cap, which is so low that the bar moves like the elastic one.
  if (row.variant == "creep" || row.variant == "creep_tested")
    set.insert({{"plasticity", std::string("creep")},
                {"plastic_yield", 1e-6},
                {"plastic_creep_per_s", 1.0},
                {"plastic_max", 1e-3},
                {"plastic_rate", std::string("as_printed")}});
  if (row.variant == "tested" || row.variant == "creep_tested" || row.variant == "splitting")
    set.insert({{"fracture", std::string("vertex_split")},
                {"fracture_threshold_pa", row.variant == "splitting" ? 4000.0 : 1e9},
                {"fracture_splits_per_step", row.variant == "splitting" ? 5LL : 1LL}});
  if (row.method == "explicit_fem") set = {{"substeps", 1LL}};
  if (row.method == "implicit_fem") set.insert({"newton_iterations", 1LL});
  if (row.has_ten_nodes()) set["elements"] = std::string("quadratic"), set["law"] = std::string("stable_neo_hookean");
  if (row.variant.starts_with("elements_")) set["elements"] = row.variant.substr(9);
  if (row.variant.starts_with("law_")) set["law"] = row.variant.substr(4);
  return benchmarks::create(row.method, bar_of(row), set, RunContext{1, row.threads, true});
}

/// The simulation of this process's only row, after its warm-up; shared because Google Benchmark calls a row several
/// times.
std::unique_ptr<Simulation>& simulation_of(const Row& row) {
  static std::unique_ptr<Simulation> simulation;
  if (!simulation) {
    simulation = create(row);
    const int steps = row.variant == "inverting" ? 1 : kWarmupSteps;
    for (int k = 0; k < steps; ++k) simulation->step();
  }
  return simulation;
}

/// Minimum bytes moved by a substep of explicit_fem: per element gradients, Lamé parameters and corners; per node
/// position, velocity, force (written, then read), load and mass.
double bytes_of_substep(const Row& row) {
  const double nodes = double(bar_of(row).tet_mesh.rest_positions.rows());
  return double(row.tets()) * (9 * 8 + 2 * 8 + 4 * 4) + nodes * (2 * 32 + 2 * 32 + 2 * 32 + 32 + 8);
}

/// 10⁹ bytes per second of processor time, for `bytes` per iteration.
benchmark::Counter rate_of(double bytes) {
  return benchmark::Counter(1e-9 * bytes, benchmark::Counter::kIsIterationInvariantRate);
}

/// a = b + s c; the three arrays have `bytes` in total.
void triad(benchmark::State& state, std::size_t bytes) {
  const std::size_t count = bytes / (3 * sizeof(double));
  std::vector<double> a(count, 1.0), b(count, 2.0), c(count, 3.0);
  for (auto _ : state) {
    for (std::size_t k = 0; k < count; ++k) a[k] = b[k] + 0.5 * c[k];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.counters["gb_per_s"] = rate_of(double(3 * count * sizeof(double)));
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024.0;
}

void step(benchmark::State& state, const Row& row) {
  std::unique_ptr<Simulation>& simulation = simulation_of(row);
  std::map<std::string, double> seconds = {{"rotation", 0.0}, {"assembly", 0.0}, {"solve", 0.0}, {"fracture", 0.0}};
  StepReport report;
  double splits = 0.0, inverted = 0.0;
  for (auto _ : state) {
    if (row.variant == "inverting") {  // always repeat the inverting step
      state.PauseTiming();
      simulation.reset();
      simulation_of(row);
      inverted += inverted_share(bar_of(row).tet_mesh, simulation->state().positions);
      state.ResumeTiming();
    }
    report = simulation->step();
    if (const auto* phases = find_facet<PhaseTimesFacet>(*simulation))
      for (std::size_t k = 0; k < phases->phase_names().size(); ++k)
        if (const auto found = seconds.find(phases->phase_names()[k]); found != seconds.end())
          found->second += phases->phase_seconds()[k];
    if (const auto* events = find_facet<EventsFacet>(*simulation))
      for (const SimulationEvent& event : events->step_events()) splits += event.kind == "vertex_split";
    const auto* topology = find_facet<TopologyFacet>(*simulation);
    if (topology && topology->topology_version() > kMostSplits) {  // restart before the bar has disintegrated
      state.PauseTiming();
      simulation.reset();
      simulation_of(row);
      state.ResumeTiming();
    }
  }
  if (report.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  for (const auto& [phase, total] : seconds)
    state.counters[phase + "_ms"] = benchmark::Counter(1e3 * total, benchmark::Counter::kAvgIterations);
  const auto mean = [](double sum) { return benchmark::Counter(sum, benchmark::Counter::kAvgIterations); };
  if (row.variant == "splitting") state.counters["splits_per_step"] = mean(splits);
  if (row.variant == "inverting") state.counters["inverted_share"] = mean(inverted);
  state.counters["ns_per_tet"] = nanoseconds_per(double(row.tets()));
  if (row.method == "explicit_fem") state.counters["gb_per_s"] = rate_of(bytes_of_substep(row));
  state.counters["residual"] = report.residual;
  state.counters["peak_rss_mb"] = peak_rss_mb();
  state.counters["tets"] = double(row.tets());
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const char* variant : {"", "stiff"})
    for (const int cells : {2, 3, 4, 5, 6, 7, 10, 17, 24, 37}) {
      for (const char* yardstick : {"naive_eigen", "reuse_eigen"})
        all.push_back({yardstick, "double", 1, cells, variant});
      for (const char* method : {"linear_fem", "warped_fem"})
        for (const char* precision : {"double", "float"})
          for (const int threads : {1, 2}) all.push_back({method, precision, threads, cells, variant});
    }
  for (const int cells : {5, 6, 7, 10})
    for (const char* variant : {"creep", "tested", "creep_tested", "splitting"})
      all.push_back({"warped_fem", "double", 1, cells, variant});
  for (const int cells : {6, 10})
    for (const char* variant : {"irregular", "inverting"})
      for (const char* method : {"warped_fem", "naive_eigen", "reuse_eigen"})
        all.push_back({method, "double", 1, cells, variant});
  for (const int cells : {10, 17})
    all.push_back({"reuse_eigen", "double", 1, cells, "elements_st_venant_kirchhoff_projected"});
  for (const int cells : {10, 17})
    for (const int threads : {1, 2})
      for (const char* law :
           {"law_st_venant_kirchhoff", "law_corotational", "law_neo_hookean", "law_stable_neo_hookean"})
        for (const char* method : {"explicit_fem", "implicit_fem"})
          all.push_back({method, "double", threads, cells, law});
  for (const int threads : {1, 2})
    for (const char* method : {"explicit_fem", "implicit_fem"})
      all.push_back({method, "double", threads, 10, "ten_nodes"});
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  std::vector<BenchmarkRow> named;
  for (const Row& row : rows()) named.push_back({row.name(), [row](benchmark::State& state) { step(state, row); }});
  for (const std::size_t bytes : {12'000'000, 120'000'000})
    named.push_back({fmt::format("memory/triad/{}", bytes), [bytes](benchmark::State& state) { triad(state, bytes); }});
  return run_rows_in_processes(argc, argv, named, benchmark::kMillisecond);
}
