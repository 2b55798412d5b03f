// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_state.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "methods/meshless/surface/rebasing.hpp"

namespace deformbench::meshless {
namespace {

using Kind = SheetName::Kind;

constexpr double kInside = 1e-3;  // in surfel radii below the surface, for nodes mapped outside

bool is_same(const AdvancingFront& a, const AdvancingFront& b) {
  return a.id == b.id && a.is_closed == b.is_closed && a.first_sheet == b.first_sheet && a.last_sheet == b.last_sheet &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const CrackNode& p, const CrackNode& q) {
                      return p.id == q.id && p.vertex == q.vertex && p.position == q.position;
                    });
}

bool contains(std::span<const int> all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// F⁻ᵀ n, unit; n if F is singular.
Vector3 carried_normal(const Matrix3& f, const Vector3& normal) {
  Matrix3 cofactor;
  cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  const Vector3 carried = f.determinant() < 0.0 ? Vector3(-cofactor * normal) : Vector3(cofactor * normal);
  return carried.norm() > 0.0 ? Vector3(carried.normalized()) : normal;
}

}  // namespace

CrackState::CrackState(CrackBody body, const CrackOptions& options)
    : body_(std::move(body)), options_(options), area_(options.surfel_radius) {}

CrackNode CrackState::new_node(const Vector3& position, int crack) {
  CrackNode node;
  node.id = counters_.nodes++;
  node.crack = crack;
  node.position = position;
  node.vertex = area_.add_vertex(position);
  return node;
}

CrackNode CrackState::node_between(const CrackNode& a, const CrackNode& b, const Vector3& position, int crack) {
  CrackNode node = new_node(position, crack);
  const Vector3 normal = a.normal + b.normal;
  node.normal = normal.norm() > 0.1 ? Vector3(normal.normalized()) : a.normal;
  node.flip = a.crack == crack && a.other_crack < 0 ? a.flip : b.flip;
  node.rate = 0.5 * (a.rate + b.rate);
  // Without its neighbours' history a new node would turn at once in the direction of the stress.
  node.history = 0.5 * (a.history + b.history);
  node.has_history = a.has_history && b.has_history;
  node.since_surfel = 0.5 * (a.since_surfel + b.since_surfel);
  return node;
}

void CrackState::add_surfels(AdvancingFront& front, std::size_t i) {
  const std::size_t n = front.nodes.size();
  CrackNode& node = front.nodes[i];
  node.since_surfel = 0.0;
  const auto add = [&](const Vector3& normal, int crack, int flip) {
    // [PKAGDG05] §3.2: two surfels with equal position and radius and opposite normals, one per sheet.
    surfels_.push_back({node.position, flip * normal, options_.surfel_radius, crack, 1});
    surfels_.push_back({node.position, -flip * normal, options_.surfel_radius, crack, -1});
  };
  if (node.other_crack < 0) return add(node.normal, node.crack, node.flip);
  // At a crease each sheet ends with surfels of its own normal.
  const CrackNode& before = front.nodes[(i + n - 1) % n];
  const CrackNode& after = front.nodes[(i + 1) % n];
  add(before.normal, node.crack, before.flip);
  add(after.normal, node.other_crack, after.flip);
}

void CrackState::add_crease(int a, int b) {
  if (a == b) return;
  const Crease crease{std::min(a, b), std::max(a, b)};
  for (const Crease& known : creases_)
    if (known.first_crack == crease.first_crack && known.second_crack == crease.second_crack) return;
  creases_.push_back(crease);
}

void CrackState::record(CrackEventKind kind, const Vector3& position, std::array<int, 2> before,
                        std::array<int, 2> after, int cause) {
  events_.push_back({steps_, kind, position, before, after, cause});
}

SheetName CrackState::sheet_of(int triangle, const Vector3& point, const Vector3& from) const {
  return {Kind::Crack, area_.crack_of(triangle), (from - point).dot(area_.normal(triangle)) < 0.0 ? -1 : 1};
}

void CrackState::carry(CrackBody body, ReferenceMap& map) {
  body_ = std::move(body);
  const std::vector<Vector3> before = area_.vertices();
  std::vector<Vector3> normals(before.size(), Vector3::Zero());
  for (std::size_t t = 0; t < area_.triangles().size(); ++t)
    for (const int v : area_.triangles()[t].vertices)
      if (normals[std::size_t(v)].isZero(0.0)) normals[std::size_t(v)] = area_.normal(int(t));
  std::vector<Vector3> after;
  for (std::size_t v = 0; v < before.size(); ++v) after.push_back(map.place_between(before[v], normals[v]));
  for (AdvancingFront& front : fronts_) {
    const std::size_t n = front.nodes.size();
    for (std::size_t i = 0; i < n; ++i) {
      CrackNode& node = front.nodes[i];
      Vector3& place = after[std::size_t(node.vertex)];
      const SheetName* sheet = sheet_of_end(front, i);
      const int own = sheet != nullptr && sheet->kind == SheetName::Kind::Body ? sheet->number : -1;
      if (own >= 0) place = body_.sheet(own).project(place).value_or(place);
      if (const int outside = body_.outside(place, own); outside >= 0)
        if (const auto back = body_.sheet(outside).project(place))
          place = *back - kInside * options_.surfel_radius * body_.sheet(outside).normal(*back);
      map.set_place(before[std::size_t(node.vertex)], place);
      const Matrix3 f = map.gradient(node.position);
      node.position = place;
      node.normal = carried_normal(f, node.normal);
      node.drive = f * node.drive;
      node.rate = f * node.rate;
      node.history = f * node.history;
    }
  }
  area_.move(after);
  for (CrackSurfel& surfel : surfels_) {
    const Matrix3 f = map.gradient(surfel.position);
    surfel.position = map.place_between(surfel.position, surfel.normal);
    surfel.normal = carried_normal(f, surfel.normal);
  }
}

/// Whether an edge only touches a sheet. An end touches the sheet it lies on, and several at a crease or where a crack
/// reaches the surface. A node of merged ends touches a third sheet from one side: both neighbours are there.
bool CrackState::is_touch(const AdvancingFront& front, std::size_t edge, const Vector3& point,
                          const Vector3& normal) const {
  const double r = options_.surfel_radius;
  const std::size_t n = front.nodes.size();
  if (!front.is_closed)
    for (const CrackNode* end : {&front.nodes.front(), &front.nodes.back()})
      if ((point - end->position).norm() < kNearEnd * r) return true;
  // Side from which the front comes, or to which it goes: that of the next node not on the sheet.
  const auto side = [&](std::size_t k, std::size_t step) {
    constexpr int kMost = 3;
    for (int steps = 0; steps < kMost; ++steps) {
      k = (k + step) % n;
      const double height = (front.nodes[k].position - point).dot(normal);
      if (std::abs(height) > kTouch * r) return height;
      if (!front.is_closed && (k == 0 || k + 1 == n)) break;
    }
    return 0.0;
  };
  for (const std::size_t k : {edge, (edge + 1) % n}) {
    if (!front.is_closed && (k == 0 || k + 1 == n)) continue;
    if ((point - front.nodes[k].position).norm() >= kTouch * r) continue;
    if (side(k, n - 1) * side(k, 1) >= 0.0) return true;
  }
  return false;
}

std::optional<SweptArea::Hit> CrackState::edge_crossing(const AdvancingFront& front, std::size_t edge,
                                                        int first_triangle, const SweptArea::Filter& counts) const {
  const std::size_t n = front.nodes.size();
  const Vector3 &a = front.nodes[edge].position, &b = front.nodes[(edge + 1) % n].position;
  // A crack exactly through a node must not slip between its two edges.
  const Vector3 beyond = kRounding * options_.surfel_radius * (b - a).normalized();
  const Vector3 from = front.is_closed || edge > 0 ? Vector3(a - beyond) : a;
  const Vector3 to = front.is_closed || edge + 2 < n ? Vector3(b + beyond) : b;
  return area_.first_hit(from, to, [&](int t) {
    if (t < first_triangle || !counts(t)) return false;
    // Intersection of the edge's line with the triangle's plane.
    const Vector3 normal = area_.normal(t), along = b - a;
    const double towards = along.dot(normal);
    if (towards == 0.0) return false;
    const Vector3 point =
        a + (area_.vertex(area_.triangles()[std::size_t(t)].vertices[0]) - a).dot(normal) / towards * along;
    return !is_touch(front, edge, point, normal);
  });
}

std::optional<Vector3> CrackState::fault(const AdvancingFront& front, int first_triangle,
                                         const std::function<bool(std::size_t edge)>& is_known) const {
  const double r = options_.surfel_radius;
  const std::size_t n = front.nodes.size();
  if (n < (front.is_closed ? 3u : 2u)) return n > 0 ? front.nodes[0].position : Vector3::Zero();
  for (std::size_t i = 0; i < (front.is_closed ? n : n - 1); ++i) {
    // At a crease an edge touches the sheets of both cracks.
    const CrackNode &one = front.nodes[i], &other = front.nodes[(i + 1) % n];
    const auto hit = edge_crossing(front, i, is_known(i) ? first_triangle : 0, [&](int t) {
      const int crack = area_.crack_of(t);
      return crack != one.crack && crack != other.crack && crack != one.other_crack && crack != other.other_crack;
    });
    if (hit) return hit->point;
    if (!is_known(i))
      for (const std::size_t k : {i, (i + 1) % n})
        if (body_.depth(front.nodes[k].position) > kOutside * r) return front.nodes[k].position;
  }
  if (front.is_closed) return {};
  for (const bool is_first : {true, false}) {
    const SheetName& sheet = is_first ? front.first_sheet : front.last_sheet;
    const CrackNode& end = is_first ? front.nodes.front() : front.nodes.back();
    if (is_known(is_first ? 0 : n - 2)) continue;
    double away = 1e300;
    if (sheet.kind == Kind::Body) away = std::abs(body_.distance(sheet.number, end.position));
    if (sheet.kind == Kind::Crack)
      if (const auto nearest =
              area_.closest(end.position, kOutside * r, [&](int t) { return area_.crack_of(t) == sheet.number; }))
        away = nearest->distance;
    if (away > kOutside * r) return end.position;
  }
  return {};
}

std::optional<Vector3> CrackState::first_fault(const Snapshot& since) const {
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    const AdvancingFront& front = fronts_[k];
    if (front.nodes.empty()) continue;
    const bool is_known = k < since.fronts.size() && is_same(front, since.fronts[k]);
    if (const auto found = fault(front, since.area.triangles, [&](std::size_t) { return is_known; })) return found;
  }
  return {};
}

std::optional<Vector3> CrackState::fault_of_any() const {
  for (const AdvancingFront& front : fronts_)
    if (const auto found = fault(front, 0, [](std::size_t) { return false; })) return found;
  return {};
}

CrackState::Snapshot CrackState::snapshot() const {
  return {area_.mark(), fronts_, surfels_.size(), events_.size(), creases_.size(), counters_};
}

void CrackState::restore(Snapshot&& before) {
  area_.undo(before.area);
  fronts_ = std::move(before.fronts);
  surfels_.resize(before.surfels);
  events_.resize(before.events);
  creases_.resize(before.creases);
  counters_ = before.counters;
}

bool CrackState::attempt(const std::function<void()>& change) {
  Snapshot before = snapshot();
  change();
  if (!first_fault(before)) return true;
  restore(std::move(before));
  return false;
}

bool CrackState::attempt_on(AdvancingFront& front, const std::function<bool()>& change) {
  const AdvancingFront saved = front;
  const auto mark = area_.mark();
  const std::size_t surfels = surfels_.size();
  const int nodes = counters_.nodes;
  bool is_legal = change();
  if (is_legal) {
    const auto ends_of = [](const AdvancingFront& of, std::size_t i) {
      return std::pair(of.nodes[i].vertex, of.nodes[(i + 1) % of.nodes.size()].vertex);
    };
    std::set<std::pair<int, int>> known;
    for (std::size_t i = 0; i < saved.nodes.size(); ++i) known.insert(ends_of(saved, i));
    // Near the change, one-sided touches of the front must be tested again.
    const auto is_known = [&](std::size_t i) {
      constexpr std::size_t kNear = 3;
      const std::size_t n = front.nodes.size();
      for (std::size_t k = 0; k <= 2 * kNear; ++k)
        if (!known.contains(ends_of(front, (i + k + kNear * (n - 1)) % n))) return false;
      return true;
    };
    is_legal = !fault(front, mark.triangles, is_known);
    for (std::size_t k = 0; is_legal && k < fronts_.size() && int(area_.triangles().size()) > mark.triangles; ++k)
      if (&fronts_[k] != &front && !fronts_[k].nodes.empty())
        is_legal = !fault(fronts_[k], mark.triangles, [](std::size_t) { return true; });
  }
  if (is_legal) return true;
  front = saved;
  area_.undo(mark);
  surfels_.resize(surfels);
  counters_.nodes = nodes;
  return false;
}

bool CrackState::are_separated(const Vector3& a, const Vector3& b, std::span<const int> about) const {
  return area_
      .first_hit(a, b,
                 [&](int t) {
                   for (const int v : area_.triangles()[std::size_t(t)].vertices)
                     if (contains(about, v)) return false;
                   return true;
                 })
      .has_value();
}

bool CrackState::may_add(const Vector3& p, const Vector3& q, const Vector3& r, std::span<const int> about) const {
  for (const AdvancingFront& front : fronts_) {
    const std::size_t n = front.nodes.size();
    for (std::size_t i = 0; n > 1 && i < (front.is_closed ? n : n - 1); ++i) {
      const CrackNode &a = front.nodes[i], &b = front.nodes[(i + 1) % n];
      if (contains(about, a.vertex) || contains(about, b.vertex)) continue;
      if (meeting_share(a.position, b.position, p, q, r)) return false;
    }
  }
  return true;
}

bool CrackState::may_pass(int left, const Vector3& place, int right, std::span<const int> gone, int left_crack,
                          int right_crack) const {
  std::vector<int> about(gone.begin(), gone.end());
  about.push_back(left);
  about.push_back(right);
  const Vector3 &from = area_.vertex(left), &to = area_.vertex(right);
  // Each edge leaves the area at its own node; if the place is that of a removed node, at this one.
  std::vector<int> touched;
  for (const int v : gone)
    if (area_.vertex(v) == place) touched.push_back(v);
  const auto crosses = [&](int own, const Vector3& start, int own_crack) {
    return area_
        .first_hit(start, place,
                   [&](int t) {
                     const SweptTriangle& triangle = area_.triangles()[std::size_t(t)];
                     for (const int v : triangle.vertices)
                       if (v == own || contains(touched, v) || (triangle.crack == own_crack && contains(about, v)))
                         return false;
                     return true;
                   })
        .has_value();
  };
  if (crosses(left, from, left_crack) || crosses(right, to, right_crack)) return false;
  Vector3 before = from;
  for (const int v : gone) {
    if (!may_add(before, area_.vertex(v), place, about)) return false;
    before = area_.vertex(v);
  }
  return may_add(before, to, place, about);
}

}  // namespace deformbench::meshless
