// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/tet_adjacency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "methods/model/mesh_checks.hpp"

namespace deformbench::surface {
namespace {

// Corners of the face opposite each corner, counter-clockwise from outside a positive element.
constexpr std::array<std::array<std::int8_t, 3>, 4> kFaceCorners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

std::uint64_t pair_key(int a, int b) {
  return (std::uint64_t(std::min(a, b)) << 32) | std::uint32_t(std::max(a, b));
}

}  // namespace

TetAdjacency::TetAdjacency(const model::TetMesh& mesh) : last_(mesh.tetrahedra) {
  model::require_simulatable(mesh, {});
  const auto element_count = int(mesh.element_count());
  const auto vertex_count = int(mesh.vertex_count());
  struct Side {
    std::array<int, 3> sorted;
    int element;
    std::int8_t opposite;
  };
  std::vector<Side> sides;
  sides.reserve(4 * std::size_t(element_count));
  std::vector<std::array<int, 2>> at_vertex;
  for (int e = 0; e < element_count; ++e) {
    for (std::int8_t k = 0; k < 4; ++k) {
      Side side{{}, e, k};
      for (std::size_t c = 0; c < 3; ++c) side.sorted[c] = mesh.tetrahedra(e, kFaceCorners[std::size_t(k)][c]);
      std::sort(side.sorted.begin(), side.sorted.end());
      sides.push_back(side);
      at_vertex.push_back({mesh.tetrahedra(e, k), e});
    }
  }
  vertex_elements_ = rows_of(vertex_count, at_vertex);
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.element < b.element;
  });

  std::unordered_map<std::uint64_t, int> edge_index;
  const auto edge_of = [&](int a, int b) {
    const auto [found, is_new] = edge_index.try_emplace(pair_key(a, b), int(edges_.size()));
    if (is_new) edges_.push_back({std::min(a, b), std::max(a, b)});
    return found->second;
  };
  element_faces_.resize(std::size_t(element_count));
  std::vector<std::array<int, 2>> at_edge_faces, at_edge_elements;
  for (std::size_t i = 0; i < sides.size();) {
    const Side& side = sides[i];
    const std::size_t count = i + 1 < sides.size() && sides[i + 1].sorted == side.sorted ? 2 : 1;
    TetFace face{{side.element, count == 2 ? sides[i + 1].element : -1}, {}, {}, {}};
    const auto index = int(faces_.size());
    face.corners[0] = face.corners[1] = kFaceCorners[std::size_t(side.opposite)];
    for (std::size_t c = 0; c < 3; ++c) face.vertices[c] = mesh.tetrahedra(side.element, face.corners[0][c]);
    for (std::size_t c = 0; c < 3; ++c) {
      face.edges[c] = edge_of(face.vertices[c], face.vertices[(c + 1) % 3]);
      at_edge_faces.push_back({face.edges[c], index});
      if (count == 2) {
        for (std::int8_t k = 0; k < 4; ++k) {
          if (mesh.tetrahedra(face.elements[1], k) == face.vertices[c]) face.corners[1][c] = k;
        }
      }
    }
    for (std::size_t s = 0; s < count; ++s) {
      element_faces_[std::size_t(sides[i + s].element)][std::size_t(sides[i + s].opposite)] = index;
      for (const int edge : face.edges) at_edge_elements.push_back({edge, sides[i + s].element});
    }
    faces_.push_back(face);
    i += count;
  }
  const auto edge_count = int(edges_.size());
  edge_faces_ = rows_of(edge_count, at_edge_faces);
  // Two faces of an element meet in an edge, so each element occurs twice.
  std::sort(at_edge_elements.begin(), at_edge_elements.end());
  at_edge_elements.erase(std::unique(at_edge_elements.begin(), at_edge_elements.end()), at_edge_elements.end());
  edge_elements_ = rows_of(edge_count, at_edge_elements);
  std::vector<std::array<int, 2>> at_vertex_edges;
  for (int edge = 0; edge < edge_count; ++edge) {
    for (const int v : edges_[std::size_t(edge)]) at_vertex_edges.push_back({v, edge});
  }
  vertex_edges_ = rows_of(vertex_count, at_vertex_edges);
  open_.assign(faces_.size(), 0);
}

TetAdjacency::Rows TetAdjacency::rows_of(int count, const std::vector<std::array<int, 2>>& pairs) {
  Rows rows;
  rows.starts.assign(std::size_t(count) + 1, 0);
  for (const auto& [row, entry] : pairs) ++rows.starts[std::size_t(row) + 1];
  std::partial_sum(rows.starts.begin(), rows.starts.end(), rows.starts.begin());
  rows.entries.resize(pairs.size());
  std::vector<int> next(rows.starts.begin(), rows.starts.end() - 1);
  for (const auto& [row, entry] : pairs) rows.entries[std::size_t(next[std::size_t(row)]++)] = entry;
  return rows;
}

std::vector<int> TetAdjacency::newly_open(const Tetrahedra& current) {
  if (current.rows() != last_.rows()) {
    throw std::invalid_argument(
        fmt::format("fracturing surface: got {} elements, expected {}", current.rows(), last_.rows()));
  }
  std::vector<int> opened;
  for (Eigen::Index e = 0; e < current.rows(); ++e) {
    if (std::memcmp(current.data() + 4 * e, last_.data() + 4 * e, 4 * sizeof(int)) == 0) continue;
    for (const int f : faces_of(int(e))) {
      const TetFace& face = faces_[std::size_t(f)];
      if (face.elements[1] < 0 || is_open(f)) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        if (current(face.elements[0], face.corners[0][c]) == current(face.elements[1], face.corners[1][c])) continue;
        open_[std::size_t(f)] = 1;
        opened.push_back(f);
        break;
      }
    }
  }
  if (opened.empty()) return opened;
  last_ = current;
  std::sort(opened.begin(), opened.end());
  std::vector<int> vertices, edges;
  for (const int f : opened) {
    const TetFace& face = faces_[std::size_t(f)];
    vertices.insert(vertices.end(), face.vertices.begin(), face.vertices.end());
    edges.insert(edges.end(), face.edges.begin(), face.edges.end());
  }
  for (std::vector<int>* list : {&vertices, &edges}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const auto has = [](const TetFace& face, int vertex) {
    return face.vertices[0] == vertex || face.vertices[1] == vertex || face.vertices[2] == vertex;
  };
  for (const int v : vertices) {
    vertex_parts_[v] = parts(elements_at_vertex(v), [&](const TetFace& face) { return has(face, v); });
  }
  for (const int edge : edges) {
    const auto [a, b] = edges_[std::size_t(edge)];
    edge_parts_[edge] =
        parts(elements_at_edge(edge), [&, a = a, b = b](const TetFace& face) { return has(face, a) && has(face, b); });
  }
  return opened;
}

template <class Touches>
std::vector<std::array<int, 2>> TetAdjacency::parts(std::span<const int> elements, Touches&& touches) const {
  std::vector<std::array<int, 2>> result;
  for (const int e : elements) result.push_back({e, e});  // ascending, so the first of a part is its lowest
  std::vector<int> pending;
  std::vector<std::uint8_t> seen(elements.size(), 0);
  for (std::size_t seed = 0; seed < elements.size(); ++seed) {
    if (seen[seed]) continue;
    seen[seed] = 1;
    pending.assign(1, int(seed));
    while (!pending.empty()) {
      const auto i = std::size_t(pending.back());
      pending.pop_back();
      result[i][1] = elements[seed];
      for (const int f : faces_of(elements[i])) {
        const TetFace& face = faces_[std::size_t(f)];
        if (face.elements[1] < 0 || is_open(f) || !touches(face)) continue;
        const int other = face.elements[0] == elements[i] ? face.elements[1] : face.elements[0];
        const auto k = std::size_t(std::lower_bound(elements.begin(), elements.end(), other) - elements.begin());
        if (seen[k]) continue;
        seen[k] = 1;
        pending.push_back(int(k));
      }
    }
  }
  return result;
}

namespace {

int part_in(const std::unordered_map<int, std::vector<std::array<int, 2>>>& parts, int simplex, int element,
            int lowest) {
  const auto found = parts.find(simplex);
  if (found == parts.end()) return lowest;
  for (const auto& [member, part] : found->second) {
    if (member == element) return part;
  }
  throw std::logic_error("fracturing surface: an element is not at the edge or vertex that it was asked for");
}

}  // namespace

int TetAdjacency::part_at_edge(int edge, int element) const {
  return part_in(edge_parts_, edge, element, elements_at_edge(edge).front());
}

int TetAdjacency::part_at_vertex(int vertex, int element) const {
  return part_in(vertex_parts_, vertex, element, elements_at_vertex(vertex).front());
}

}  // namespace deformbench::surface
