// SPDX-License-Identifier: BSD-3-Clause
// Faces, edges and stars of a tetrahedral mesh at rest, and which faces have opened since.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::surface {

struct TetFace {
  std::array<int, 2> elements;                        ///< the second is −1 on the boundary
  std::array<int, 3> vertices;                        ///< counter-clockwise from outside the first element
  std::array<int, 3> edges;                           ///< edge k joins vertices k and (k+1) % 3
  std::array<std::array<std::int8_t, 3>, 2> corners;  ///< local indices of `vertices` in each element
};

class TetAdjacency {
 public:
  /// InputError if the mesh cannot be simulated (indices, volumes, faces of three elements).
  explicit TetAdjacency(const model::TetMesh& mesh);

  const std::vector<TetFace>& faces() const { return faces_; }
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }  ///< vertices, ascending
  std::span<const int, 4> faces_of(int element) const {                    ///< k-th: opposite to corner k
    return std::span<const int, 4>(element_faces_[std::size_t(element)]);
  }
  std::span<const int> elements_at_vertex(int vertex) const { return vertex_elements_.row(vertex); }
  std::span<const int> elements_at_edge(int edge) const { return edge_elements_.row(edge); }
  std::span<const int> edges_at_vertex(int vertex) const { return vertex_edges_.row(vertex); }
  std::span<const int> faces_at_edge(int edge) const { return edge_faces_.row(edge); }

  /// Faces whose two elements no longer share the same vertices but did before; marks them open.
  std::vector<int> newly_open(const Tetrahedra& current);
  bool is_open(int face) const { return open_[std::size_t(face)] != 0; }

  /// Parts of the elements around an edge (vertex), connected through closed faces. Returns the lowest element of the
  /// part that contains `element`.
  int part_at_edge(int edge, int element) const;
  int part_at_vertex(int vertex, int element) const;

 private:
  struct Rows {  // concatenated lists of integers
    std::vector<int> starts, entries;
    std::span<const int> row(int i) const {
      const auto k = std::size_t(i);
      return {entries.data() + starts[k], std::size_t(starts[k + 1] - starts[k])};
    }
  };
  using Parts = std::unordered_map<int, std::vector<std::array<int, 2>>>;  // element and part
  static Rows rows_of(int count, const std::vector<std::array<int, 2>>& pairs);
  template <class Touches>
  std::vector<std::array<int, 2>> parts(std::span<const int> elements, Touches&& touches) const;

  std::vector<TetFace> faces_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<std::array<int, 4>> element_faces_;
  Rows vertex_elements_, edge_elements_, vertex_edges_, edge_faces_;
  std::vector<std::uint8_t> open_;
  Tetrahedra last_;
  Parts edge_parts_, vertex_parts_;  // at edges and vertices of open faces
};

}  // namespace deformbench::surface
