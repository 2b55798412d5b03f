// SPDX-License-Identifier: BSD-3-Clause
// Steps of a meshless solid without cracks, compared with the plain loop over pairs in the same run: a slightly
// moving free cube of nodes on a jittered lattice, one leapfrog substep. Names: <method>/<threads>/<support>/<nodes>,
// <support> relative to the node spacing: 2.2 gives interior nodes 42 neighbours, 2.83 (nodes at the vertices of
// cubes of tetrahedra) 90. Counter least_ns_per_pair is the shortest wall time of a step per ordered pair (used twice
// per step): on a shared machine only the minimum is meaningful for several threads. Rows follow/… re-read all nodes,
// or 1000 near the centre of the cube (as touched by a crack).
//
// Sample run: bench_meshless --benchmark_filter='/2.2/(2197|19683)$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "experiments/benchmarks/row_processes.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/meshless/nodes/mls_elasticity.hpp"
#include "methods/numerics/random.hpp"
#include "methods/registry.hpp"

namespace deformbench::benchmarks {

namespace {

struct Row {
  std::string method;
  int threads = 1;
  double support = 2.2;
  int nodes_across = 13;

  long long nodes() const { return 1LL * nodes_across * nodes_across * nodes_across; }
  std::string name() const { return fmt::format("{}/{}/{}/{}", method, threads, support, nodes()); }
};

Scene build(const Row& row) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& block = scenes.at("node_block");
  Scene scene = block.build(Parameters(block.parameters,
                                       {{"length_m", 1.0},
                                        {"side_m", 1.0},
                                        {"nodes_across", static_cast<long long>(row.nodes_across)},
                                        {"support_ratio", row.support},
                                        {"time_step_s", 1e-5}},
                                       "scene 'node_block'"));
  scene.initial_velocities.resize(scene.vertex_count(), 3);
  numerics::RandomStream random(1);
  for (Eigen::Index k = 0; k < scene.initial_velocities.size(); ++k)
    scene.initial_velocities.data()[k] = 0.01 * random.uniform(-1.0, 1.0);
  return scene;
}

/// Calls `work` as often as Google Benchmark requests, and returns the shortest time (s).
template <class Work>
double least_time(benchmark::State& state, Work&& work) {
  double least = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

void report(benchmark::State& state, const Row& row, std::size_t pairs, double least) {
  state.counters["nodes"] = double(row.nodes());
  state.counters["pairs_per_node"] = double(pairs) / double(row.nodes());
  state.counters["least_ns_per_pair"] = 1e9 * least / double(pairs);
}

/// Steps the simulation of this process's only row, shared because Google Benchmark calls a row several times.
void step(benchmark::State& state, const Row& row) {
  static const Scene scene = build(row);
  static const std::size_t pairs = meshless::make_node_cloud(scene, {}).neighbours.size();
  static const std::unique_ptr<Simulation> simulation = [&] {
    const Registry registry = builtin_registry();
    const MethodDescriptor& method = registry.at(row.method);
    auto made = method.create(scene, Parameters(method.parameters, {{"substeps", 1LL}}, row.method),
                              RunContext{1, row.threads, false});
    for (int k = 0; k < 3; ++k) made->step();
    return made;
  }();
  StepReport last;
  const double least = least_time(state, [&] { last = simulation->step(); });
  if (last.outcome == StepOutcome::Diverged) state.SkipWithError("diverged");
  report(state, row, pairs, least);
}

void follow(benchmark::State& state, const Row& row) {
  static const meshless::NodeCloud cloud = meshless::make_node_cloud(build(row), {});
  static meshless::MlsElasticity elasticity(cloud, {});
  std::vector<int> nodes(std::size_t(cloud.size()));
  std::iota(nodes.begin(), nodes.end(), 0);
  if (row.method == "follow/1000") {
    const auto depth = [&](int i) { return (cloud.rest.row(i) - cloud.rest.colwise().mean()).squaredNorm(); };
    std::sort(nodes.begin(), nodes.end(), [&](int a, int b) { return depth(a) < depth(b); });
    nodes.resize(1000);
  }
  const double least = least_time(state, [&] {
    if (row.method == "follow/whole")
      elasticity.follow();
    else
      elasticity.follow(nodes);
  });
  report(state, row, cloud.neighbours.size(), least);
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const double support : {2.2, 2.83})
    for (const int across : {13, 20, 27, 42, 58}) {
      all.push_back({"naive_meshless", 1, support, across});
      for (const int threads : {1, 2}) all.push_back({"meshless", threads, support, across});
    }
  for (const int across : {13, 27})
    for (const char* part : {"follow/whole", "follow/1000"}) all.push_back({part, 1, 2.2, across});
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  std::vector<BenchmarkRow> named;
  for (const Row& row : rows())
    named.push_back({row.name(), [row](benchmark::State& state) {
                       if (row.method.starts_with("follow"))
                         follow(state, row);
                       else
                         step(state, row);
                     }});
  return run_rows_in_processes(argc, argv, named, benchmark::kMillisecond);
}
