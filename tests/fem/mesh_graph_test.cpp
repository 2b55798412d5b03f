// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/mesh_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "methods/model/error.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

TEST(MeshGraph, ListsEveryEdgeWithEveryElementRoundItOnce) {
  const Scene scene = block_scene({3, 2, 2});
  const MeshGraph graph(scene.tet_mesh);
  std::set<std::pair<int, int>> edges;
  std::size_t places = 0;
  for (int i = 0; i < graph.node_count(); ++i) {
    for (int e = graph.edges.row_start[std::size_t(i)]; e < graph.edges.row_start[std::size_t(i) + 1]; ++e) {
      const int j = graph.edges.column[std::size_t(e)];
      EXPECT_LT(i, j);
      EXPECT_EQ(graph.edges.row_of(e), i);
      EXPECT_TRUE(edges.insert({i, j}).second);
      for (int k = graph.edge_start[std::size_t(e)]; k < graph.edge_start[std::size_t(e) + 1]; ++k, ++places) {
        const int place = graph.edge_places[std::size_t(k)];
        EXPECT_EQ(graph.corners[std::size_t(place >> 2)], i);
        EXPECT_EQ(graph.corners[std::size_t(((place >> 2) & ~3) | (place & 3))], j);
      }
    }
  }
  EXPECT_EQ(places, 6u * std::size_t(graph.element_count()));
  EXPECT_EQ(graph.edge_places.size(), places);
  std::set<int> elements(graph.element_of.begin(), graph.element_of.end());
  EXPECT_EQ(int(elements.size()), graph.element_count());
}

TEST(MeshGraph, RenumbersAShuffledMeshAndLeavesALayeredOne) {
  Scene scene = block_scene({20, 4, 4});
  const MeshGraph layered(scene.tet_mesh);
  for (int i = 0; i < layered.node_count(); ++i) EXPECT_EQ(layered.node_of[std::size_t(i)], i);
  const int n = int(scene.tet_mesh.vertex_count());
  const auto reach = [](const MeshGraph& graph) {
    int widest = 0;
    for (int i = 0; i < graph.node_count(); ++i)
      for (int e = graph.edges.row_start[std::size_t(i)]; e < graph.edges.row_start[std::size_t(i) + 1]; ++e)
        widest = std::max(widest, graph.edges.column[std::size_t(e)] - i);
    return widest;
  };
  numerics::RandomStream random(82);
  std::vector<int> place(std::size_t(n), 0);
  for (int i = 0; i < n; ++i) place[std::size_t(i)] = i;
  for (int i = n - 1; i > 0; --i) std::swap(place[std::size_t(i)], place[random.below(std::uint64_t(i) + 1)]);
  const Points rest = scene.tet_mesh.rest_positions;
  for (int i = 0; i < n; ++i) scene.tet_mesh.rest_positions.row(place[std::size_t(i)]) = rest.row(i);
  for (Eigen::Index k = 0; k < scene.tet_mesh.tetrahedra.size(); ++k)
    scene.tet_mesh.tetrahedra.data()[k] = place[std::size_t(scene.tet_mesh.tetrahedra.data()[k])];
  const MeshGraph renumbered(scene.tet_mesh);
  EXPECT_LT(reach(renumbered), 4 * reach(layered));
  for (int v = 0; v < n; ++v) EXPECT_EQ(renumbered.node_of[std::size_t(renumbered.vertex_to_node[std::size_t(v)])], v);
}

void expect_same(const MeshGraph& updated, const MeshGraph& rebuilt) {
  EXPECT_EQ(updated.node_of, rebuilt.node_of);
  EXPECT_EQ(updated.vertex_to_node, rebuilt.vertex_to_node);
  EXPECT_EQ(updated.element_of, rebuilt.element_of);
  EXPECT_EQ(updated.corners, rebuilt.corners);
  EXPECT_EQ(updated.edges.nodes, rebuilt.edges.nodes);
  EXPECT_EQ(updated.edges.row_start, rebuilt.edges.row_start);
  EXPECT_EQ(updated.edges.column, rebuilt.edges.column);
  EXPECT_EQ(updated.edge_start, rebuilt.edge_start);
  EXPECT_EQ(updated.edge_places, rebuilt.edge_places);
  EXPECT_EQ(updated.node_start, rebuilt.node_start);
  EXPECT_EQ(updated.node_places, rebuilt.node_places);
}

std::vector<int> places_of_edge(const MeshGraph& graph, int edge) {
  return {graph.edge_places.begin() + graph.edge_start[std::size_t(edge)],
          graph.edge_places.begin() + graph.edge_start[std::size_t(edge) + 1]};
}
TEST(MeshGraph, GivenOrdersRebuildTheSameGraph) {
  const Scene scene = block_scene({5, 3, 3});
  const MeshGraph graph(scene.tet_mesh);
  expect_same(graph, MeshGraph(scene.tet_mesh.tetrahedra, graph.node_of, graph.element_of));
}

TEST(MeshGraph, AfterHundredsOfSplitsEqualsAGraphBuiltAnewBitForBit) {
  numerics::RandomStream random(307);
  int splits = 0;
  for (const auto kind :
       {model::BlockSplit::AlternatingFive, model::BlockSplit::KuhnSix, model::BlockSplit::BodyCentred}) {
    for (const HingeRule rule : {HingeRule::Separate, HingeRule::Keep}) {
      Scene scene = block_scene({4, 3, 3}, 0.1, kind);
      const int n = int(scene.tet_mesh.vertex_count());
      if (rule == HingeRule::Keep) {  // mirrored numbers: nodes and vertices, slots and elements differ
        scene.tet_mesh.tetrahedra = (n - 1 - scene.tet_mesh.tetrahedra.array()).matrix().eval();
        scene.tet_mesh.rest_positions = scene.tet_mesh.rest_positions.colwise().reverse().eval();
        for (Eigen::Index k = 1; k < scene.tet_mesh.tetrahedra.size(); k += 7) {
          const auto e = Eigen::Index(random.below(std::uint64_t(scene.tet_mesh.element_count())));
          scene.tet_mesh.tetrahedra.row(0).swap(scene.tet_mesh.tetrahedra.row(e));
        }
      }
      FractureTopology topology(scene.tet_mesh.tetrahedra, n, rule);
      MeshGraph graph(scene.tet_mesh);
      for (int step = 0; step < 80 && !HasFailure(); ++step) {
        std::vector<VertexSplit> batch;
        for (std::uint64_t k = random.below(4) + 1; k > 0; --k) {
          auto split = topology.split(int(random.below(std::uint64_t(topology.vertex_count()))), random.direction(),
                                      scene.tet_mesh.rest_positions);
          if (split) batch.push_back(std::move(*split));
        }
        splits += int(batch.size());
        const MeshGraph before = graph;
        std::vector<int> origin(std::size_t(before.edges.edge_count()));
        for (std::size_t e = 0; e < origin.size(); ++e) origin[e] = int(e);
        const GraphChange change = graph.apply(batch);
        expect_same(graph, MeshGraph(topology.tetrahedra(), graph.node_of, graph.element_of));

        // What the change calls kept has the places that it had; the rest it lists.
        EXPECT_EQ(change.edge_count, graph.edges.edge_count());
        change.carry_edges(origin);
        ASSERT_EQ(int(origin.size()), graph.edges.edge_count());
        std::size_t next = 0;
        std::vector<std::uint8_t> kept(origin.size(), 0);
        for (const auto& run : change.kept_edges)
          for (int e = 0; e < run.count; ++e) kept[std::size_t(run.to + e)] = 1;
        for (int e = 0; e < graph.edges.edge_count(); ++e) {
          if (kept[std::size_t(e)]) {
            ASSERT_EQ(places_of_edge(graph, e), places_of_edge(before, origin[std::size_t(e)]));
          } else {
            ASSERT_LT(next, change.edges.size());
            ASSERT_EQ(change.edges[next++], e);
          }
        }
        EXPECT_EQ(next, change.edges.size());
      }
    }
  }
  EXPECT_GT(splits, 500);
}

TEST(MeshGraph, RefusesMovesOfAnotherMeshAndStaysAsItWas) {
  const Scene scene = block_scene({2, 2, 2});
  MeshGraph graph(scene.tet_mesh);
  const MeshGraph before = graph;
  const int n = graph.node_count();
  const int vertex = scene.tet_mesh.tetrahedra(3, 1);
  const auto apply = [&](std::vector<CornerMove> moves, int vertices) { graph.apply(moves, vertices); };
  EXPECT_THROW(apply({{3, 1, vertex, n}, {4, 0, n, n}}, n + 1), InputError);
  expect_same(graph, before);
  EXPECT_THROW(apply({{3, 1, vertex, n}}, n), InputError);
  EXPECT_THROW(apply({{-1, 1, vertex, n}}, n + 1), InputError);
  expect_same(graph, before);
}

}  // namespace
}  // namespace deformbench::fem
