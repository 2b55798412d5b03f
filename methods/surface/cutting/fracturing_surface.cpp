// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/fracturing_surface.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "methods/model/disjoint_sets.hpp"
#include "methods/model/error.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/cutting/crack_faces.hpp"
#include "methods/surface/cutting/perturbed_points.hpp"
#include "methods/surface/cutting/polygon_triangulation.hpp"
#include "methods/surface/cutting/surface_cells.hpp"
#include "methods/surface/cutting/surface_grid.hpp"
#include "methods/surface/cutting/surface_link.hpp"
#include "methods/surface/cutting/tet_adjacency.hpp"

namespace deformbench::surface {
namespace {

constexpr int kAnyElement = -1;  // no open face crosses the triangle, so all elements it passes through form one part

template <class T>
void append_row(std::vector<T>& list, std::initializer_list<T> values) {
  list.insert(list.end(), values.begin(), values.end());
}

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

ClosedSurface closed_or_refused(const model::TriangleMesh& surface, const std::string& name) {
  try {
    return closed_surface(surface);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

TetAdjacency simulatable_or_refused(const model::TetMesh& mesh, const std::string& name) {
  try {
    return TetAdjacency(mesh);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: the tetrahedral mesh: {}", name, error.what()));
  }
}

}  // namespace

struct FracturingSurface::State {
  struct NewTriangle {
    std::array<int, 3> keys;
    int element;
  };
  struct KeyUse {
    std::vector<std::array<int, 2>> vertices;  // part, vertex
    std::vector<int> corners;                  // 3·triangle + corner
  };
  struct OpenFace {
    std::vector<FaceSegment> segments;
    std::vector<int> triangles;
  };

  State(const model::TetMesh& rest_mesh, const model::TriangleMesh& surface, const std::string& name);
  void refuse_crossing_the_boundary(const std::string& name);
  SurfaceCut follow(const Tetrahedra& current);
  std::vector<int> open_faces(const std::vector<int>& opened);
  void relink(const std::vector<int>& opened);
  std::vector<NewTriangle> triangles_of_cells(int triangle);
  std::vector<NewTriangle> triangles_of_outline(int triangle) const;
  void replace(std::vector<int>& slots, const std::vector<NewTriangle>& with, int origin, SurfaceCut& cut);
  void finish_normals();
  const std::vector<int>& near(int face);

  int part_of(const Key& key, int element) const;
  int vertex_of(int key, int element);
  KeyUse& use_of(int key);
  Vector3 rest_position(int vertex) const {
    return Eigen::Map<const Vector3>(rest_positions.data() + 3 * std::size_t(vertex));
  }

  model::TetMesh rest;
  ClosedSurface first;
  std::vector<int> source_vertices;
  TetAdjacency tets;
  PerturbedPoints points;
  KeyTable keys;
  SurfaceGrid grid;
  SurfaceCells cells;
  std::unique_ptr<CrackFaces> cracks;
  double longest_edge = 0.0;

  // The fractured surface.
  std::vector<int> triangles, origins;
  std::vector<int> corner_keys, triangle_elements;
  std::vector<double> rest_positions, rest_normals, barycentric;
  std::vector<int> elements;
  LinkedPoints linked;

  std::vector<KeyUse> uses;  // of keys that are not vertices of the original surface
  std::unordered_map<int, std::vector<int>> keys_at_face, keys_at_edge, keys_at_vertex;  // keys located there
  std::vector<std::vector<int>> slots_of;  // current triangles per original triangle
  std::map<int, OpenFace> open;
  std::vector<int> touched;  // keys with changed vertices
};

FracturingSurface::State::State(const model::TetMesh& rest_mesh, const model::TriangleMesh& surface,
                                const std::string& name)
    : rest(rest_mesh),
      first(closed_or_refused(surface, name)),
      source_vertices(first.source_vertices),
      tets(simulatable_or_refused(rest, name)),
      points(first.mesh.positions, rest, outward_directions(rest, tets)),
      keys(points, int(first.mesh.vertex_count())),
      grid(first.mesh),
      cells(first.mesh, tets, points, keys,
            containing_elements(rest, tets, points, first.mesh, source_vertices, name)) {
  refuse_crossing_the_boundary(name);
  cracks = std::make_unique<CrackFaces>(rest, tets, points, cells, keys, grid);

  const auto vertex_count = std::size_t(first.mesh.vertex_count());
  const auto triangle_count = std::size_t(first.mesh.triangle_count());
  triangles.assign(first.mesh.triangles.data(), first.mesh.triangles.data() + first.mesh.triangles.size());
  corner_keys = triangles;
  triangle_elements.assign(triangle_count, kAnyElement);
  origins.resize(triangle_count);
  std::iota(origins.begin(), origins.end(), 0);
  slots_of.resize(triangle_count);
  for (std::size_t t = 0; t < triangle_count; ++t) slots_of[t] = {int(t)};
  for (std::size_t c = 0; c < triangles.size(); ++c) {
    const std::size_t next = c % 3 == 2 ? c - 2 : c + 1;
    longest_edge = std::max(
        longest_edge, (first.mesh.positions.row(triangles[c]) - first.mesh.positions.row(triangles[next])).norm());
  }
  elements = cells.elements();
  rest_positions.assign(first.mesh.positions.data(), first.mesh.positions.data() + first.mesh.positions.size());
  const Points normals = vertex_normals(first.mesh);
  rest_normals.assign(normals.data(), normals.data() + normals.size());
  BarycentricCoordinates coordinates(first.mesh.vertex_count(), 4);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    coordinates.row(Eigen::Index(v)) = barycentric_in(rest, elements[v], rest_position(int(v))).transpose();
  }
  barycentric.assign(coordinates.data(), coordinates.data() + coordinates.size());
  linked.append(rest, elements, coordinates, normals);
}

const std::vector<int>& FracturingSurface::State::near(int face) {
  const auto& v = tets.faces()[std::size_t(face)].vertices;
  return grid.near(rest.rest_positions.row(v[0]).transpose(), rest.rest_positions.row(v[1]).transpose(),
                   rest.rest_positions.row(v[2]).transpose());
}

// All vertices are inside, but for a non-convex mesh a triangle may still cross the outside.
void FracturingSurface::State::refuse_crossing_the_boundary(const std::string& name) {
  for (std::size_t f = 0; f < tets.faces().size(); ++f) {
    const TetFace& face = tets.faces()[f];
    if (face.elements[1] >= 0) continue;
    for (const int t : near(int(f))) {
      const FaceSegment segment = cells.segment(t, int(f));
      if (!segment) continue;
      const Vector3& p = keys[segment.start].site.position;
      throw InputError(
          fmt::format("{}: triangle {} sticks out of the tetrahedral mesh through its boundary face ({}, {}, {}) at "
                      "({:.6g}, {:.6g}, {:.6g}); expected a surface inside the mesh",
                      name, t, face.vertices[0], face.vertices[1], face.vertices[2], p[0], p[1], p[2]));
    }
  }
}

SurfaceCut FracturingSurface::State::follow(const Tetrahedra& current) {
  SurfaceCut cut;
  const std::vector<int> opened = tets.newly_open(current);
  if (opened.empty()) return cut;
  cut.faces_opened = int(opened.size());
  const auto vertices_before = int(elements.size());
  touched.clear();
  relink(opened);

  const std::vector<int> to_cut = open_faces(opened);
  cut.triangles_cut = int(to_cut.size());
  std::vector<std::vector<NewTriangle>> parts;
  for (const int t : to_cut) parts.push_back(triangles_of_cells(t));
  std::vector<int> neighbours;  // uncut, with new points on their edges
  for (std::size_t n = 0; n < to_cut.size(); ++n) {
    const int t = to_cut[n];
    replace(slots_of[std::size_t(t)], parts[n], t, cut);
    for (int side = 0; side < 3; ++side) {
      if (!cells.is_cut(cells.neighbour(t, side))) neighbours.push_back(cells.neighbour(t, side));
    }
  }
  sort_unique(neighbours);
  for (const int t : neighbours) replace(slots_of[std::size_t(t)], triangles_of_outline(t), t, cut);

  std::vector<int> faces = opened;
  for (const int g : cracks->divide_edges(opened)) {
    ++cut.edges_divided;
    for (const int f : tets.faces_at_edge(g)) {
      if (tets.is_open(f)) faces.push_back(f);
    }
  }
  sort_unique(faces);
  for (const int f : faces) {
    OpenFace& face = open[f];
    const CrackPatch patch = cracks->build(f, face.segments);
    cut.overlapping_cracks += patch.loops_intersect ? 1 : 0;
    const auto& sides = tets.faces()[std::size_t(f)].elements;
    std::vector<NewTriangle> both;
    for (const auto& t : patch.triangles) {
      both.push_back({t, sides[0]});
      both.push_back({{t[0], t[2], t[1]}, sides[1]});
    }
    replace(face.triangles, both, -1 - f, cut);
  }
  finish_normals();
  cut.vertices_added = int(elements.size()) - vertices_before;
  return cut;
}

// Finds the surface's crossings with the opened faces; returns the triangles that must be cut.
std::vector<int> FracturingSurface::State::open_faces(const std::vector<int>& opened) {
  std::vector<int> to_cut;
  for (const int f : opened) {
    OpenFace& face = open[f];
    for (const int t : near(f)) {
      const FaceSegment segment = cells.segment(t, f);
      if (!segment) continue;
      face.segments.push_back(segment);
      if (!cells.is_cut(t)) to_cut.push_back(t);
    }
  }
  sort_unique(to_cut);
  return to_cut;
}

std::vector<FracturingSurface::State::NewTriangle> FracturingSurface::State::triangles_of_cells(int triangle) {
  std::vector<NewTriangle> result;
  std::vector<Vector3> positions;
  for (const CellPolygon& polygon : cells.cut(triangle)) {
    positions.clear();
    for (const int key : polygon.keys) positions.push_back(keys[key].site.position);
    const std::vector<std::uint32_t> sides(positions.size(), 0);  // strictly convex
    for (const PolygonTriangle& t : triangulate_convex(positions, sides)) {
      const auto key = [&](std::size_t c) { return polygon.keys[std::size_t(t[c])]; };
      result.push_back({{key(0), key(1), key(2)}, polygon.element});
    }
  }
  return result;
}

std::vector<FracturingSurface::State::NewTriangle> FracturingSurface::State::triangles_of_outline(int triangle) const {
  std::vector<NewTriangle> result;
  std::vector<int> outline;
  std::vector<std::uint32_t> sides;
  cells.outline(triangle, outline, sides);
  std::vector<Vector3> positions;
  for (const int key : outline) positions.push_back(keys[key].site.position);
  for (const PolygonTriangle& t : triangulate_convex(positions, sides)) {
    const auto key = [&](std::size_t c) { return outline[std::size_t(t[c])]; };
    result.push_back({{key(0), key(1), key(2)}, kAnyElement});
  }
  return result;
}

void FracturingSurface::State::replace(std::vector<int>& slots, const std::vector<NewTriangle>& with, int origin,
                                       SurfaceCut& cut) {
  if (with.size() < slots.size()) throw std::logic_error("fracturing surface: a part has fewer triangles than before");
  const auto surface_vertices = int(first.mesh.vertex_count());
  for (const int t : slots) {
    for (int corner = 3 * t; corner < 3 * t + 3; ++corner) {
      const int key = corner_keys[std::size_t(corner)];
      if (key < surface_vertices) continue;
      std::erase(use_of(key).corners, corner);
      touched.push_back(key);
    }
  }
  cut.triangles_added += int(with.size() - slots.size());
  while (slots.size() < with.size()) {
    slots.push_back(int(origins.size()));
    append_row(triangles, {0, 0, 0});
    append_row(corner_keys, {0, 0, 0});
    origins.push_back(origin);
    triangle_elements.push_back(0);
  }
  for (std::size_t n = 0; n < with.size(); ++n) {
    const auto t = std::size_t(slots[n]);
    triangle_elements[t] = with[n].element;
    for (std::size_t c = 0; c < 3; ++c) {
      const int key = with[n].keys[c];
      corner_keys[3 * t + c] = key;
      triangles[3 * t + c] = vertex_of(key, with[n].element);
      if (key < surface_vertices) continue;
      use_of(key).corners.push_back(int(3 * t + c));
      touched.push_back(key);
    }
    const Vector3 a = rest_position(triangles[3 * t]);
    const Vector3 b = rest_position(triangles[3 * t + 1]);
    const Vector3 c = rest_position(triangles[3 * t + 2]);
    const double longest = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
    if ((b - a).cross(c - a).norm() <= kSliverAltitude * longest_edge * longest) {
      if (cut.slivers++ == 0) cut.first_sliver = int(t);
    }
  }
}

FracturingSurface::State::KeyUse& FracturingSurface::State::use_of(int key) {
  const auto i = std::size_t(key) - std::size_t(first.mesh.vertex_count());
  if (i >= uses.size()) uses.resize(std::size_t(keys.size()) - std::size_t(first.mesh.vertex_count()));
  return uses[i];
}

// Part of the elements around a key that contains `element`, identified by its lowest element.
int FracturingSurface::State::part_of(const Key& key, int element) const {
  switch (key.kind) {
    case KeyKind::SurfaceVertex:
    case KeyKind::FaceCentre:
      return element;
    case KeyKind::EdgeFace:
      return tets.is_open(key.second) ? element : tets.faces()[std::size_t(key.second)].elements[0];
    case KeyKind::TriangleEdge:
      return tets.part_at_edge(key.second, element);
    case KeyKind::TetVertex:
      return tets.part_at_vertex(key.first, element);
    case KeyKind::EdgeMiddle:
      return tets.part_at_edge(key.first, element);
  }
  return element;
}

int FracturingSurface::State::vertex_of(int key, int element) {
  const Key& k = keys[key];
  if (k.kind == KeyKind::SurfaceVertex) return key;
  KeyUse& use = use_of(key);
  const int part = part_of(k, element);
  for (const auto& [known, vertex] : use.vertices) {
    if (known == part) return vertex;
  }
  if (part < 0) throw std::logic_error("fracturing surface: a whole triangle has a corner on an open face");
  if (use.vertices.empty()) {
    if (k.kind == KeyKind::EdgeFace) keys_at_face[k.second].push_back(key);
    if (k.kind == KeyKind::TriangleEdge) keys_at_edge[k.second].push_back(key);
    if (k.kind == KeyKind::EdgeMiddle) keys_at_edge[k.first].push_back(key);
    if (k.kind == KeyKind::TetVertex) keys_at_vertex[k.first].push_back(key);
  }
  const auto vertex = int(elements.size());
  use.vertices.push_back({part, vertex});
  const Vector3& p = k.site.position;
  const Eigen::Vector4d b = barycentric_in(rest, part, p);
  elements.push_back(part);
  append_row(rest_positions, {p[0], p[1], p[2]});
  append_row(rest_normals, {0.0, 0.0, 0.0});
  append_row(barycentric, {b[0], b[1], b[2], b[3]});
  source_vertices.push_back(-1);
  return vertex;
}

// Corners at separated parts follow their own part. The part with the lowest element keeps the vertex.
void FracturingSurface::State::relink(const std::vector<int>& opened) {
  std::vector<int> affected;
  const auto add = [&](const std::unordered_map<int, std::vector<int>>& at, int simplex) {
    const auto found = at.find(simplex);
    if (found != at.end()) affected.insert(affected.end(), found->second.begin(), found->second.end());
  };
  for (const int f : opened) {
    const TetFace& face = tets.faces()[std::size_t(f)];
    add(keys_at_face, f);
    for (const int g : face.edges) add(keys_at_edge, g);
    for (const int v : face.vertices) add(keys_at_vertex, v);
  }
  sort_unique(affected);
  for (const int key : affected) {
    touched.push_back(key);
    for (const int corner : std::vector<int>(use_of(key).corners)) {
      const int element = triangle_elements[std::size_t(corner / 3)];
      if (element == kAnyElement) continue;  // now crossed by the face; will be cut
      triangles[std::size_t(corner)] = vertex_of(key, element);
    }
  }
}

// Angle-weighted normals of vertices at touched keys; crack triangles count only if there are no others.
void FracturingSurface::State::finish_normals() {
  sort_unique(touched);
  const int known = linked.size();
  std::vector<std::pair<int, Vector3>> changed;
  std::vector<std::array<Vector3, 2>> sums;  // per vertex at a key: sum of outer triangles, sum of cracks
  for (const int key : touched) {
    const KeyUse& use = use_of(key);
    sums.assign(use.vertices.size(), {Vector3::Zero(), Vector3::Zero()});
    for (const int corner : use.corners) {
      const auto t = std::size_t(corner / 3);
      const auto c = std::size_t(corner % 3);
      const auto at = [&](std::size_t k) { return rest_position(triangles[3 * t + (c + k) % 3]); };
      const Vector3 origin = at(0);
      const Vector3 u = at(1) - origin;
      const Vector3 w = at(2) - origin;
      const Vector3 area = u.cross(w);
      const double length = area.norm();
      if (length == 0.0) continue;
      std::size_t n = 0;
      while (use.vertices[n][1] != triangles[3 * t + c]) ++n;
      sums[n][origins[t] >= 0 ? 0 : 1] += (std::atan2(length, u.dot(w)) / length) * area;
    }
    for (std::size_t n = 0; n < sums.size(); ++n) {
      const Vector3& normal = sums[n][sums[n][0].squaredNorm() > 0.0 ? 0 : 1];
      const double length = normal.norm();
      changed.emplace_back(use.vertices[n][1], length > 0.0 ? Vector3(normal / length) : Vector3::Zero());
    }
  }
  for (const auto& [vertex, normal] : changed) {
    Eigen::Map<Vector3>(rest_normals.data() + 3 * std::size_t(vertex)) = normal;
    if (vertex < known) linked.set_normal(rest, vertex, normal);
  }
  const auto from = std::size_t(known);
  const auto count = Eigen::Index(elements.size() - from);
  if (count == 0) return;
  linked.append(rest, std::span<const int>(elements).subspan(from),
                Eigen::Map<const BarycentricCoordinates>(barycentric.data() + 4 * from, count, 4),
                Eigen::Map<const Points>(rest_normals.data() + 3 * from, count, 3));
  linked.regroup_if_scattered();
}

FracturingSurface::FracturingSurface(const model::TetMesh& rest, const model::TriangleMesh& surface,
                                     const std::string& name)
    : state_(std::make_unique<State>(rest, surface, name)) {}
FracturingSurface::~FracturingSurface() = default;
FracturingSurface::FracturingSurface(FracturingSurface&&) noexcept = default;
FracturingSurface& FracturingSurface::operator=(FracturingSurface&&) noexcept = default;

SurfaceCut FracturingSurface::follow(const Tetrahedra& current) {
  return state_->follow(current);
}
Eigen::Index FracturingSurface::vertex_count() const {
  return Eigen::Index(state_->elements.size());
}
Eigen::Index FracturingSurface::triangle_count() const {
  return Eigen::Index(state_->origins.size());
}
Eigen::Map<const Triangles> FracturingSurface::triangles() const {
  return {state_->triangles.data(), triangle_count(), 3};
}
const std::vector<int>& FracturingSurface::triangle_origins() const {
  return state_->origins;
}
PointsView FracturingSurface::rest_positions() const {
  return {state_->rest_positions.data(), vertex_count(), 3};
}
PointsView FracturingSurface::rest_normals() const {
  return {state_->rest_normals.data(), vertex_count(), 3};
}
const std::vector<int>& FracturingSurface::elements() const {
  return state_->elements;
}
Eigen::Map<const BarycentricCoordinates> FracturingSurface::barycentric() const {
  return {state_->barycentric.data(), vertex_count(), 4};
}
const std::vector<int>& FracturingSurface::source_vertices() const {
  return state_->source_vertices;
}
const std::vector<std::string>& FracturingSurface::warnings() const {
  return state_->first.warnings;
}
int FracturingSurface::grid_builds() const {
  return state_->grid.builds();
}

void FracturingSurface::update(const Eigen::Ref<const Points>& x, const Tetrahedra& current, Points& positions,
                               Points& normals) const {
  if (current.rows() != state_->rest.element_count()) {
    throw std::invalid_argument(
        fmt::format("fracturing surface: got {} elements, expected {}", current.rows(), state_->rest.element_count()));
  }
  positions.resize(vertex_count(), 3);
  normals.resize(vertex_count(), 3);
  state_->linked.pass<true, NormalMap::InverseTranspose>(x.data(), current, nullptr, positions.data(), normals.data());
}

SurfacePieces FracturingSurface::pieces() const {
  const State& s = *state_;
  model::DisjointSets sets(s.elements.size());
  for (std::size_t c = 0; c < s.triangles.size(); ++c)
    if (c % 3 != 2) sets.unite(s.triangles[c], s.triangles[c + 1]);
  SurfacePieces pieces;
  std::vector<int> piece_of(s.elements.size(), -1);
  const Vector3 origin = s.rest_position(0);
  for (std::size_t t = 0; t < s.origins.size(); ++t) {
    int& piece = piece_of[std::size_t(sets.root(s.triangles[3 * t]))];
    if (piece < 0) {
      piece = int(pieces.volumes.size());
      pieces.volumes.push_back(0.0);
    }
    pieces.of_triangle.push_back(piece);
    const auto corner = [&](std::size_t c) -> Vector3 { return s.rest_position(s.triangles[3 * t + c]) - origin; };
    pieces.volumes[std::size_t(piece)] += corner(0).dot(corner(1).cross(corner(2))) / 6.0;
  }
  return pieces;
}

}  // namespace deformbench::surface
