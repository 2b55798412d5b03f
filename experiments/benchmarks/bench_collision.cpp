// SPDX-License-Identifier: BSD-3-Clause
// Cost per step of self-collision ([B05] §10 to §13): a skewed cloth folded into eight layers, with a density of
// contacts independent of its size, in a step in which layers swing against each other. Names:
// collision/<how>/<threads>/<vertices>. `tree` is the collision stage as called by methods: repulsions, impulse
// sweeps, impact zones. `all_pairs` replaces the search: impulse sweeps that test all pairs of the cloth, without
// repulsions and zones.
//
// Sample run: bench_collision --benchmark_filter='/(1026|3069)$' --benchmark_format=json
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "experiments/benchmarks/row_processes.hpp"
#include "methods/collision/collisions.hpp"
#include "methods/collision/contact_impulses.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::benchmarks {
namespace {

using collision::CollisionOptions;

constexpr double kEdge = 0.02, kThickness = 0.005, kGap = 1.1 * kThickness;  // m
constexpr double kStep = 1.0 / 60.0;                                         // s
constexpr int kLayers = 8;

struct FoldedCloth {
  Points x, v;
  Triangles triangles;
  Eigen::VectorXd masses;

  FoldedCloth(int width, int length) {
    const int layer_rows = (length + kLayers - 1) / kLayers;
    const auto at = [&](int i, int j) { return j * width + i; };
    x.resize(width * length, 3);
    v.resize(width * length, 3);
    triangles.resize(2 * (width - 1) * (length - 1), 3);
    masses = Eigen::VectorXd::Constant(width * length, 0.2 * kEdge * kEdge);  // 0.2 kg/m²
    const Matrix3 turn =
        (Eigen::AngleAxisd(0.5, Vector3::UnitX()) * Eigen::AngleAxisd(0.4, Vector3::UnitY())).toRotationMatrix();
    numerics::RandomStream random(1);
    int t = 0;
    for (int j = 0; j < length; ++j) {
      const int layer = j / layer_rows, within = j % layer_rows;
      for (int i = 0; i < width; ++i) {
        Vector3 place((i + 0.37 * layer) * kEdge,
                      ((layer % 2 ? layer_rows - 1 - within : within) + 0.21 * layer) * kEdge, layer * kGap);
        for (int c = 0; c < 3; ++c) place[c] += 0.1 * kThickness * random.uniform(-1.0, 1.0);
        // Waves 12 edges long, with a phase shift between layers: neighbours collide where they swing together.
        const double phase = 2.0 * std::numbers::pi * (place[0] + 0.7 * place[1]) / (12.0 * kEdge) + 2.1 * layer;
        Vector3 path(0.0, 0.0, 0.7 * kGap * std::sin(phase));
        for (int c = 0; c < 3; ++c) path[c] += 0.1 * kGap * random.uniform(-1.0, 1.0);
        x.row(at(i, j)) = (turn * place).transpose();
        v.row(at(i, j)) = (turn * path).transpose() / kStep;
        if (i + 1 == width || j + 1 == length) continue;
        triangles.row(t++) << at(i, j), at(i + 1, j), at(i + 1, j + 1);
        triangles.row(t++) << at(i, j), at(i + 1, j + 1), at(i, j + 1);
      }
    }
  }
};
CollisionOptions options() {
  CollisionOptions options;
  options.detection = collision::Detection::Both;
  options.thickness = 0.95 * kThickness;
  options.stiffness = 0.1;
  return options;
}

void step(benchmark::State& state, int width, int length, int threads) {
  const FoldedCloth cloth(width, length);
  collision::Collisions collisions(cloth.masses, cloth.triangles, options(), threads, true);
  const Points is_free = Points::Ones(cloth.x.rows(), 3);
  std::array<double, collision::CollisionPhases::kNames.size()> seconds{};
  // The first step, which builds the trees and allocates memory, is one of many.
  Points v = cloth.v, end = cloth.x + kStep * v;
  collisions.resolve(cloth.x, is_free, kStep, v, end);
  for (auto _ : state) {
    state.PauseTiming();
    v = cloth.v;
    end = cloth.x + kStep * v;
    state.ResumeTiming();
    collisions.resolve(cloth.x, is_free, kStep, v, end);
    for (std::size_t phase = 0; phase < seconds.size(); ++phase) seconds[phase] += collisions.phase_seconds()[phase];
  }
  double all = 0.0;
  for (std::size_t phase = 0; phase < seconds.size(); ++phase) {
    state.counters[collision::CollisionPhases::kNames[phase] + "_ms"] =
        benchmark::Counter(1e3 * seconds[phase], benchmark::Counter::kAvgIterations);
    all += seconds[phase];
  }
  state.counters["broad_share"] = seconds[collision::CollisionPhases::Broad] / all;
  const auto n = double(cloth.x.rows());
  // Constant: linear growth. Growth like log n: upper bound for a search by boxes.
  state.counters["ns_per_vertex"] = benchmark::Counter(1e9 * all / n, benchmark::Counter::kAvgIterations);
  const collision::CollisionCounts& counts = collisions.counts();
  state.counters["candidates"] = double(collisions.candidate_count());
  state.counters["repulsions"] = counts.repulsions;
  state.counters["first_contacts"] = counts.first_contacts;
  state.counters["impulses"] = counts.impulses;
  state.counters["sweeps"] = counts.sweeps;
  state.counters["zones"] = counts.zones;
  state.counters["unresolved"] = counts.unresolved;
}

/// Sweeps as in the lecture: all point–triangle and all edge–edge pairs.
void sweep_all_pairs(benchmark::State& state, int width, int length) {
  const FoldedCloth cloth(width, length);
  const collision::PairCandidates candidates(cloth.x.rows(), cloth.triangles, false, true);  // provides the edges
  const auto& edges = candidates.edges();
  const Points mobility = cloth.masses.cwiseInverse().replicate(1, 3);
  Points v, end;
  int first_contacts = 0, impulses = 0, sweeps = 0;
  const auto test = [&](collision::PairKind kind, const std::array<int, 4>& vertices) {
    collision::MovingPair pair{kind, {}, {}};
    for (std::size_t k = 0; k < 4; ++k) {
      pair.start[k] = cloth.x.row(vertices[k]).transpose();
      pair.end[k] = end.row(vertices[k]).transpose();
    }
    const std::optional<collision::FirstContact> contact = collision::first_contact(pair);
    if (!contact) return 0;
    if (collision::stop_approach({vertices, contact->weights, contact->normal}, 0.0, mobility, v)) ++impulses;
    for (const int i : vertices) end.row(i) = cloth.x.row(i) + kStep * v.row(i);
    return 1;
  };
  for (auto _ : state) {
    v = cloth.v;
    end = cloth.x + kStep * v;
    impulses = sweeps = 0;
    for (int found = 1; found > 0 && sweeps < options().sweeps; ++sweeps) {
      found = 0;
      for (int p = 0; p < int(cloth.x.rows()); ++p)
        for (Eigen::Index t = 0; t < cloth.triangles.rows(); ++t) {
          const int a = cloth.triangles(t, 0), b = cloth.triangles(t, 1), c = cloth.triangles(t, 2);
          if (p != a && p != b && p != c) found += test(collision::PairKind::PointTriangle, {p, a, b, c});
        }
      for (std::size_t e = 0; e < edges.size(); ++e)
        for (std::size_t f = e + 1; f < edges.size(); ++f) {
          const auto [a, b] = edges[e];
          const auto [c, d] = edges[f];
          if (a != c && a != d && b != c && b != d) found += test(collision::PairKind::EdgeEdge, {a, b, c, d});
        }
      if (sweeps == 0) first_contacts = found;
    }
  }
  state.counters["first_contacts"] = first_contacts;
  state.counters["impulses"] = impulses;
  state.counters["sweeps"] = sweeps;
}

std::vector<BenchmarkRow> rows() {
  std::vector<BenchmarkRow> all;
  for (const int width : {19, 33, 60, 103, 189}) {  // 1,000 … 100,000 vertices
    const int length = int(std::lround(width * 62.0 / 22.0));
    for (const int threads : {1, 2})
      all.push_back({fmt::format("collision/tree/{}/{}", threads, width * length),
                     [=](benchmark::State& s) { step(s, width, length, threads); }});
    if (width <= 60)  // 10,000 vertices take 90 s
      all.push_back({fmt::format("collision/all_pairs/1/{}", width * length),
                     [=](benchmark::State& s) { sweep_all_pairs(s, width, length); }});
  }
  return all;
}

}  // namespace
}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  return run_rows_in_processes(argc, argv, rows(), benchmark::kMillisecond);
}
