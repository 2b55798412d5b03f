// SPDX-License-Identifier: BSD-3-Clause
// Triangles of a surface divided into convex cells by the tetrahedra that they pass through ([MG04] §5.2, first step),
// by names of points rather than by their places: the corner of a cell is a vertex of the surface, an edge of the
// surface crossing a face, or an edge of a tetrahedron crossing a triangle, and neighbours find the same names.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/cutting/perturbed_points.hpp"
#include "methods/surface/cutting/tet_adjacency.hpp"

namespace deformbench::surface {

enum class KeyKind : std::uint8_t {
  SurfaceVertex,  ///< first: the vertex
  EdgeFace,       ///< first: edge of the surface, second: face
  TriangleEdge,   ///< first: triangle, second: edge of the tetrahedral mesh
  TetVertex,      ///< first: the vertex, second: which of several sheets there (0 unless the surface meets itself)
  EdgeMiddle,     ///< first: edge of the tetrahedral mesh, second: which sheet
  FaceCentre,     ///< first: face, second: which loop
};

struct Key {
  KeyKind kind;
  int first, second;
  Site site;
};

/// The names in use, numbered; those of the surface's own vertices come first.
class KeyTable {
 public:
  KeyTable(const PerturbedPoints& points, int surface_vertex_count);
  /// Number of the key; `make_site` is called for a new one.
  template <class MakeSite>
  int find_or_add(KeyKind kind, int first, int second, MakeSite&& make_site) {
    const std::uint64_t packed = (std::uint64_t(kind) << 61) | (std::uint64_t(std::uint32_t(first)) << 30) |
                                 std::uint64_t(std::uint32_t(second));
    const auto [found, is_new] = index_.try_emplace(packed, int(keys_.size()));
    if (is_new) keys_.push_back({kind, first, second, make_site()});
    return found->second;
  }
  const Key& operator[](int key) const { return keys_[std::size_t(key)]; }
  int size() const { return int(keys_.size()); }

 private:
  std::vector<Key> keys_;
  std::unordered_map<std::uint64_t, int> index_;
};

/// Where a triangle and a face meet: a segment that runs along (normal of the triangle) × (normal of the face).
struct FaceSegment {
  int start = -1, end = -1;            ///< keys; −1: they do not meet
  int start_side = -1, end_side = -1;  ///< side of the triangle that the key is on; −1: on an edge of the face
  explicit operator bool() const { return start >= 0; }
};

struct CellPolygon {
  int element;
  std::vector<int> keys;  ///< counter-clockwise as the triangle
};

class SurfaceCells {
 public:
  /// `surface` closed and consistently oriented, each vertex inside the element `elements` names.
  SurfaceCells(const model::TriangleMesh& surface, const TetAdjacency& tets, const PerturbedPoints& points,
               KeyTable& keys, std::vector<int> elements);

  FaceSegment segment(int triangle, int face);
  /// +1 when the edge of the tetrahedral mesh, from its first to its second vertex, crosses the triangle to the side of
  /// its normal, −1 when it crosses the other way, 0 when it does not.
  int crossing(int triangle, int tet_edge) const;

  /// Divides the triangle into one polygon for each tetrahedron that it passes through, and its three edges.
  std::vector<CellPolygon> cut(int triangle);
  bool is_cut(int triangle) const { return cut_[std::size_t(triangle)] != 0; }
  /// Corners of an uncut triangle and the keys on its edges; `sides` as triangulate_convex takes them.
  void outline(int triangle, std::vector<int>& keys, std::vector<std::uint32_t>& sides) const;

  int neighbour(int triangle, int side) const;
  const std::vector<int>& elements() const { return elements_; }  ///< that contain the vertices
  PlaneIds plane(int triangle) const;
  PlaneIds plane_of_face(int face) const;

 private:
  struct Edge {
    int first, second;  // as the first triangle runs through it
    std::array<int, 2> triangles;
    bool divided = false;
    std::vector<int> keys;  // from first to second
  };
  int corner(int triangle, int k) const { return surface_.triangles(triangle, k % 3); }
  const Edge& edge(int triangle, int side) const;
  int edge_face(int surface_edge, int face);
  int triangle_edge(int triangle, int tet_edge);
  void divide_edge(int triangle, int side, const std::vector<std::array<int, 2>>& pieces);

  const model::TriangleMesh& surface_;
  const TetAdjacency& tets_;
  const PerturbedPoints& points_;
  KeyTable& keys_;
  std::vector<int> elements_;
  std::vector<Edge> edges_;
  std::vector<std::array<int, 3>> triangle_edges_;
  std::vector<std::uint8_t> cut_;
};

}  // namespace deformbench::surface
