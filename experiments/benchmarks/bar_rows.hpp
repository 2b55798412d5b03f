// SPDX-License-Identifier: BSD-3-Clause
// What the rows of benchmarks on the bar of Figure 7 of [MG04] share.
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

/// Tetrahedra of the bar of 4n × n × n cubes.
inline long long tets_of(int cells_across) {
  return 20LL * cells_across * cells_across * cells_across;
}

/// The bar with these parameters, all others by default.
inline Scene bar_scene(const Settings& set) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& bar = scenes.at("bar");
  return bar.build(Parameters(bar.parameters, set, "scene 'bar'"));
}

/// A method with these parameters, all others by default.
inline std::unique_ptr<Simulation> create(const std::string& id, const Scene& scene, const Settings& set,
                                          const RunContext& context) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(id);
  return method.create(scene, Parameters(method.parameters, set, id), context);
}

/// The simulation of this process's only row, after its first steps; shared because Google Benchmark calls a row
/// several times.
template <class Create>
Simulation& warmed_up(int steps, const Create& make) {
  static std::unique_ptr<Simulation> simulation;
  if (!simulation) {
    simulation = make();
    for (int k = 0; k < steps; ++k) simulation->step();
  }
  return *simulation;
}

/// Processor time of an iteration divided by so many pieces of work, ns.
inline benchmark::Counter nanoseconds_per(double pieces) {
  return {1e-9 * pieces, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

/// Rows in processes of their own, milliseconds. Returns the exit code.
template <class Row>
int run(int argc, char** argv, const std::vector<Row>& rows, void (*step)(benchmark::State&, const Row&)) {
  std::vector<BenchmarkRow> named;
  for (const Row& row : rows) named.push_back({row.name(), [row, step](benchmark::State& state) { step(state, row); }});
  return run_rows_in_processes(argc, argv, named, benchmark::kMillisecond);
}

}  // namespace deformbench::benchmarks
