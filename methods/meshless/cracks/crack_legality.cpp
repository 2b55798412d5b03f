// SPDX-License-Identifier: BSD-3-Clause
// State invariants, and rollback of changes that break them.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {
namespace {

using Kind = SheetName::Kind;

bool is_same(const AdvancingFront& a, const AdvancingFront& b) {
  return a.id == b.id && a.is_closed == b.is_closed && a.first_sheet == b.first_sheet && a.last_sheet == b.last_sheet &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const CrackNode& p, const CrackNode& q) {
                      return p.id == q.id && p.vertex == q.vertex && p.position == q.position;
                    });
}

}  // namespace

/// Whether an edge only touches a sheet. An end touches the sheet it lies on, and several at a crease or where a crack
/// reaches the surface. A node of merged ends touches a third sheet from one side: both neighbours are there.
bool CrackSystem::is_touch(const AdvancingFront& front, std::size_t edge, const Vector3& point,
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

std::optional<SweptArea::Hit> CrackSystem::edge_crossing(const AdvancingFront& front, std::size_t edge,
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

/// First violation of the invariants. Edges with `is_known` ignore triangles before `first_triangle`.
std::optional<Vector3> CrackSystem::fault(const AdvancingFront& front, int first_triangle,
                                          const std::function<bool(std::size_t edge)>& is_known) const {
  const double r = options_.surfel_radius;
  const std::size_t n = front.nodes.size();
  if (n < (front.is_closed ? 3u : 2u)) return n > 0 ? front.nodes[0].position : Vector3::Zero();
  for (std::size_t i = 0; i < (front.is_closed ? n : n - 1); ++i) {
    // At a crease an edge touches the sheets of both cracks.
    const CrackNode &one = front.nodes[i], &other = front.nodes[(i + 1) % n];
    const auto hit = edge_crossing(front, i, is_known(i) ? first_triangle : 0, [&](int t) {
      const int crack = area_.triangles()[std::size_t(t)].crack;
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
      if (const auto nearest = area_.closest(end.position, kOutside * r, [&](int t) {
            return area_.triangles()[std::size_t(t)].crack == sheet.number;
          }))
        away = nearest->distance;
    if (away > kOutside * r) return end.position;
  }
  return {};
}

std::optional<Vector3> CrackSystem::first_fault(const Snapshot& since) const {
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    const AdvancingFront& front = fronts_[k];
    if (front.nodes.empty()) continue;
    const bool is_known = k < since.fronts.size() && is_same(front, since.fronts[k]);
    if (const auto found = fault(front, since.area.triangles, [&](std::size_t) { return is_known; })) return found;
  }
  return {};
}

std::optional<Vector3> CrackSystem::fault_of_any() const {
  for (const AdvancingFront& front : fronts_)
    if (const auto found = fault(front, 0, [](std::size_t) { return false; })) return found;
  return {};
}

CrackSystem::Snapshot CrackSystem::snapshot() const {
  return {area_.mark(), fronts_,     surfels_.size(), events_.size(), creases_.size(),
          next_node_,   next_front_, next_cut_,       cracks_,        unclassified_};
}

void CrackSystem::restore(Snapshot&& before) {
  area_.undo(before.area);
  fronts_ = std::move(before.fronts);
  surfels_.resize(before.surfels);
  events_.resize(before.events);
  creases_.resize(before.creases);
  next_node_ = before.next_node;
  next_front_ = before.next_front;
  next_cut_ = before.next_cut;
  cracks_ = before.cracks;
  unclassified_ = before.unclassified;
}

bool CrackSystem::attempt(const std::function<bool()>& change) {
  Snapshot before = snapshot();
  const bool is_done = change();
  if (is_done && !first_fault(before)) return true;
  restore(std::move(before));
  return false;
}

/// As `attempt`, for one front, without copying the others. The change must not affect other fronts or existing area,
/// only add area.
bool CrackSystem::attempt_on(AdvancingFront& front, const std::function<bool()>& change) {
  const AdvancingFront saved = front;
  const auto mark = area_.mark();
  const std::size_t surfels = surfels_.size();
  const int next_node = next_node_;
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
  next_node_ = next_node;
  return false;
}

}  // namespace deformbench::meshless
