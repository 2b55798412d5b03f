// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/mesh_graph.hpp"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace deformbench::fem
