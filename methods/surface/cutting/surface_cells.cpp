// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/surface_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace deformbench::surface {
namespace {

[[noreturn]] void contradiction(const char* what, int a, int b) {
  throw std::logic_error(fmt::format("fracturing surface: {} (triangle {}, face or element {})", what, a, b));
}

// Common sign of three, 0 if they differ.
int common_sign(int a, int b, int c) {
  return a == b && b == c ? a : 0;
}

}  // namespace

KeyTable::KeyTable(const PerturbedPoints& points, int surface_vertex_count) {
  keys_.reserve(2 * std::size_t(surface_vertex_count));
  for (int v = 0; v < surface_vertex_count; ++v) keys_.push_back({KeyKind::SurfaceVertex, v, 0, points.vertex(v)});
}

SurfaceCells::SurfaceCells(const model::TriangleMesh& surface, const TetAdjacency& tets, const PerturbedPoints& points,
                           KeyTable& keys, std::vector<int> elements)
    : surface_(surface), tets_(tets), points_(points), keys_(keys), elements_(std::move(elements)) {
  const auto count = int(surface.triangle_count());
  triangle_edges_.resize(std::size_t(count));
  cut_.assign(std::size_t(count), 0);
  std::unordered_map<std::uint64_t, int> index;  // by directed edge; each occurs once
  const auto directed = [](int a, int b) { return (std::uint64_t(a) << 32) | std::uint32_t(b); };
  for (int t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = corner(t, k), b = corner(t, k + 1);
      const auto found = index.find(directed(b, a));
      if (found != index.end() && edges_[std::size_t(found->second)].triangles[1] < 0) {
        edges_[std::size_t(found->second)].triangles[1] = t;
        triangle_edges_[std::size_t(t)][std::size_t(k)] = found->second;
        continue;
      }
      const auto edge = int(edges_.size());
      edges_.push_back({a, b, {t, -1}, false, {}});
      index.emplace(directed(a, b), edge);
      triangle_edges_[std::size_t(t)][std::size_t(k)] = edge;
    }
  }
  for (const Edge& e : edges_) {
    if (e.triangles[1] < 0) contradiction("the surface is open", e.triangles[0], -1);
  }
}

const SurfaceCells::Edge& SurfaceCells::edge(int triangle, int side) const {
  return edges_[std::size_t(triangle_edges_[std::size_t(triangle)][std::size_t(side)])];
}

int SurfaceCells::neighbour(int triangle, int side) const {
  const Edge& e = edge(triangle, side);
  return e.triangles[0] == triangle ? e.triangles[1] : e.triangles[0];
}

PlaneIds SurfaceCells::plane(int triangle) const {
  return {corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)};
}

PlaneIds SurfaceCells::plane_of_face(int face) const {
  const auto& v = tets_.faces()[std::size_t(face)].vertices;
  return {tet_point(v[0]), tet_point(v[1]), tet_point(v[2])};
}

int SurfaceCells::edge_face(int surface_edge, int face) {
  return keys_.find_or_add(KeyKind::EdgeFace, surface_edge, face, [&] {
    const Edge& e = edges_[std::size_t(surface_edge)];
    return points_.crossing(e.first, e.second, plane_of_face(face));
  });
}

int SurfaceCells::triangle_edge(int triangle, int tet_edge) {
  return keys_.find_or_add(KeyKind::TriangleEdge, triangle, tet_edge, [&] {
    const auto& [a, b] = tets_.edges()[std::size_t(tet_edge)];
    return points_.crossing(tet_point(a), tet_point(b), plane(triangle));
  });
}

int SurfaceCells::crossing(int triangle, int tet_edge) const {
  const auto& [a, b] = tets_.edges()[std::size_t(tet_edge)];
  const PointId p = tet_point(a), q = tet_point(b);
  const PlaneIds t = plane(triangle);
  const int side_p = points_.side(t, p);
  if (side_p == 0) return 0;  // degenerate triangle: nothing crosses it
  const int side_q = points_.side(t, q);
  if (side_p == side_q) return 0;
  const int first = points_.side(p, q, t[0], t[1]);
  if (points_.side(p, q, t[1], t[2]) != first || points_.side(p, q, t[2], t[0]) != first) return 0;
  return side_q;
}

FaceSegment SurfaceCells::segment(int triangle, int face) {
  const PlaneIds t = plane(triangle);
  const PlaneIds f = plane_of_face(face);
  std::array<int, 3> side_t, side_f;  // triangle corners relative to the face, face corners relative to the triangle
  for (std::size_t k = 0; k < 3; ++k) side_t[k] = points_.side(f, t[k]);
  if (common_sign(side_t[0], side_t[1], side_t[2]) != 0) return {};
  for (std::size_t k = 0; k < 3; ++k) side_f[k] = points_.side(t, f[k]);
  const bool flat = side_f[0] == 0;  // degenerate triangle: only its edges cross the face
  if (!flat && common_sign(side_f[0], side_f[1], side_f[2]) != 0) return {};

  std::array<std::array<int, 3>, 3> twist{};  // edge i of the triangle against edge j of the face
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) twist[i][j] = points_.side(t[i], t[(i + 1) % 3], f[j], f[(j + 1) % 3]);
  }
  // With d = n_t × n_f: a triangle edge (counter-clockwise about n_t) that crosses to the side of n_f has d·(n_t ×
  // edge) > 0, so d leads inwards from there; for face edges the signs are opposite.
  FaceSegment result;
  const auto put = [&](bool at_start, int key, int on_side) {
    int& slot = at_start ? result.start : result.end;
    if (slot >= 0) contradiction("a triangle and a face meet in more than one segment", triangle, face);
    slot = key;
    (at_start ? result.start_side : result.end_side) = on_side;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (side_t[i] != side_t[j] && common_sign(twist[i][0], twist[i][1], twist[i][2]) != 0) {
      put(side_t[j] > 0, edge_face(triangle_edges_[std::size_t(triangle)][i], face), int(i));
    }
    if (!flat && side_f[i] != side_f[j] && common_sign(twist[0][i], twist[1][i], twist[2][i]) != 0) {
      put(side_f[j] < 0, triangle_edge(triangle, tets_.faces()[std::size_t(face)].edges[i]), -1);
    }
  }
  if ((result.start < 0) != (result.end < 0))
    contradiction("a triangle and a face meet in half a segment", triangle, face);
  return result;
}

std::vector<CellPolygon> SurfaceCells::cut(int triangle) {
  struct Passed {
    int face;
    FaceSegment segment;
  };
  std::vector<Passed> passed;
  const auto segment_at = [&](int face) -> FaceSegment {
    for (const Passed& p : passed) {
      if (p.face == face) return p.segment;
    }
    passed.push_back({face, segment(triangle, face)});
    return passed.back().segment;
  };

  std::vector<CellPolygon> polygons;
  std::array<std::vector<std::array<int, 2>>, 3> side_pieces;
  std::vector<int> pending{elements_[std::size_t(corner(triangle, 0))]};
  std::vector<int> seen = pending;
  while (!pending.empty()) {
    const int element = pending.back();
    pending.pop_back();
    std::vector<std::array<int, 2>> pieces;  // of the boundary of triangle ∩ element, counter-clockwise
    std::array<int, 3> enter{-1, -1, -1}, leave{-1, -1, -1};
    for (const int f : tets_.faces_of(element)) {
      const FaceSegment s = segment_at(f);
      if (!s) continue;
      const TetFace& face = tets_.faces()[std::size_t(f)];
      const bool outward = face.elements[0] == element;
      const int other = outward ? face.elements[1] : face.elements[0];
      if (other < 0) contradiction("the surface leaves the mesh", triangle, f);
      if (std::find(seen.begin(), seen.end(), other) == seen.end()) {
        seen.push_back(other);
        pending.push_back(other);
      }
      // n_t × (n_t × n_f) = −n_f + …: for outward n_f the element is to the left of the segment.
      pieces.push_back(outward ? std::array{s.start, s.end} : std::array{s.end, s.start});
      const int from_side = outward ? s.start_side : s.end_side;
      const int to_side = outward ? s.end_side : s.start_side;
      if (from_side >= 0) leave[std::size_t(from_side)] = pieces.back()[0];
      if (to_side >= 0) enter[std::size_t(to_side)] = pieces.back()[1];
    }
    for (int k = 0; k < 3; ++k) {
      const auto i = std::size_t(k);
      const int a = corner(triangle, k), b = corner(triangle, k + 1);
      const int from = elements_[std::size_t(a)] == element ? a : enter[i];
      const int to = elements_[std::size_t(b)] == element ? b : leave[i];
      if ((from < 0) != (to < 0)) contradiction("an edge enters an element and does not leave it", triangle, element);
      if (from < 0) continue;
      pieces.push_back({from, to});
      side_pieces[i].push_back({from, to});
    }
    CellPolygon polygon{element, {}};
    int key = pieces.front()[0];
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      polygon.keys.push_back(key);
      const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const auto& p) { return p[0] == key; });
      if (piece == pieces.end()) contradiction("the outline of a cell is open", triangle, element);
      key = (*piece)[1];
      if (key == polygon.keys.front() && n + 1 < pieces.size())
        contradiction("a cell has two outlines", triangle, element);
    }
    if (key != polygon.keys.front()) contradiction("the outline of a cell does not close", triangle, element);
    polygons.push_back(std::move(polygon));
  }
  for (int k = 0; k < 3; ++k) divide_edge(triangle, k, side_pieces[std::size_t(k)]);
  cut_[std::size_t(triangle)] = 1;
  return polygons;
}

void SurfaceCells::divide_edge(int triangle, int side, const std::vector<std::array<int, 2>>& pieces) {
  Edge& e = edges_[std::size_t(triangle_edges_[std::size_t(triangle)][std::size_t(side)])];
  if (e.divided) return;
  e.divided = true;
  int key = corner(triangle, side);
  const int last = corner(triangle, side + 1);
  for (std::size_t n = 0; n <= pieces.size(); ++n) {
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const auto& p) { return p[0] == key; });
    if (piece == pieces.end()) contradiction("an edge is interrupted", triangle, side);
    key = (*piece)[1];
    if (key == last) break;
    e.keys.push_back(key);
  }
  if (e.keys.size() + 1 != pieces.size()) contradiction("an edge has loose pieces", triangle, side);
  if (e.triangles[0] != triangle) std::reverse(e.keys.begin(), e.keys.end());
}

void SurfaceCells::outline(int triangle, std::vector<int>& keys, std::vector<std::uint32_t>& sides) const {
  keys.clear();
  sides.clear();
  for (int k = 0; k < 3; ++k) {
    const auto bit = std::uint32_t(1) << k;
    keys.push_back(corner(triangle, k));
    sides.push_back(bit | (std::uint32_t(1) << ((k + 2) % 3)));
    const Edge& e = edge(triangle, k);
    const bool forward = e.triangles[0] == triangle;
    for (std::size_t i = 0; i < e.keys.size(); ++i) {
      keys.push_back(forward ? e.keys[i] : e.keys[e.keys.size() - 1 - i]);
      sides.push_back(bit);
    }
  }
}

}  // namespace deformbench::surface
