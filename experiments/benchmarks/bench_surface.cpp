// SPDX-License-Identifier: BSD-3-Clause
// Cost of deforming ([MG04] §5.1) and cutting ([MG04] §5.2) an embedded surface, on the built-in models with the
// triangle and tetrahedron counts of Table 1. Names: surface/update/<threads>/<vertices>/<how>, positions and F⁻ᵀ
// normals; <how> is embedding (not cuttable), whole (cuttable, before any cut) or fractured (after 200 splits;
// <vertices> counts before). surface/follow/<threads>/<triangles>, one vertex split of the mesh;
// surface/create/<threads>/<triangles>. surface/tetrahedralize/<threads>/<triangles>/<lattice>_<how>, <how> is count
// (search for cell size and anchor that give the number of tetrahedra) or size (with the result of this search).
// Counter ns_per_vertex refers to the current number of vertices.
//
// Sample run: bench_surface --benchmark_filter=update --benchmark_format=json
#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "experiments/benchmarks/row_processes.hpp"
#include "methods/fem/body/vertex_split.hpp"
#include "methods/numerics/random.hpp"
#include "methods/surface/cutting/fracturing_surface.hpp"
#include "methods/surface/embedding.hpp"
#include "methods/surface/procedural/stand_in_models.hpp"
#include "methods/surface/tetrahedralize.hpp"

namespace deformbench::benchmarks {

namespace {

struct Model {
  const char* name;
  int triangles, tets;
  int vertices() const { return triangles / 2 + 2; }  // genus 0
};
constexpr Model kModels[] = {
    {"quadruped", 5800, 970}, {"dragon", 10000, 834}, {"snake", 22000, 440}, {"dragon", 80000, 5000}};

struct Case {
  surface::StandIn model;
  model::TetMesh mesh;

  explicit Case(const Model& m)
      : model(surface::make_stand_in(m.name, m.triangles)),
        mesh(surface::tetrahedralize_to_count(model.mesh, m.tets, surface::CellLattice::Cubes).mesh) {}
};

/// The mesh with random vertex splits.
struct Breaking {
  const model::TetMesh& rest;
  fem::FractureTopology topology;
  Points positions;
  numerics::RandomStream random{1};

  explicit Breaking(const model::TetMesh& mesh)
      : rest(mesh), topology(mesh.tetrahedra, int(mesh.vertex_count())), positions(mesh.rest_positions) {}
  void split() {
    for (;;) {
      const auto vertex = int(random.below(std::uint64_t(topology.vertex_count())));
      if (topology.split(vertex, random.direction(), positions)) break;
    }
    fem::append_copies(topology, positions);
  }
};

Points bent(Points x) {  // deforms all elements
  for (Eigen::Index v = 0; v < x.rows(); ++v) x(v, 1) += 0.1 * x(v, 0) * x(v, 0);
  return x;
}

void per_vertex(benchmark::State& state, Eigen::Index vertices) {
  state.counters["vertices"] = double(vertices);
  state.counters["ns_per_vertex"] = benchmark::Counter(
      1e-9 * double(vertices), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void update_embedding(benchmark::State& state, const Model& m) {
  const Case c(m);
  const surface::Embedding embedding(c.mesh, c.model.mesh);
  const Points x = bent(c.mesh.rest_positions);
  Points positions, normals;
  for (auto _ : state) {
    embedding.update(x, positions, normals);
    benchmark::DoNotOptimize(positions.data());
  }
  per_vertex(state, embedding.vertex_count());
}

void update_fracturing(benchmark::State& state, const Model& m, int splits) {
  const Case c(m);
  surface::FracturingSurface surface(c.mesh, c.model.mesh);
  Breaking breaking(c.mesh);
  for (int k = 0; k < splits; ++k) {
    breaking.split();
    surface.follow(breaking.topology.tetrahedra());
  }
  const Points x = bent(breaking.positions);
  Points positions, normals;
  for (auto _ : state) {
    surface.update(x, breaking.topology.tetrahedra(), positions, normals);
    benchmark::DoNotOptimize(positions.data());
  }
  per_vertex(state, surface.vertex_count());
}

void follow(benchmark::State& state, const Model& m) {
  constexpr int kSplits = 50;  // before restarting with the uncut model
  const Case c(m);
  std::optional<surface::FracturingSurface> surface;
  std::optional<Breaking> breaking;
  int split = 0;
  double faces = 0.0, cut = 0.0, added = 0.0;
  for (auto _ : state) {
    state.PauseTiming();
    if (split++ % kSplits == 0) {
      surface.emplace(c.mesh, c.model.mesh);
      breaking.emplace(c.mesh);
    }
    breaking->split();
    state.ResumeTiming();
    const surface::SurfaceCut what = surface->follow(breaking->topology.tetrahedra());
    faces += what.faces_opened;
    cut += what.triangles_cut;
    added += what.triangles_added;
  }
  state.counters["faces_opened"] = benchmark::Counter(faces, benchmark::Counter::kAvgIterations);
  state.counters["triangles_cut"] = benchmark::Counter(cut, benchmark::Counter::kAvgIterations);
  state.counters["triangles_added"] = benchmark::Counter(added, benchmark::Counter::kAvgIterations);
}

void create(benchmark::State& state, const Model& m) {
  const Case c(m);
  for (auto _ : state) {
    const surface::FracturingSurface surface(c.mesh, c.model.mesh);
    benchmark::DoNotOptimize(surface.vertex_count());
  }
}

void tetrahedralize(benchmark::State& state, const Model& m, surface::CellLattice lattice, bool by_count) {
  const model::TriangleMesh surface = surface::make_stand_in(m.name, m.triangles).mesh;
  const auto found = surface::tetrahedralize_to_count(surface, m.tets, lattice);
  for (auto _ : state) {
    const auto mesh = by_count ? surface::tetrahedralize_to_count(surface, m.tets, lattice)
                               : surface::tetrahedralize(surface, found.cell_size, lattice, found.anchor);
    benchmark::DoNotOptimize(mesh.mesh.tetrahedra.data());
  }
  state.counters["tetrahedra"] = double(found.mesh.element_count());
}

}  // namespace

std::vector<BenchmarkRow> rows() {
  std::vector<BenchmarkRow> all;
  for (const Model& m : kModels) {
    const std::string update = fmt::format("surface/update/1/{}", m.vertices());
    all.push_back({update + "/embedding", [m](benchmark::State& s) { update_embedding(s, m); }});
    all.push_back({update + "/whole", [m](benchmark::State& s) { update_fracturing(s, m, 0); }});
    all.push_back({update + "/fractured", [m](benchmark::State& s) { update_fracturing(s, m, 200); }});
    all.push_back({fmt::format("surface/follow/1/{}", m.triangles), [m](benchmark::State& s) { follow(s, m); }});
    all.push_back({fmt::format("surface/create/1/{}", m.triangles), [m](benchmark::State& s) { create(s, m); }});
    for (const bool by_count : {true, false}) {
      for (const auto lattice : {surface::CellLattice::Cubes, surface::CellLattice::BodyCentred}) {
        const char* name = lattice == surface::CellLattice::Cubes ? "cubes" : "body_centred";
        all.push_back({fmt::format("surface/tetrahedralize/1/{}/{}_{}", m.triangles, name, by_count ? "count" : "size"),
                       [=](benchmark::State& s) { tetrahedralize(s, m, lattice, by_count); }});
      }
    }
  }
  return all;
}

}  // namespace deformbench::benchmarks

int main(int argc, char** argv) {
  using namespace deformbench::benchmarks;
  return run_rows_in_processes(argc, argv, rows(), benchmark::kMicrosecond);
}
