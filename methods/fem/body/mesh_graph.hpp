// SPDX-License-Identifier: BSD-3-Clause
// Mesh topology for assembly: an order of nodes and elements that keeps neighbours close in memory, the edges, and
// for every edge and node the places of contributing elements. Matrix blocks are gathered in one pass instead of
// scattered per element, so writes never race. Built once, updated when vertices split: new nodes come last,
// elements keep their slots.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "methods/fem/body/vertex_split.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/numerics/block_matrix.hpp"

namespace deformbench::fem {

/// Sets of vertices that all share edges with each other: one element of more than four nodes per row.
using Cliques = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Effect of a graph update on arrays with one entry per edge.
struct GraphChange {
  /// Old edges from, from+1, … are now edges to, to+1, …, with the same places.
  struct Run {
    int from, to, count;
  };
  std::vector<Run> kept_edges;  ///< ascending in both
  std::vector<int> edges;       ///< current edges, new or with changed places, ascending
  int edge_count = 0;           ///< now

  /// Moves the entries of kept edges to their new indices; the caller sets those of `edges`. Any container with
  /// resize() and data().
  template <class Container>
  void carry_edges(Container& values) const {
    Container moved;
    moved.resize(std::size_t(edge_count));
    for (const Run& run : kept_edges)
      std::copy(values.data() + run.from, values.data() + run.from + run.count, moved.data() + run.to);
    values = std::move(moved);
  }
};

struct MeshGraph {
  /// Throws InputError for 2²⁷ or more elements. Nodes are renumbered (reverse Cuthill–McKee) only if the mean
  /// index distance of neighbours exceeds n^(2/3) + 16, as in a layered cube.
  explicit MeshGraph(const model::TetMesh& mesh) : MeshGraph(mesh, {}) {}
  /// Adds edges between all vertices of each clique; an edge in no tetrahedron has no places. Only
  /// for meshes whose vertices do not split.
  MeshGraph(const model::TetMesh& mesh, const Cliques& cliques);
  /// With given orders: the vertex of each node and the element of each slot.
  MeshGraph(const Tetrahedra& tetrahedra, std::vector<int> node_of, std::vector<int> element_of);

  /// Applies all vertex splits of a step at once; the result is bit-identical to a graph rebuilt with the same
  /// orders. Cost: one memory-bound pass over the lists, plus sorting the changed places. `vertex_count`:
  /// after the splits. InputError if the moves do not fit the graph's mesh.
  GraphChange apply(std::span<const CornerMove> moves, int vertex_count);
  GraphChange apply(std::span<const VertexSplit> splits);

  std::vector<int> node_of;  ///< mesh vertex of each node
  std::vector<int> vertex_to_node;
  std::vector<int> element_of;  ///< mesh element of each slot
  std::vector<int> corners;     ///< 4 nodes per slot
  numerics::EdgePattern edges;
  std::vector<int> edge_start;   ///< edges+1, into edge_places
  std::vector<int> edge_places;  ///< 16·slot + 4·a + b: the edge's nodes i < j are corners a and b of the slot
  std::vector<int> node_start;   ///< nodes+1, into node_places
  std::vector<int> node_places;  ///< 4·slot + a

  /// Offsets of the four corners of each slot in a vector of four numbers per node; repeats the last element to
  /// `slots`.
  std::vector<unsigned> corner_offsets(std::size_t slots) const;
  /// A scalar matrix (3n×3n) permuted from node order to the mesh's vertex order.
  Eigen::SparseMatrix<double> in_mesh_order(const Eigen::SparseMatrix<double>& of_nodes) const;

  int node_count() const { return int(node_of.size()); }
  int element_count() const { return int(element_of.size()); }

 private:
  void build(const Tetrahedra& tetrahedra, const Cliques& cliques);
  struct Edit;
  void merge_edges(const std::vector<Edit>& edits, GraphChange& change);
  void merge_nodes(const std::vector<Edit>& edits);

  std::vector<int> slot_of_;  ///< slot of each element
  std::vector<int> spare_column_, spare_start_, spare_places_,
      spare_node_places_;  ///< buffers of the next update
};

/// Reverse Cuthill–McKee order of the graph in which every element is a clique: new index → vertex.
std::vector<int> reverse_cuthill_mckee(const model::TetMesh& mesh);

}  // namespace deformbench::fem
