// SPDX-License-Identifier: BSD-3-Clause
// Part of an opened face inside a closed surface ([MG04] §5.2, second step). It is bounded by the segments in which the
// surface crosses the face and by the inside parts of the face's edges. Assembled from signs alone, so that it exactly
// closes the cut; then triangulated.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "methods/surface/cutting/surface_cells.hpp"
#include "methods/surface/cutting/surface_grid.hpp"

namespace deformbench::surface {

struct CrackPatch {
  std::vector<std::array<int, 3>> triangles;  ///< keys; counter-clockwise from outside the face's first element
  bool loops_intersect = false;               ///< self-intersection: closed by fans around centres
};

class CrackFaces {
 public:
  /// Finds the crossings of mesh edges with the surface and the mesh vertices inside it. The surface must not cross the
  /// boundary of the mesh. InputError if a boundary vertex is inside the surface.
  CrackFaces(const model::TetMesh& mesh, const TetAdjacency& tets, const PerturbedPoints& points, SurfaceCells& cells,
             KeyTable& keys, SurfaceGrid& grid);

  /// Winding number of the surface at a mesh vertex: 1 inside, 0 outside, more if it overlaps itself.
  int winding(int vertex) const { return windings_[std::size_t(vertex)]; }

  /// Gives a midpoint vertex to (and returns) edges of opened faces, entirely inside the surface, that now join two
  /// vertices of the fractured surface twice.
  std::vector<int> divide_edges(const std::vector<int>& opened);

  /// Triangles that close the cut at `face`; `segments` are all segments in which the surface crosses it.
  CrackPatch build(int face, const std::vector<FaceSegment>& segments);

 private:
  struct Crossing {
    int triangle;
    int direction;  // +1: leaves the surface along the edge
  };
  using Piece = std::array<int, 2>;  // keys: from, to

  void find_crossings(const model::TetMesh& mesh, SurfaceGrid& grid);
  void find_windings(const model::TetMesh& mesh);
  int tet_vertex_key(int vertex, int sheet);
  std::vector<Piece> inside_pieces(int edge);
  std::vector<std::vector<int>> loops(int face, const std::vector<FaceSegment>& segments);

  const TetAdjacency& tets_;
  const PerturbedPoints& points_;
  SurfaceCells& cells_;
  KeyTable& keys_;
  std::vector<std::vector<Crossing>> crossings_;  // per edge, ordered along it
  std::vector<int> windings_;
  std::vector<std::uint8_t> divided_;
  std::set<int> fans_;  // faces whose loops intersect
};

}  // namespace deformbench::surface
