// SPDX-License-Identifier: BSD-3-Clause
// Merging of front ends that meet, to one front or to a closed one. [PKAGDG05] §3.3
#include <algorithm>
#include <array>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {
namespace {

using Kind = SheetName::Kind;

const CrackNode& node_at(const AdvancingFront& front, bool is_first) {
  return is_first ? front.nodes.front() : front.nodes.back();
}
const CrackNode& neighbour_of(const AdvancingFront& front, bool is_first) {
  return is_first ? front.nodes[1] : front.nodes[front.nodes.size() - 2];
}
const SheetName& sheet_at(const AdvancingFront& front, bool is_first) {
  return is_first ? front.first_sheet : front.last_sheet;
}
int cut_at(const AdvancingFront& front, bool is_first) {
  return is_first ? front.first_cut : front.last_cut;
}
Vector3 direction(const Vector3& from, const Vector3& to) {
  const double length = (to - from).norm();
  return length > 0.0 ? Vector3((to - from) / length) : Vector3::Zero();
}

}  // namespace

/// [PKAGDG05] §3.3, snapping: both end nodes move to their average, or one to the other if that would pass through a
/// crack. Nothing if every choice does.
std::optional<Vector3> CrackSystem::meeting_place(const End& a, const End& b) const {
  const AdvancingFront &front_a = fronts_[a.front], &front_b = fronts_[b.front];
  const CrackNode &end_a = node_at(front_a, a.is_first), &end_b = node_at(front_b, b.is_first);
  const int left = neighbour_of(front_a, a.is_first).vertex, right = neighbour_of(front_b, b.is_first).vertex;
  const std::array<int, 2> gone{end_a.vertex, end_b.vertex};
  for (const Vector3& place : {Vector3(0.5 * (end_a.position + end_b.position)), end_a.position, end_b.position})
    if (body_.contains(place) && may_pass(left, place, right, gone)) return place;
  return {};
}

/// Cost of merging two ends, smallest pair first; nothing if they have not met.
std::optional<double> CrackSystem::merging_cost(const End& a, const End& b, double dt) const {
  const AdvancingFront &front_a = fronts_[a.front], &front_b = fronts_[b.front];
  if (a.front == b.front && front_a.nodes.size() < 4) return {};
  const int cut = cut_at(front_a, a.is_first);
  if (cut >= 0 && cut == cut_at(front_b, b.is_first)) return {};
  const CrackNode &end_a = node_at(front_a, a.is_first), &end_b = node_at(front_b, b.is_first);
  const Vector3 between = end_b.position - end_a.position;
  const double distance = between.norm();
  const double meeting = meeting_distance(dt * (end_a.rate.norm() + end_b.rate.norm()));
  if (distance > meeting) return {};
  const CrackNode &next_a = neighbour_of(front_a, a.is_first), &next_b = neighbour_of(front_b, b.is_first);
  const SheetName &sheet_a = sheet_at(front_a, a.is_first), &sheet_b = sheet_at(front_b, b.is_first);
  // After a crossing each end lies on the other's sheet; halves that lead away to the same side belong together.
  if (sheet_a.kind == Kind::Crack && sheet_b.kind == Kind::Crack && sheet_a.number == end_b.crack &&
      sheet_b.number == end_a.crack)
    return meeting_place(a, b)
               ? std::optional(
                     distance / meeting -
                     direction(end_a.position, next_a.position).dot(direction(end_b.position, next_b.position)))
               : std::nullopt;
  if (!(sheet_a == sheet_b)) return {};
  // On one surface they meet if they approach each other with no crack between them.
  if (distance > 1e-9 * options_.surfel_radius && between.dot(end_b.rate - end_a.rate) >= 0.0) return {};
  const std::array<int, 4> about{end_a.vertex, end_b.vertex, next_a.vertex, next_b.vertex};
  const Vector3 inner_a = 0.75 * end_a.position + 0.25 * next_a.position;
  const Vector3 inner_b = 0.75 * end_b.position + 0.25 * next_b.position;
  if (are_separated(inner_a, inner_b, about) || !meeting_place(a, b)) return {};
  return distance / meeting;
}

void CrackSystem::add_crease(int a, int b) {
  if (a == b) return;
  const Crease crease{std::min(a, b), std::max(a, b)};
  for (const Crease& known : creases_)
    if (known.first_crack == crease.first_crack && known.second_crack == crease.second_crack) return;
  creases_.push_back(crease);
}

void CrackSystem::merge(const End& a, const End& b) {
  const bool is_circle = a.front == b.front;
  const Vector3 place = meeting_place(a, b).value();
  AdvancingFront first = fronts_[a.front];
  AdvancingFront second = fronts_[b.front];
  if (is_circle) {
    second = first;
  } else {
    // The first front ends where the second begins.
    if (a.is_first) reverse(first);
    if (!b.is_first) reverse(second);
  }
  const CrackNode last = first.nodes.back(), begin = second.nodes.front();
  const CrackNode before = first.nodes[first.nodes.size() - 2], after = second.nodes[1];
  const int left = crack_of_edge(first, first.nodes.size() - 2), right = crack_of_edge(second, 0);
  CrackNode middle = node_between(last, begin, place, left);
  middle.flip = last.flip;
  for (const CrackNode& end : {last, begin})
    if (end.position == place) middle.vertex = end.vertex;
  if (left != right) middle.other_crack = right;
  area_.add_triangle(before.vertex, last.vertex, middle.vertex, left);
  area_.add_triangle(begin.vertex, after.vertex, middle.vertex, right);
  add_crease(left, right);
  const int other = second.id;
  AdvancingFront joined = first;
  joined.nodes.back() = middle;
  if (is_circle) {
    joined.nodes.erase(joined.nodes.begin());
    joined.is_closed = true;
    joined.first_sheet = joined.last_sheet = {};
    joined.first_cut = joined.last_cut = -1;
    record(CrackEventKind::Merge, middle.position, {first.id, -1}, {first.id, -1}, 1);
    fronts_[a.front] = std::move(joined);
    return;
  }
  joined.nodes.insert(joined.nodes.end(), second.nodes.begin() + 1, second.nodes.end());
  joined.last_sheet = second.last_sheet;
  joined.last_cut = second.last_cut;
  joined.extent = std::max(first.extent, second.extent);
  record(CrackEventKind::Merge, middle.position, {first.id, other}, {first.id, -1});
  fronts_[a.front] = std::move(joined);
  fronts_.erase(fronts_.begin() + std::ptrdiff_t(b.front));
}

/// `refused`: nodes at the ends of pairs whose merging was rolled back.
bool CrackSystem::merge_closest_pair(double dt, std::vector<std::array<int, 2>>& refused) {
  std::vector<End> ends;
  for (std::size_t k = 0; k < fronts_.size(); ++k)
    if (!fronts_[k].is_closed) {
      ends.push_back({k, true});
      ends.push_back({k, false});
    }
  const auto nodes_of = [&](const End& a, const End& b) {
    return std::array<int, 2>{node_at(fronts_[a.front], a.is_first).id, node_at(fronts_[b.front], b.is_first).id};
  };
  std::optional<double> least;
  End a, b;
  for (std::size_t i = 0; i < ends.size(); ++i)
    for (std::size_t j = i + 1; j < ends.size(); ++j) {
      const auto cost = merging_cost(ends[i], ends[j], dt);
      if (!cost || (least && *least <= *cost)) continue;
      if (std::find(refused.begin(), refused.end(), nodes_of(ends[i], ends[j])) != refused.end()) continue;
      least = cost;
      a = ends[i];
      b = ends[j];
    }
  if (!least) return false;
  const std::array<int, 2> pair = nodes_of(a, b);
  if (!attempt([&] {
        merge(a, b);
        return true;
      }))
    refused.push_back(pair);
  return true;
}

void CrackSystem::merge_ends(double dt) {
  for (std::size_t k = 0; k < fronts_.size(); ++k)
    if (fronts_[k].nodes.size() == 1) terminate_one(k, false);
  std::erase_if(fronts_, [](const AdvancingFront& front) { return front.nodes.empty(); });
  std::vector<std::array<int, 2>> refused;
  while (merge_closest_pair(dt, refused)) {
  }
}

}  // namespace deformbench::meshless
