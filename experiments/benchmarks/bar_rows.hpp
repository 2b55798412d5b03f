// SPDX-License-Identifier: BSD-3-Clause
// Shared by benchmark rows on the bar of [MG04], Figure 7.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/benchmarks/row_processes.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::benchmarks {

using Settings = std::map<std::string, ParameterValue>;

/// Tetrahedra, 5 in each of 4n × n × n cubes.
inline long long tets_of(int cells_across) {
  return 20LL * cells_across * cells_across * cells_across;
}

/// The bar with these parameters, others at defaults.
inline Scene bar_scene(const Settings& set) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& bar = scenes.at("bar");
  return bar.build(Parameters(bar.parameters, set, "scene 'bar'"));
}

/// A method with these parameters, others at defaults.
inline std::unique_ptr<Simulation> create(const std::string& id, const Scene& scene, const Settings& set,
                                          const RunContext& context) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(id);
  return method.create(scene, Parameters(method.parameters, set, id), context);
}

/// Creates the simulation and runs `steps` steps, once per process (one row each): Google Benchmark calls a row
/// repeatedly.
template <class Create>
Simulation& warmed_up(int steps, const Create& make) {
  static std::unique_ptr<Simulation> simulation;
  if (!simulation) {
    simulation = make();
    for (int k = 0; k < steps; ++k) simulation->step();
  }
  return *simulation;
}

/// CPU time per iteration and piece of work, ns.
inline benchmark::Counter nanoseconds_per(double pieces) {
  return {1e-9 * pieces, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

/// Runs rows in separate processes; times in ms. Returns the exit code.
template <class Row>
int run(int argc, char** argv, const std::vector<Row>& rows, void (*step)(benchmark::State&, const Row&)) {
  std::vector<BenchmarkRow> named;
  for (const Row& row : rows) named.push_back({row.name(), [row, step](benchmark::State& state) { step(state, row); }});
  return run_rows_in_processes(argc, argv, named, benchmark::kMillisecond);
}

}  // namespace deformbench::benchmarks
