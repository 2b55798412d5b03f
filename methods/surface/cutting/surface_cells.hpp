// SPDX-License-Identifier: BSD-3-Clause
// Division of surface triangles into convex cells by the tetrahedra they pass through ([MG04] §5.2, first step),
// combinatorially: a cell corner is identified by its key (a surface vertex, surface edge × face, or triangle ×
// tetrahedron edge), not its position, so that neighbours agree.
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
  TetVertex,      ///< first: the vertex, second: sheet index (0 unless the surface self-intersects)
  EdgeMiddle,     ///< first: edge of the tetrahedral mesh, second: sheet index
  FaceCentre,     ///< first: face, second: loop index
};

struct Key {
  KeyKind kind;
  int first, second;
  Site site;
};

/// Numbered keys in use; the surface's own vertices come first.
class KeyTable {
 public:
  KeyTable(const PerturbedPoints& points, int surface_vertex_count);
  /// Number of the key; calls `make_site` for a new one.
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

/// Intersection of a triangle and a face: a segment along (triangle normal) × (face normal).
struct FaceSegment {
  int start = -1, end = -1;            ///< keys; −1: no intersection
  int start_side = -1, end_side = -1;  ///< triangle side that contains the key; −1: on an edge of the face
  explicit operator bool() const { return start >= 0; }
};

struct CellPolygon {
  int element;
  std::vector<int> keys;  ///< counter-clockwise, as the triangle
};

class SurfaceCells {
 public:
  /// `surface` must be closed and consistently oriented; `elements` names the element that contains each vertex.
  SurfaceCells(const model::TriangleMesh& surface, const TetAdjacency& tets, const PerturbedPoints& points,
               KeyTable& keys, std::vector<int> elements);

  FaceSegment segment(int triangle, int face);
  /// +1 if the mesh edge, from its first to its second vertex, crosses the triangle along the triangle's normal, −1
  /// if against it, 0 if not at all.
  int crossing(int triangle, int tet_edge) const;

  /// Cuts the triangle into one polygon per tetrahedron it passes through, and divides its edges.
  std::vector<CellPolygon> cut(int triangle);
  bool is_cut(int triangle) const { return cut_[std::size_t(triangle)] != 0; }
  /// Corners of an uncut triangle and the keys on its edges; `sides` as for triangulate_convex.
  void outline(int triangle, std::vector<int>& keys, std::vector<std::uint32_t>& sides) const;

  int neighbour(int triangle, int side) const;
  const std::vector<int>& elements() const { return elements_; }  ///< containing each vertex
  PlaneIds plane(int triangle) const;
  PlaneIds plane_of_face(int face) const;

 private:
  struct Edge {
    int first, second;  // in the orientation of the first triangle
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
