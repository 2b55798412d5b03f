// SPDX-License-Identifier: BSD-3-Clause
// What assembly needs to know of a mesh's topology, built once: an order of nodes and elements that keeps neighbours
// close in memory, the edges, and for every edge and node the places of the elements that contribute to it. So a
// matrix block is gathered in one go instead of scattered to element by element, and threads never collide.
#pragma once

#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/numerics/block_matrix.hpp"

namespace deformbench::fem {

struct MeshGraph {
  /// Throws InputError for more than 2²⁷ elements. Nodes are renumbered (reverse Cuthill–McKee) only when the given
  /// order has a mean index distance of neighbours worse than that of a layered cube.
  explicit MeshGraph(const model::TetMesh& mesh);

  std::vector<int> node_of;     ///< mesh vertex of each node
  std::vector<int> vertex_to_node;
  std::vector<int> element_of;  ///< mesh element of each slot
  std::vector<int> corners;     ///< 4 nodes a slot
  numerics::EdgePattern edges;
  std::vector<int> edge_start;  ///< edges+1, into edge_places
  std::vector<int> edge_places; ///< 16·slot + 4·a + b: the edge's nodes i < j are corners a and b of the slot
  std::vector<int> node_start;  ///< nodes+1, into node_places
  std::vector<int> node_places; ///< 4·slot + a

  int node_count() const { return int(node_of.size()); }
  int element_count() const { return int(element_of.size()); }
};

/// Reverse Cuthill–McKee order of the graph in which every element is a clique: new index → vertex.
std::vector<int> reverse_cuthill_mckee(const model::TetMesh& mesh);

}  // namespace deformbench::fem
