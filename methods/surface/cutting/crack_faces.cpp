// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/crack_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>

#include "methods/model/error.hpp"
#include "methods/surface/cutting/polygon_triangulation.hpp"

namespace deformbench::surface {

CrackFaces::CrackFaces(const model::TetMesh& mesh, const TetAdjacency& tets, const PerturbedPoints& points,
                       SurfaceCells& cells, KeyTable& keys, SurfaceGrid& grid)
    : tets_(tets), points_(points), cells_(cells), keys_(keys), divided_(tets.edges().size(), 0) {
  find_crossings(mesh, grid);
  find_windings(mesh);
}

void CrackFaces::find_crossings(const model::TetMesh& mesh, SurfaceGrid& grid) {
  crossings_.resize(tets_.edges().size());
  std::vector<std::uint8_t> on_boundary(crossings_.size(), 0);  // known not to cross the surface
  for (const TetFace& face : tets_.faces()) {
    if (face.elements[1] >= 0) continue;
    for (const int g : face.edges) on_boundary[std::size_t(g)] = 1;
  }
  for (std::size_t g = 0; g < crossings_.size(); ++g) {
    if (on_boundary[g]) continue;
    const auto [a, b] = tets_.edges()[g];
    const Vector3 p = mesh.rest_positions.row(a).transpose();
    const Vector3 q = mesh.rest_positions.row(b).transpose();
    std::vector<Crossing>& found = crossings_[g];
    for (const int t : grid.near(p, q, q)) {
      const int direction = cells_.crossing(t, int(g));
      if (direction != 0) found.push_back({t, direction});
    }
    std::stable_sort(found.begin(), found.end(), [&, a = a, b = b](const Crossing& x, const Crossing& y) {
      return points_.compare_crossings(tet_point(a), tet_point(b), cells_.plane(x.triangle), cells_.plane(y.triangle)) <
             0;
    });
  }
}

void CrackFaces::find_windings(const model::TetMesh& mesh) {
  constexpr int kUnknown = std::numeric_limits<int>::min();
  windings_.assign(std::size_t(mesh.vertex_count()), kUnknown);
  std::vector<int> order(windings_.size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = int(v);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return mesh.rest_positions(a, 0) < mesh.rest_positions(b, 0); });
  for (const int seed : order) {  // the outermost vertex of each connected part is outside
    if (windings_[std::size_t(seed)] != kUnknown) continue;
    windings_[std::size_t(seed)] = 0;
    std::vector<int> pending{seed};
    while (!pending.empty()) {
      const int v = pending.back();
      pending.pop_back();
      for (const int g : tets_.edges_at_vertex(v)) {
        const auto [a, b] = tets_.edges()[std::size_t(g)];
        int change = 0;
        for (const Crossing& c : crossings_[std::size_t(g)]) change -= c.direction;
        const int other = a == v ? b : a;
        const int expected = windings_[std::size_t(v)] + (a == v ? change : -change);
        int& winding = windings_[std::size_t(other)];
        if (winding == kUnknown) {
          winding = expected;
          pending.push_back(other);
        } else if (winding != expected) {
          throw std::logic_error(
              fmt::format("fracturing surface: edge {}–{} crosses the surface inconsistently", a, b));
        }
      }
    }
  }
  for (const TetFace& face : tets_.faces()) {
    if (face.elements[1] >= 0) continue;
    for (const int v : face.vertices) {
      if (winding(v) == 0) continue;
      throw InputError(fmt::format(
          "fracturing surface: vertex {} ({:.6g}, {:.6g}, {:.6g}) of the tetrahedral mesh is on its boundary and "
          "inside the surface; expected a mesh without cavities there",
          v, mesh.rest_positions(v, 0), mesh.rest_positions(v, 1), mesh.rest_positions(v, 2)));
    }
  }
}

int CrackFaces::tet_vertex_key(int vertex, int sheet) {
  return keys_.find_or_add(KeyKind::TetVertex, vertex, sheet, [&] { return points_.vertex(tet_point(vertex)); });
}

// Walks along the edge with a stack of the enclosing sheets: last opened, first closed. Without self-intersections its
// height is at most one.
std::vector<CrackFaces::Piece> CrackFaces::inside_pieces(int edge) {
  const auto [a, b] = tets_.edges()[std::size_t(edge)];
  const PointId p = tet_point(a), q = tet_point(b);
  std::vector<Piece> pieces;
  std::vector<int> open;
  int level = winding(a);
  const auto sheets = [](int w) { return std::size_t(std::abs(w)); };
  for (std::size_t k = 0; k < sheets(level); ++k) open.push_back(tet_vertex_key(a, int(k)));
  // At negative level the surface is inside out, and the piece is reversed.
  const auto close = [&](int key) {
    pieces.push_back(level > 0 ? Piece{open.back(), key} : Piece{key, open.back()});
    open.pop_back();
  };
  for (const Crossing& c : crossings_[std::size_t(edge)]) {
    const int key = keys_.find_or_add(KeyKind::TriangleEdge, c.triangle, edge,
                                      [&] { return points_.crossing(p, q, cells_.plane(c.triangle)); });
    const int next = level - c.direction;
    if (sheets(next) < sheets(level)) {
      close(key);
    } else {
      open.push_back(key);
    }
    level = next;
  }
  for (std::size_t k = sheets(level); k-- > 0;) close(tet_vertex_key(b, int(k)));
  if (divided_[std::size_t(edge)]) {
    const auto whole = [&](const Piece& piece) {
      return keys_[piece[0]].kind == KeyKind::TetVertex && keys_[piece[1]].kind == KeyKind::TetVertex;
    };
    for (std::size_t n = pieces.size(); n-- > 0;) {
      if (!whole(pieces[n])) continue;
      const int middle = keys_.find_or_add(KeyKind::EdgeMiddle, edge, keys_[pieces[n][0]].second,
                                           [&] { return points_.middle(p, q); });
      pieces.push_back({middle, pieces[n][1]});
      pieces[n][1] = middle;
    }
  }
  return pieces;
}

std::vector<int> CrackFaces::divide_edges(const std::vector<int>& opened) {
  std::vector<int> result;
  for (const int f : opened) {
    for (const int g : tets_.faces()[std::size_t(f)].edges) {
      if (divided_[std::size_t(g)]) continue;
      const auto [a, b] = tets_.edges()[std::size_t(g)];
      if (winding(a) == 0 || winding(b) == 0) continue;
      std::vector<int> around;  // one element per part around the edge
      for (const int e : tets_.elements_at_edge(g)) {
        if (tets_.part_at_edge(g, e) == e) around.push_back(e);
      }
      std::vector<std::array<int, 2>> ends;
      for (const int e : around) ends.push_back({tets_.part_at_vertex(a, e), tets_.part_at_vertex(b, e)});
      std::sort(ends.begin(), ends.end());
      if (std::adjacent_find(ends.begin(), ends.end()) == ends.end()) continue;
      divided_[std::size_t(g)] = 1;
      result.push_back(g);
    }
  }
  return result;
}

std::vector<std::vector<int>> CrackFaces::loops(int face, const std::vector<FaceSegment>& segments) {
  const TetFace& f = tets_.faces()[std::size_t(face)];
  std::map<int, int> next;
  const auto add = [&](int from, int to) {
    if (!next.emplace(from, to).second)
      throw std::logic_error("fracturing surface: two pieces of a crack start at one point");
  };
  // The surface runs along n_t × n_f; the closing patch runs in the opposite direction.
  for (const FaceSegment& s : segments) add(s.end, s.start);
  for (std::size_t k = 0; k < 3; ++k) {
    const bool forward = tets_.edges()[std::size_t(f.edges[k])][0] == f.vertices[k];
    for (const Piece& piece : inside_pieces(f.edges[k])) {
      add(forward ? piece[0] : piece[1], forward ? piece[1] : piece[0]);
    }
  }
  std::vector<std::vector<int>> result;
  while (!next.empty()) {
    std::vector<int> loop;
    int key = next.begin()->first;
    do {
      const auto found = next.find(key);
      if (found == next.end())
        throw std::logic_error(fmt::format("fracturing surface: the crack at face {} is open", face));
      loop.push_back(key);
      key = found->second;
      next.erase(found);
    } while (key != loop.front());
    if (loop.size() > 2) result.push_back(std::move(loop));  // two points: both sides of the surface coincide
  }
  return result;
}

namespace {

bool every_edge_once(std::vector<std::array<int, 3>> triangles) {
  std::vector<std::array<int, 2>> directed;
  for (const auto& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) directed.push_back({t[k], t[(k + 1) % 3]});
  }
  std::sort(directed.begin(), directed.end());
  return std::adjacent_find(directed.begin(), directed.end()) == directed.end();
}

}  // namespace

CrackPatch CrackFaces::build(int face, const std::vector<FaceSegment>& segments) {
  const std::vector<std::vector<int>> outlines = loops(face, segments);
  CrackPatch patch;
  if (outlines.empty()) return patch;
  if (outlines.size() == 1 && outlines.front().size() == 3) {
    patch.triangles.push_back({outlines[0][0], outlines[0][1], outlines[0][2]});
    return patch;
  }
  // Local numbers, and the face edges that contain each point.
  const TetFace& f = tets_.faces()[std::size_t(face)];
  std::vector<int> key_of;
  std::vector<Vector3> positions;
  std::vector<std::uint32_t> on_edges;
  std::vector<std::vector<int>> local;
  for (const std::vector<int>& loop : outlines) {
    local.emplace_back();
    for (const int k : loop) {
      const Key& key = keys_[k];
      std::uint32_t mask = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        const bool on =
            key.kind == KeyKind::TetVertex      ? f.vertices[j] == key.first || f.vertices[(j + 1) % 3] == key.first
            : key.kind == KeyKind::TriangleEdge ? f.edges[j] == key.second
                                                : key.kind == KeyKind::EdgeMiddle && f.edges[j] == key.first;
        if (on) mask |= 1U << j;
      }
      local.back().push_back(int(key_of.size()));
      key_of.push_back(k);
      positions.push_back(key.site.position);
      on_edges.push_back(mask);
    }
  }
  const FramedPlane plane = points_.framed(cells_.plane_of_face(face));
  const auto at = [](const auto& list, int i) -> const auto& {
    return list[std::size_t(i)];
  };
  RegionGeometry geometry;
  geometry.positions = positions;
  geometry.position_error = points_.position_error();
  geometry.turn = [&](int a, int b, int c) {
    if ((at(on_edges, a) & at(on_edges, b) & at(on_edges, c)) != 0) return 0;
    return points_.turn(plane, keys_[at(key_of, a)].site, keys_[at(key_of, b)].site, keys_[at(key_of, c)].site);
  };
  // Another face at the same edge may contain both points, and an edge must not be used twice.
  geometry.may_join = [&](int a, int b) { return (at(on_edges, a) & at(on_edges, b)) == 0; };
  geometry.coincide = [&](int a, int b) {
    return points_.coincide(keys_[at(key_of, a)].site, keys_[at(key_of, b)].site);
  };
  geometry.area_sign = [&](std::span<const int> loop) {
    std::vector<Site> sites;
    for (const int i : loop) sites.push_back(keys_[at(key_of, i)].site);
    return points_.area_sign(plane, sites);
  };
  const bool fans = fans_.contains(face);  // permanent, so that the triangle count never decreases
  const auto triangles = fans ? std::nullopt : triangulate_region(local, geometry);
  if (triangles && every_edge_once(*triangles)) {
    for (const PolygonTriangle& t : *triangles)
      patch.triangles.push_back({at(key_of, t[0]), at(key_of, t[1]), at(key_of, t[2])});
    return patch;
  }
  patch.loops_intersect = true;
  fans_.insert(face);
  for (std::size_t n = 0; n < outlines.size(); ++n) {
    const std::vector<int>& loop = outlines[n];
    if (loop.size() == 3) {
      patch.triangles.push_back({loop[0], loop[1], loop[2]});
      continue;
    }
    const int centre = keys_.find_or_add(KeyKind::FaceCentre, face, int(n), [&] {
      Site site;
      for (const int k : loop) site.position += keys_[k].site.position / double(loop.size());
      return site;
    });
    for (std::size_t k = 0; k < loop.size(); ++k)
      patch.triangles.push_back({loop[k], loop[(k + 1) % loop.size()], centre});
  }
  return patch;
}

}  // namespace deformbench::surface
