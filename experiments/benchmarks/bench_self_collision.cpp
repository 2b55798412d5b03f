// SPDX-License-Identifier: BSD-3-Clause
// Cost per step of self-collision ([MHHR07] §4.3), by phase: a cloth with the proportions of figure 6 (22 × 62
// vertices), folded into eight slightly shifted layers a little more than its thickness apart, with a density
// independent of its size. Names: self_collision/double/1/<vertices>. Time of a row: detection and ten projection
// iterations. Counters: µs per step of hash (boxes, sorting into cells), candidates (overlapping boxes), exact
// (distances and cubics), project (ten iterations), and the numbers of candidates and contacts.
//
// Sample run: bench_self_collision --benchmark_format=json
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "experiments/benchmarks/row_processes.hpp"
#include "methods/numerics/random.hpp"
#include "methods/pbd/cloth/self_collision.hpp"

namespace deformbench::benchmarks {
namespace {

constexpr double kEdge = 0.02, kThickness = 0.005, kGap = 1.1 * kThickness;  // m
constexpr int kLayers = 8, kIterations = 10;

struct FoldedCloth {
  Points rest, x, p;
  Triangles triangles;

  FoldedCloth(int width, int length) {
    const int layer_rows = (length + kLayers - 1) / kLayers;
    const auto at = [&](int i, int j) { return j * width + i; };
    rest.resize(width * length, 3);
    x.resize(width * length, 3);
    triangles.resize(2 * (width - 1) * (length - 1), 3);
    numerics::RandomStream random(1);
    int t = 0;
    for (int j = 0; j < length; ++j) {
      const int layer = j / layer_rows, within = j % layer_rows;
      for (int i = 0; i < width; ++i) {
        rest.row(at(i, j)) << i * kEdge, j * kEdge, 0.0;
        x.row(at(i, j)) << (i + 0.37 * layer) * kEdge,
            ((layer % 2 ? layer_rows - 1 - within : within) + 0.21 * layer) * kEdge, layer * kGap;
        for (int c = 0; c < 3; ++c) x(at(i, j), c) += 0.1 * kThickness * random.uniform(-1.0, 1.0);
        if (i + 1 == width || j + 1 == length) continue;
        triangles.row(t++) << at(i, j), at(i + 1, j), at(i + 1, j + 1);
        triangles.row(t++) << at(i, j), at(i + 1, j + 1), at(i, j + 1);
      }
    }
    p = x;
    for (Eigen::Index i = 0; i < p.size(); ++i) p.data()[i] += 0.2 * kThickness * random.uniform(-1.0, 1.0);
  }
};

void step(benchmark::State& state, int width, int length) {
  using Clock = std::chrono::steady_clock;
  const FoldedCloth cloth(width, length);
  const Eigen::VectorXd inverse_masses = Eigen::VectorXd::Ones(cloth.x.rows());
  pbd::SelfCollision collision(cloth.triangles, cloth.x.rows(), kThickness, cloth.rest);
  std::vector<pbd::SelfContact> contacts;
  Points p = cloth.p;
  double seconds[4] = {};
  for (auto _ : state) {
    state.PauseTiming();
    p = cloth.p;
    state.ResumeTiming();
    const auto start = Clock::now();
    collision.sort(cloth.x, p);
    const auto sorted = Clock::now();
    collision.collect();
    const auto collected = Clock::now();
    collision.test(cloth.x, p, contacts);
    const auto tested = Clock::now();
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      for (const pbd::SelfContact& contact : contacts) {
        pbd::project(contact, kThickness, inverse_masses, pbd::SelfGradient::Full, pbd::MassWeighting::Corrected, p);
      }
    }
    const auto projected = Clock::now();
    const Clock::time_point times[] = {start, sorted, collected, tested, projected};
    for (int phase = 0; phase < 4; ++phase)
      seconds[phase] += std::chrono::duration<double>(times[phase + 1] - times[phase]).count();
  }
  constexpr const char* kPhases[] = {"hash_us", "candidates_us", "exact_us", "project_us"};
  for (int phase = 0; phase < 4; ++phase) {
    state.counters[kPhases[phase]] = benchmark::Counter(1e6 * seconds[phase], benchmark::Counter::kAvgIterations);
  }
  const auto n = double(cloth.x.rows());
  state.counters["candidates"] = double(collision.candidate_count());
  state.counters["contacts"] = double(contacts.size());
  // Constant: linear growth. Growth like log n: lower bound.
  double total = 0.0;
  for (const double s : seconds) total += s;
  state.counters["ns_per_vertex"] = benchmark::Counter(1e9 * total / n, benchmark::Counter::kAvgIterations);
}

std::vector<BenchmarkRow> rows() {
  std::vector<BenchmarkRow> all;
  for (const int width : {19, 22, 38, 60, 107, 189}) {  // 1,000 … 100,000 vertices
    const int length = int(std::lround(width * 62.0 / 22.0));
    all.push_back({fmt::format("self_collision/double/1/{}", width * length),
                   [width, length](benchmark::State& s) { step(s, width, length); }});
  }
  return all;
}

}  // namespace
}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  return run_rows_in_processes(argc, argv, rows(), benchmark::kMicrosecond);
}
