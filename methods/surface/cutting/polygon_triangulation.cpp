// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/polygon_triangulation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

namespace deformbench::surface {

double triangle_quality(const Vector3& a, const Vector3& b, const Vector3& c) {
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return longest > 0.0 ? (b - a).cross(c - a).norm() / longest : 0.0;
}

std::vector<PolygonTriangle> triangulate_convex(std::span<const Vector3> positions,
                                                std::span<const std::uint32_t> sides) {
  const auto n = int(positions.size());
  std::vector<PolygonTriangle> triangles;
  if (n < 3) return triangles;
  std::vector<int> previous(positions.size()), next(positions.size());
  std::vector<double> quality(positions.size());  // of the ear at a vertex; −1 if its corners are on one side
  std::vector<int> left(positions.size());
  std::iota(left.begin(), left.end(), 0);
  const auto at = [](auto& list, int i) -> auto& {
    return list[std::size_t(i)];
  };
  const auto evaluate = [&](int i) {
    const int p = at(previous, i), q = at(next, i);
    at(quality, i) = (at(sides, p) & at(sides, q)) != 0
                         ? -1.0
                         : triangle_quality(at(positions, p), at(positions, i), at(positions, q));
  };
  for (int i = 0; i < n; ++i) {
    at(previous, i) = (i + n - 1) % n;
    at(next, i) = (i + 1) % n;
  }
  for (int i = 0; i < n; ++i) evaluate(i);
  while (left.size() > 3) {
    const auto best =
        std::max_element(left.begin(), left.end(), [&](int a, int b) { return at(quality, a) < at(quality, b); });
    const int i = *best;
    const int p = at(previous, i), q = at(next, i);
    triangles.push_back({p, i, q});
    left.erase(best);
    at(next, p) = q;
    at(previous, q) = p;
    evaluate(p);
    evaluate(q);
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

namespace {

// A vertex in the boundary; a vertex at the start of a bridge occurs twice.
struct Node {
  int vertex;
  int previous, next;
};

class EarClipping {
 public:
  EarClipping(const std::vector<std::vector<int>>& loops, const RegionGeometry& geometry) : geometry_(geometry) {
    for (const std::vector<int>& loop : loops) {
      const auto first = int(nodes_.size());
      const auto n = int(loop.size());
      for (int i = 0; i < n; ++i) {
        nodes_.push_back({loop[std::size_t(i)], first + (i + n - 1) % n, first + (i + 1) % n});
        ring_of_.push_back(int(is_hole_.size()));
      }
      is_hole_.push_back(loops.size() > 1 && geometry.area_sign(loop) < 0);
    }
  }

  // Joins every hole to another loop by a bridge traversed in both directions.
  bool bridge_holes() {
    for (;;) {
      const auto hole = std::find(is_hole_.begin(), is_hole_.end(), true);
      if (hole == is_hole_.end()) return true;
      if (!bridge(int(hole - is_hole_.begin()))) return false;
    }
  }

  bool clip(std::vector<PolygonTriangle>& triangles) {
    std::vector<bool> done(nodes_.size(), false);
    for (int i = 0; i < int(nodes_.size()); ++i) {
      if (done[index(i)]) continue;
      std::vector<int> ring;
      for (int k = i; !done[index(k)]; k = node(k).next) {
        done[index(k)] = true;
        ring.push_back(k);
      }
      if (!clip_ring(std::move(ring), triangles)) return false;
    }
    return true;
  }

 private:
  static std::size_t index(int i) { return std::size_t(i); }
  Node& node(int i) { return nodes_[index(i)]; }
  int vertex(int i) const { return nodes_[index(i)].vertex; }
  int turn(int a, int b, int c) const { return geometry_.turn(vertex(a), vertex(b), vertex(c)); }
  const Vector3& position(int i) const { return geometry_.positions[index(vertex(i))]; }

  // Whether the segment from node i to vertex x starts into the region.
  bool starts_inside(int i, int x) const {
    const Node& at = nodes_[index(i)];
    const int before = turn(at.previous, i, x);
    const int after = turn(i, at.next, x);
    return turn(at.previous, i, at.next) > 0 ? before > 0 && after > 0 : before > 0 || after > 0;
  }

  bool meets_an_edge(int a, int b) const {
    const Vector3 slack = Vector3::Constant(4.0 * geometry_.position_error);
    const Vector3 low = position(a).cwiseMin(position(b)) - slack;
    const Vector3 high = position(a).cwiseMax(position(b)) + slack;
    for (int u = 0; u < int(nodes_.size()); ++u) {
      const int v = nodes_[index(u)].next;
      if ((position(u).cwiseMax(position(v)).array() < low.array()).any()) continue;
      if ((position(u).cwiseMin(position(v)).array() > high.array()).any()) continue;
      const bool at_a = vertex(u) == vertex(a) || vertex(v) == vertex(a);
      const bool at_b = vertex(u) == vertex(b) || vertex(v) == vertex(b);
      if (at_a && at_b) return true;
      if (at_a || at_b) continue;  // common end: decided by the cone there or by another edge
      if (turn(a, b, u) * turn(a, b, v) <= 0 && turn(u, v, a) * turn(u, v, b) <= 0) return true;
    }
    return false;
  }

  bool bridge(int hole) {
    std::vector<std::pair<double, std::array<int, 2>>> candidates;
    for (int h = 0; h < int(nodes_.size()); ++h) {
      if (ring_of_[index(h)] != hole) continue;
      for (int o = 0; o < int(nodes_.size()); ++o) {
        if (ring_of_[index(o)] == hole || !geometry_.may_join(vertex(h), vertex(o))) continue;
        candidates.push_back({(position(h) - position(o)).squaredNorm(), {h, o}});
      }
    }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [distance, pair] : candidates) {
      const auto [h, o] = pair;
      if (!starts_inside(h, o) || !starts_inside(o, h) || meets_an_edge(h, o)) continue;
      // … o → h … (around the hole) … h' → o' …
      const auto h2 = int(nodes_.size());
      const int o2 = h2 + 1;
      nodes_.push_back({vertex(h), node(h).previous, o2});
      nodes_.push_back({vertex(o), h2, node(o).next});
      node(node(h).previous).next = h2;
      node(node(o).next).previous = o2;
      node(o).next = h;
      node(h).previous = o;
      const int other = ring_of_[index(o)];
      ring_of_.insert(ring_of_.end(), {other, other});
      std::replace(ring_of_.begin(), ring_of_.end(), hole, other);
      is_hole_[index(hole)] = false;
      return true;
    }
    return false;
  }

  struct Ear {
    double quality = -1.0;  // −1: no ear
    int blocked_by = -1;    // obstructing node; otherwise the corner is not convex
  };

  Ear ear_at(int i, const std::vector<int>& ring) const {
    const Node& at = nodes_[index(i)];
    const int p = at.previous, q = at.next;
    if (vertex(p) == vertex(q) || turn(p, i, q) <= 0) return {};
    if (ring.size() > 3) {
      if (!geometry_.may_join(vertex(p), vertex(q))) return {};
      const Vector3 slack = Vector3::Constant(4.0 * geometry_.position_error);
      const Vector3 low = position(p).cwiseMin(position(i)).cwiseMin(position(q)) - slack;
      const Vector3 high = position(p).cwiseMax(position(i)).cwiseMax(position(q)) + slack;
      for (const int x : ring) {
        const Vector3& at_x = position(x);
        if ((at_x.array() < low.array()).any() || (at_x.array() > high.array()).any()) continue;
        const int v = vertex(x);
        if (v == vertex(p) || v == vertex(i) || v == vertex(q)) continue;
        if (turn(p, i, x) >= 0 && turn(i, q, x) >= 0 && turn(q, p, x) >= 0) return {-1.0, x};
      }
    }
    return {triangle_quality(position(p), position(i), position(q)), -1};
  }

  bool clip_ring(std::vector<int> ring, std::vector<PolygonTriangle>& triangles) {
    std::vector<Ear> ears(nodes_.size());
    for (const int i : ring) ears[index(i)] = ear_at(i, ring);
    while (ring.size() >= 3) {
      const auto best = std::max_element(ring.begin(), ring.end(),
                                         [&](int a, int b) { return ears[index(a)].quality < ears[index(b)].quality; });
      const int i = *best;
      if (ears[index(i)].quality < 0.0) return false;
      const int p = node(i).previous, q = node(i).next;
      triangles.push_back({vertex(p), vertex(i), vertex(q)});
      if (ring.size() == 3) return true;
      ring.erase(best);
      node(p).next = q;
      node(q).previous = p;
      for (const int k : ring) {
        if (k == p || k == q || ears[index(k)].blocked_by == i) ears[index(k)] = ear_at(k, ring);
      }
    }
    return false;
  }

  const RegionGeometry& geometry_;
  std::vector<Node> nodes_;
  std::vector<int> ring_of_;
  std::vector<bool> is_hole_;
};

}  // namespace

namespace {

// Adds a degenerate triangle for each vertex coincident with its neighbour, so that none remain.
std::vector<int> without_repeated_places(std::vector<int> loop, const RegionGeometry& geometry,
                                         std::vector<PolygonTriangle>& triangles) {
  for (std::size_t i = 0; i < loop.size() && loop.size() > 3;) {
    const std::size_t n = loop.size();
    const std::size_t next = (i + 1) % n;
    if (!geometry.coincide(loop[i], loop[next])) {
      ++i;
      continue;
    }
    // Either of the two may be removed if its neighbours may be joined.
    const std::size_t before = (i + n - 1) % n, after = (i + 2) % n;
    std::size_t gone = n;
    if (geometry.may_join(loop[i], loop[after])) {
      triangles.push_back({loop[i], loop[next], loop[after]});
      gone = next;
    } else if (geometry.may_join(loop[before], loop[next])) {
      triangles.push_back({loop[before], loop[i], loop[next]});
      gone = i;
    }
    if (gone == n) {
      ++i;
      continue;
    }
    loop.erase(loop.begin() + std::ptrdiff_t(gone));
    i = i > 0 ? i - 1 : 0;
  }
  return loop;
}

}  // namespace

std::optional<std::vector<PolygonTriangle>> triangulate_region(const std::vector<std::vector<int>>& loops,
                                                               const RegionGeometry& geometry) {
  std::vector<PolygonTriangle> triangles;
  std::vector<std::vector<int>> simple;
  for (const std::vector<int>& loop : loops) simple.push_back(without_repeated_places(loop, geometry, triangles));
  EarClipping clipping(simple, geometry);
  if (!clipping.bridge_holes() || !clipping.clip(triangles)) return std::nullopt;
  return triangles;
}

}  // namespace deformbench::surface
