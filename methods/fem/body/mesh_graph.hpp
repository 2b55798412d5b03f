// SPDX-License-Identifier: BSD-3-Clause
// What assembly needs to know of a mesh's topology: an order of nodes and elements that keeps neighbours close in
// memory, the edges, and for every edge and node the places of the elements that contribute to it. So a matrix block is
// gathered in one go instead of scattered to element by element, and threads never collide. Built once, and brought up
// to date when vertices split: new nodes come last, elements keep their slots.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "methods/fem/fracture/vertex_split.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/numerics/block_matrix.hpp"

namespace deformbench::fem {

/// What an update of the graph did to arrays that have one entry per edge.
struct GraphChange {
  /// Edges from, from+1, … of before are to, to+1, … now, with the same places.
  struct Run {
    int from, to, count;
  };
  std::vector<Run> kept_edges;  ///< ascending in both
  std::vector<int> edges;       ///< edges of now that are new or have other places, ascending
  int edge_count = 0;           ///< now

  /// Entries of kept edges moved to where they are now; those of `edges` are left to the caller. Any container with
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
  /// Throws InputError for more than 2²⁷ elements. Nodes are renumbered (reverse Cuthill–McKee) only when the given
  /// order has a mean index distance of neighbours worse than that of a layered cube.
  explicit MeshGraph(const model::TetMesh& mesh);
  /// With given orders: the vertex of each node and the element of each slot.
  MeshGraph(const Tetrahedra& tetrahedra, std::vector<int> node_of, std::vector<int> element_of);

  /// Follows what vertex splits did, all those of a step at once; the result is bit for bit the graph built anew with
  /// the same orders. One pass at the speed of memory over the lists, and sorting in proportion to the stars.
  /// `vertex_count`: now. InputError when the moves are not of the mesh that the graph describes.
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

  /// Where the four corners of each slot start in a vector of four numbers per node; the last element fills what is
  /// left of `slots`.
  std::vector<unsigned> corner_offsets(std::size_t slots) const;
  /// A scalar matrix of the nodes (3n×3n) with the rows and columns of the mesh's vertices.
  Eigen::SparseMatrix<double> in_mesh_order(const Eigen::SparseMatrix<double>& of_nodes) const;

  int node_count() const { return int(node_of.size()); }
  int element_count() const { return int(element_of.size()); }

 private:
  void build(const Tetrahedra& tetrahedra);
  struct Edit;
  void merge_edges(const std::vector<Edit>& edits, GraphChange& change);
  void merge_nodes(const std::vector<Edit>& edits);

  std::vector<int> slot_of_;  ///< slot of each element
  std::vector<int> spare_column_, spare_start_, spare_places_,
      spare_node_places_;  ///< what the next update is written to
};

/// Reverse Cuthill–McKee order of the graph in which every element is a clique: new index → vertex.
std::vector<int> reverse_cuthill_mckee(const model::TetMesh& mesh);

}  // namespace deformbench::fem
