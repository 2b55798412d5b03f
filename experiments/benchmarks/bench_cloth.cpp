// SPDX-License-Identifier: BSD-3-Clause
// Whole time steps of position based cloth, compared with the naive version in the same run: N × N vertices hung by
// two corners, stretch constraints on all edges, bend constraints on all interior edges, 10 iterations, no contacts.
// Names: cloth/<variant>/<precision>/<threads>/<N>. Variants: naive (the peer), scheduled (list scheduling, same
// result as the sequential sweep), coloured (another order, different convergence). Counters strain_rms [1] and
// angle_error_rms [rad] are taken at the end of the warm-up, the same step in all rows of an N. Coloured rows also
// have them after k = 1, 5, 10 and 40 iterations from a common prediction, as strain_rms_<k> and angle_error_rms_<k>,
// and for the sequential order as sequential_strain_rms_<k> and sequential_angle_error_rms_<k>.
//
// Sample run: bench_cloth --benchmark_filter='/(37|65)$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "experiments/benchmarks/row_processes.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/position_constraint.hpp"
#include "methods/pbd/sweeps/sweep.hpp"
#include "methods/registry.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string variant, precision;
  int threads = 1;
  int vertices_across = 20;

  std::string name() const { return fmt::format("cloth/{}/{}/{}/{}", variant, precision, threads, vertices_across); }
};

constexpr long long kIterations = 10;
int warm_up_steps(int vertices_across) {
  return vertices_across <= 128 ? 50 : 5;
}  // a level cloth has nearly no bend angles

Scene hanging_cloth(int vertices_across) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& cloth = scenes.at("hanging_cloth");
  return cloth.build(Parameters(cloth.parameters, {{"vertices_across", static_cast<long long>(vertices_across)}},
                                "scene 'hanging_cloth'"));
}

std::unique_ptr<Simulation> create(const Row& row) {
  const Scene scene = hanging_cloth(row.vertices_across);
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(row.variant == "naive" ? "naive_pbd" : "pbd");
  std::map<std::string, ParameterValue> set = {{"iterations", kIterations}};
  if (row.variant != "naive")
    set.insert(
        {{"precision", row.precision}, {"order", std::string(row.variant == "coloured" ? "coloured" : "forward")}});
  return method.create(scene, Parameters(method.parameters, set, method.id), RunContext{1, row.threads, false});
}

struct Residual {
  double strain_rms;       ///< of edge lengths, 1
  double angle_error_rms;  ///< of bend angles, rad
};

Residual residual_of(const pbd::MeshConstraints& constraints, const Points& x) {
  double strain = 0.0, angle = 0.0;
  for (const auto& c : constraints.stretch)
    strain += std::pow((x.row(c.b) - x.row(c.a)).norm() / c.rest_length - 1.0, 2);
  for (const auto& c : constraints.bend) {
    const auto& v = c.vertices;
    angle += std::pow(model::dihedral_angle(x.row(v[0]), x.row(v[1]), x.row(v[2]), x.row(v[3])) - c.rest_angle, 2);
  }
  return {std::sqrt(strain / double(constraints.stretch.size())), std::sqrt(angle / double(constraints.bend.size()))};
}

/// The simulation of this process's only row, after its warm-up; shared because Google Benchmark calls a row several
/// times.
struct Running {
  std::unique_ptr<Simulation> simulation;
  Residual residual;  ///< after the warm-up
};

Running& running(const Row& row) {
  static Running run;
  if (!run.simulation) {
    run.simulation = create(row);
    for (int k = 0; k < warm_up_steps(row.vertices_across); ++k) run.simulation->step();
    run.residual = residual_of(pbd::build_mesh_constraints(hanging_cloth(row.vertices_across).cloth),
                               run.simulation->state().positions);
  }
  return run;
}

/// Residual after 1, 5, 10 and 40 iterations from the prediction of a swinging cloth.
void report_convergence(benchmark::State& state, const Row& row) {
  const Scene scene = hanging_cloth(row.vertices_across);
  const pbd::MeshConstraints constraints = pbd::build_mesh_constraints(scene.cloth);
  const std::unique_ptr<Simulation> start = create({"scheduled", "double", 1, row.vertices_across});
  for (int k = 0; k < 20; ++k) start->step();
  const StateView now = start->state();
  Eigen::VectorXd inverse_masses = now.masses.cwiseInverse();
  Points predicted = now.positions + scene.time_step * now.velocities;
  predicted.rowwise() += scene.time_step * scene.time_step * scene.gravity.transpose();
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices) {
      inverse_masses[v] = 0.0;
      predicted.row(v) = now.positions.row(v);
    }
  for (const int count : {1, 5, 10, 40})
    for (const bool is_coloured : {false, true}) {
      pbd::PbdOptions options;
      options.iterations = count;
      options.order = is_coloured ? pbd::SweepOrder::Coloured : pbd::SweepOrder::Forward;
      options.precision = is_coloured && row.precision == "float" ? pbd::Precision::Single : pbd::Precision::Double;
      const auto sweep = pbd::make_sweep(constraints, inverse_masses, options, 1, row.threads);
      Points p = predicted;
      sweep->begin_step(scene.time_step);
      sweep->run(p, count);
      const Residual left = residual_of(constraints, p);
      const char* prefix = is_coloured ? "" : "sequential_";
      state.counters[fmt::format("{}strain_rms_{}", prefix, count)] = left.strain_rms;
      state.counters[fmt::format("{}angle_error_rms_{}", prefix, count)] = left.angle_error_rms;
    }
}

void step(benchmark::State& state, const Row& row) {
  Running& run = running(row);
  StepReport report;
  for (auto _ : state) report = run.simulation->step();
  if (report.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  state.counters["strain_rms"] = run.residual.strain_rms;
  state.counters["angle_error_rms"] = run.residual.angle_error_rms;
  state.counters["vertices"] = double(row.vertices_across) * row.vertices_across;
  if (row.variant == "coloured") report_convergence(state, row);
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const int n : {20, 37, 65, 128, 256, 512}) {
    all.push_back({"naive", "double", 1, n});
    for (const char* precision : {"double", "float"}) all.push_back({"scheduled", precision, 1, n});
    for (const char* precision : {"double", "float"})
      for (const int threads : {1, 2}) all.push_back({"coloured", precision, threads, n});
  }
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  std::vector<BenchmarkRow> named;
  for (const Row& row : rows()) named.push_back({row.name(), [row](benchmark::State& state) { step(state, row); }});
  return run_rows_in_processes(argc, argv, named, benchmark::kMillisecond);
}
