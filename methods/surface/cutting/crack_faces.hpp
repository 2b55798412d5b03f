// SPDX-License-Identifier: BSD-3-Clause
// The part of an opened face that lies inside a closed surface ([MG04] §5.2, second step): bounded by the segments in
// which the surface crosses the face, and by the parts of the face's edges inside the surface. Put together from signs
// alone, so that it closes what the cut opens; then triangulated.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "methods/surface/cutting/surface_cells.hpp"
#include "methods/surface/cutting/surface_grid.hpp"

namespace deformbench::surface {

struct CrackPatch {
  std::vector<std::array<int, 3>> triangles;  ///< keys; counter-clockwise seen from outside the face's first element
  bool loops_intersect = false;               ///< closed by fans around centres: the surface meets itself here
};

class CrackFaces {
 public:
  /// Finds where the edges of the mesh cross the surface and which of its vertices are inside. The surface must not
  /// cross the boundary of the mesh. InputError when a boundary vertex is inside the surface.
  CrackFaces(const model::TetMesh& mesh, const TetAdjacency& tets, const PerturbedPoints& points, SurfaceCells& cells,
             KeyTable& keys, SurfaceGrid& grid);

  /// How many times the surface winds around a vertex of the mesh: 1 inside, 0 outside, more where it overlaps itself.
  int winding(int vertex) const { return windings_[std::size_t(vertex)]; }

  /// Edges of the opened faces, inside the surface over their whole length, that now join two vertices of the fractured
  /// surface twice: from here on they have a vertex in the middle.
  std::vector<int> divide_edges(const std::vector<int>& opened);

  /// The triangles that close the mesh at `face`; `segments` are all those in which the surface crosses it.
  CrackPatch build(int face, const std::vector<FaceSegment>& segments);

 private:
  struct Crossing {
    int triangle;
    int direction;  // +1: out of the surface, along the edge
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
  std::vector<std::vector<Crossing>> crossings_;  // of each edge, in order
  std::vector<int> windings_;
  std::vector<std::uint8_t> divided_;
  std::set<int> fans_;  // faces whose loops intersect
};

}  // namespace deformbench::surface
