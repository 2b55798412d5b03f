// SPDX-License-Identifier: BSD-3-Clause
// Stars and blocks to fracture, and a slow second opinion on what a vertex split must do: plain sets and maps over the
// whole mesh, written without a look at methods/fem/body/vertex_split.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "methods/fem/body/vertex_split.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::fem {

struct BodyToBreak {
  Points positions;
  Tetrahedra tetrahedra;
};

/// `count` tetrahedra round vertex 0: cones over triangles of a sphere that is triangulated by putting random points
/// into random triangles of an octahedron or a tetrahedron. Fewer than the sphere has leave it open, at times in
/// pieces.
inline BodyToBreak random_star(int count, numerics::RandomStream& random) {
  std::vector<Vector3> points{Vector3(0.1, -0.2, 0.05)};
  std::vector<std::array<int, 3>> link;
  if (random.below(2) == 0) {
    for (int k = 0; k < 6; ++k) points.push_back((k % 2 ? -1.0 : 1.0) * Vector3::Unit(k / 2));
    for (int x = 1; x <= 2; ++x)
      for (int y = 3; y <= 4; ++y)
        for (int z = 5; z <= 6; ++z) link.push_back({x, y, z});
  } else {
    points.insert(points.end(), {Vector3(1, 1, 1), Vector3(1, -1, -1), Vector3(-1, 1, -1), Vector3(-1, -1, 1)});
    link = {{1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}};
  }
  while (int(link.size()) < count || random.below(4) == 0) {
    const std::size_t at = random.below(link.size());
    const auto [a, b, c] = link[at];
    const double u = random.uniform(0.2, 1.0), v = random.uniform(0.2, 1.0), w = random.uniform(0.2, 1.0);
    const int inner = int(points.size());
    points.push_back(
        (u * points[std::size_t(a)] + v * points[std::size_t(b)] + w * points[std::size_t(c)]).normalized() *
        random.uniform(0.6, 1.4));
    link[at] = {a, b, inner};
    link.push_back({b, c, inner});
    link.push_back({c, a, inner});
  }
  while (int(link.size()) > count) link.erase(link.begin() + std::ptrdiff_t(random.below(link.size())));
  BodyToBreak body;
  body.positions.resize(Eigen::Index(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) body.positions.row(Eigen::Index(i)) = points[i].transpose();
  body.tetrahedra.resize(Eigen::Index(link.size()), 4);
  for (std::size_t e = 0; e < link.size(); ++e) {
    std::array<int, 4> corners{0, link[e][0], link[e][1], link[e][2]};
    for (std::size_t k = 3; k > 0; --k) std::swap(corners[k], corners[random.below(k + 1)]);
    for (int a = 0; a < 4; ++a) body.tetrahedra(Eigen::Index(e), a) = corners[std::size_t(a)];
  }
  return body;
}

inline BodyToBreak octahedral_star() {
  BodyToBreak body;
  body.positions.resize(7, 3);
  body.positions << 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1;
  body.tetrahedra.resize(8, 4);
  for (int e = 0; e < 8; ++e) body.tetrahedra.row(e) << 0, 1 + (e & 1), 3 + ((e >> 1) & 1), 5 + ((e >> 2) & 1);
  return body;
}

inline BodyToBreak jittered_block(std::array<int, 3> cells, model::BlockSplit split, std::uint64_t seed) {
  model::JitterOptions options;
  options.fraction = 0.3;
  options.seed = seed;
  options.keep_boundary = false;
  const auto mesh = model::jitter(
      model::make_block(cells, Vector3::Zero(), 0.1 * Vector3(cells[0], cells[1], cells[2]), split), options);
  return {mesh.rest_positions, mesh.tetrahedra};
}

/// What a split must do, in terms of sets. Vertices that come apart get any unused numbers.
class SlowMesh {
 public:
  using Triple = std::array<int, 3>;
  explicit SlowMesh(const Tetrahedra& tetrahedra, int vertices) : next(vertices) {
    for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e)
      elements.push_back({tetrahedra(e, 0), tetrahedra(e, 1), tetrahedra(e, 2), tetrahedra(e, 3)});
  }

  std::vector<std::array<int, 4>> elements;
  std::set<int> tips;
  int next;

  std::map<Triple, std::vector<int>> faces() const {
    std::map<Triple, std::vector<int>> result;
    for (int e = 0; e < int(elements.size()); ++e)
      for (int skip = 0; skip < 4; ++skip) {
        Triple triple;
        for (int a = 0, k = 0; a < 4; ++a)
          if (a != skip) triple[std::size_t(k++)] = elements[std::size_t(e)][std::size_t(a)];
        std::sort(triple.begin(), triple.end());
        result[triple].push_back(e);
      }
    return result;
  }

  bool has(int e, int v) const {
    const auto& corners = elements[std::size_t(e)];
    return std::find(corners.begin(), corners.end(), v) != corners.end();
  }

  /// Labels of the elements, equal when a chain of shared faces joins them; only faces that have vertex `v` when v ≥ 0.
  std::vector<int> pieces(int v = -1) const {
    std::vector<int> label(elements.size());
    for (std::size_t e = 0; e < label.size(); ++e) label[e] = int(e);
    const auto shared = faces();
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [triple, owners] : shared) {
        if (owners.size() != 2 || (v >= 0 && std::find(triple.begin(), triple.end(), v) == triple.end())) continue;
        int &a = label[std::size_t(owners[0])], &b = label[std::size_t(owners[1])];
        if (a == b) continue;
        a = b = std::min(a, b);
        changed = true;
      }
    }
    return label;
  }

  /// Every piece of the star of v but the one with the lowest element gets a vertex of its own.
  bool separate(int v) {
    const std::vector<int> label = pieces(v);
    std::map<int, int> vertex_of;
    for (int e = 0; e < int(elements.size()); ++e) {
      if (!has(e, v)) continue;
      const int piece = label[std::size_t(e)];
      if (!vertex_of.count(piece)) vertex_of[piece] = vertex_of.empty() ? v : next++;
      std::replace(elements[std::size_t(e)].begin(), elements[std::size_t(e)].end(), v, vertex_of[piece]);
    }
    return vertex_of.size() > 1;
  }

  struct Outcome {
    bool splits = false;
    std::set<int> positive, negative, tips, hinges;
    std::set<std::set<int>> exposed;  ///< pairs of elements
  };

  Outcome split(int v, const Vector3& normal, const Points& positions, HingeRule rule) {
    Outcome outcome;
    for (int e = 0; e < int(elements.size()); ++e) {
      if (!has(e, v)) continue;
      long double distance = 0.0L;
      for (int k = 0; k < 3; ++k) {
        long double centre = 0.0L;
        for (const int corner : elements[std::size_t(e)]) centre += positions(corner, k);
        distance += (long double)normal[k] * (centre / 4 - positions(v, k));
      }
      (distance >= -1e-15L ? outcome.positive : outcome.negative).insert(e);
    }
    outcome.splits = !outcome.positive.empty() && !outcome.negative.empty();
    if (!outcome.splits) return outcome;
    for (const auto& [triple, owners] : faces()) {
      if (owners.size() != 2 || !outcome.positive.count(owners[0]) == !outcome.positive.count(owners[1])) continue;
      if (std::find(triple.begin(), triple.end(), v) == triple.end()) continue;
      outcome.exposed.insert({owners[0], owners[1]});
      for (const int corner : triple)
        if (corner != v) outcome.tips.insert(corner);
    }
    const int minus = next++;
    for (const int e : outcome.negative)
      std::replace(elements[std::size_t(e)].begin(), elements[std::size_t(e)].end(), v, minus);
    tips.insert(outcome.tips.begin(), outcome.tips.end());
    tips.erase(v);
    if (rule == HingeRule::Separate) {
      separate(v);
      separate(minus);
      for (const int tip : outcome.tips)
        if (separate(tip)) outcome.hinges.insert(tip);
      for (const int hinge : outcome.hinges) outcome.tips.erase(hinge), tips.erase(hinge);
    }
    return outcome;
  }

  /// V − E + F − T of every piece, sorted.
  std::vector<int> euler_characteristics() const {
    struct Cells {
      std::set<int> vertices;
      std::set<std::array<int, 2>> edges;
      std::set<Triple> faces;
      int elements = 0;
    };
    std::map<int, Cells> cells;
    const std::vector<int> label = pieces();
    for (int e = 0; e < int(elements.size()); ++e) {
      Cells& piece = cells[label[std::size_t(e)]];
      auto c = elements[std::size_t(e)];
      std::sort(c.begin(), c.end());
      ++piece.elements;
      for (std::size_t a = 0; a < 4; ++a) {
        piece.vertices.insert(c[a]);
        for (std::size_t b = a + 1; b < 4; ++b) {
          piece.edges.insert({c[a], c[b]});
          for (std::size_t d = b + 1; d < 4; ++d) piece.faces.insert({c[a], c[b], c[d]});
        }
      }
    }
    std::vector<int> result;
    for (const auto& [seed, piece] : cells)
      result.push_back(int(piece.vertices.size()) - int(piece.edges.size()) + int(piece.faces.size()) - piece.elements);
    std::sort(result.begin(), result.end());
    return result;
  }

  /// Edges of which the boundary faces are not exactly none or two.
  std::set<std::array<int, 2>> crowded_edges() const {
    std::map<std::array<int, 2>, int> count;
    for (const auto& [t, owners] : faces())
      if (owners.size() == 1) ++count[{t[0], t[1]}], ++count[{t[0], t[2]}], ++count[{t[1], t[2]}];
    std::set<std::array<int, 2>> result;
    for (const auto& [edge, boundary] : count)
      if (boundary != 2) result.insert(edge);
    return result;
  }
};

}  // namespace deformbench::fem
