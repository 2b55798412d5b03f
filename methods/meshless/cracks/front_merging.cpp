// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/front_merging.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/meshless/cracks/front_spline.hpp"

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

/// m, shortest path along the front between two of its nodes.
double way_along(const AdvancingFront& front, std::size_t i, std::size_t j) {
  const std::size_t n = front.nodes.size();
  double inner = 0.0, whole = 0.0;
  for (std::size_t k = 0; k < (front.is_closed ? n : n - 1); ++k) {
    const double length = (front.nodes[(k + 1) % n].position - front.nodes[k].position).norm();
    whole += length;
    if (k >= std::min(i, j) && k < std::max(i, j)) inner += length;
  }
  return front.is_closed ? std::min(inner, whole - inner) : inner;
}

bool is_interior(const AdvancingFront& front, std::size_t i) {
  return front.is_closed || (i > 0 && i + 1 < front.nodes.size());
}

}  // namespace

/// [PKAGDG05] §3.3, snapping: both end nodes move to their average, or one to the other if that would pass through a
/// crack. Nothing if every choice does.
std::optional<Vector3> FrontMerging::meeting_place(const End& a, const End& b) const {
  const AdvancingFront &front_a = fronts_[a.front], &front_b = fronts_[b.front];
  const CrackNode &end_a = node_at(front_a, a.is_first), &end_b = node_at(front_b, b.is_first);
  const int left = neighbour_of(front_a, a.is_first).vertex, right = neighbour_of(front_b, b.is_first).vertex;
  const std::array<int, 2> gone{end_a.vertex, end_b.vertex};
  for (const Vector3& place : {Vector3(0.5 * (end_a.position + end_b.position)), end_a.position, end_b.position})
    if (body_.contains(place) && state_.may_pass(left, place, right, gone)) return place;
  return {};
}

/// Cost of merging two ends, smallest pair first; nothing if they have not met.
std::optional<double> FrontMerging::merging_cost(const End& a, const End& b, double dt) const {
  const AdvancingFront &front_a = fronts_[a.front], &front_b = fronts_[b.front];
  if (a.front == b.front && front_a.nodes.size() < 4) return {};
  const int cut = cut_at(front_a, a.is_first);
  if (cut >= 0 && cut == cut_at(front_b, b.is_first)) return {};
  const CrackNode &end_a = node_at(front_a, a.is_first), &end_b = node_at(front_b, b.is_first);
  const Vector3 between = end_b.position - end_a.position;
  const double distance = between.norm();
  const double meeting = options_.meeting_distance(dt * (end_a.rate.norm() + end_b.rate.norm()));
  if (distance > meeting) return {};
  const CrackNode &next_a = neighbour_of(front_a, a.is_first), &next_b = neighbour_of(front_b, b.is_first);
  const SheetName &sheet_a = sheet_at(front_a, a.is_first), &sheet_b = sheet_at(front_b, b.is_first);
  // After a crossing each end lies on the other's sheet; halves that lead away to the same side belong together.
  if (sheet_a.kind == Kind::Crack && sheet_b.kind == Kind::Crack && sheet_a.number == end_b.crack &&
      sheet_b.number == end_a.crack)
    return meeting_place(a, b)
               ? std::optional(distance / meeting -
                               unit(next_a.position - end_a.position).dot(unit(next_b.position - end_b.position)))
               : std::nullopt;
  if (!(sheet_a == sheet_b)) return {};
  // On one surface they meet if they approach each other with no crack between them.
  if (distance > 1e-9 * options_.surfel_radius && between.dot(end_b.rate - end_a.rate) >= 0.0) return {};
  const std::array<int, 4> about{end_a.vertex, end_b.vertex, next_a.vertex, next_b.vertex};
  const Vector3 inner_a = 0.75 * end_a.position + 0.25 * next_a.position;
  const Vector3 inner_b = 0.75 * end_b.position + 0.25 * next_b.position;
  if (state_.are_separated(inner_a, inner_b, about) || !meeting_place(a, b)) return {};
  return distance / meeting;
}

void FrontMerging::merge(const End& a, const End& b) {
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
  CrackNode middle = state_.node_between(last, begin, place, left);
  middle.flip = last.flip;
  for (const CrackNode& end : {last, begin})
    if (end.position == place) middle.vertex = end.vertex;
  if (left != right) middle.other_crack = right;
  area_.add_triangle(before.vertex, last.vertex, middle.vertex, left);
  area_.add_triangle(begin.vertex, after.vertex, middle.vertex, right);
  state_.add_crease(left, right);
  const int other = second.id;
  AdvancingFront joined = first;
  joined.nodes.back() = middle;
  if (is_circle) {
    joined.nodes.erase(joined.nodes.begin());
    joined.is_closed = true;
    joined.first_sheet = joined.last_sheet = {};
    joined.first_cut = joined.last_cut = -1;
    state_.record(CrackEventKind::Merge, middle.position, {first.id, -1}, {first.id, -1}, 1);
    fronts_[a.front] = std::move(joined);
    return;
  }
  joined.nodes.insert(joined.nodes.end(), second.nodes.begin() + 1, second.nodes.end());
  joined.last_sheet = second.last_sheet;
  joined.last_cut = second.last_cut;
  joined.extent = std::max(first.extent, second.extent);
  state_.record(CrackEventKind::Merge, middle.position, {first.id, other}, {first.id, -1});
  fronts_[a.front] = std::move(joined);
  fronts_.erase(fronts_.begin() + std::ptrdiff_t(b.front));
}

/// `refused`: nodes at the ends of pairs whose merging was rolled back.
bool FrontMerging::merge_closest_pair(double dt, std::vector<std::array<int, 2>>& refused) {
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
  if (!state_.attempt([&] { merge(a, b); })) refused.push_back(pair);
  return true;
}

void FrontMerging::merge_ends(double dt) {
  for (std::size_t k = 0; k < fronts_.size(); ++k)
    if (fronts_[k].nodes.size() == 1) splitting_.terminate_one(k, false);
  std::erase_if(fronts_, [](const AdvancingFront& front) { return front.nodes.empty(); });
  std::vector<std::array<int, 2>> refused;
  while (merge_closest_pair(dt, refused)) {
  }
}

bool FrontMerging::are_facing(const AdvancingFront& a, std::size_t i, const AdvancingFront& b, std::size_t j) const {
  constexpr double kTowards = 0.3;  // cosine; fronts that pass beside each other are not facing
  const CrackNode &p = a.nodes[i], &q = b.nodes[j];
  if (p.rate.squaredNorm() == 0.0 && q.rate.squaredNorm() == 0.0) return false;
  const Vector3 between = q.position - p.position;
  const double distance = between.norm();
  if (distance > options_.snapping_distance()) return false;
  if (&a == &b && (p.normal.dot(q.normal) <= 0.0 || way_along(a, i, j) < 3.0 * options_.snapping_distance()))
    return false;
  // Two coincident nodes are left by a crossing: they lead apart.
  if (distance < 1e-9 * options_.surfel_radius || outwards(a, i).dot(between) < kTowards * distance ||
      outwards(b, j).dot(between) > -kTowards * distance)
    return false;
  const std::array<int, 2> about{p.vertex, q.vertex};
  return !state_.are_separated(p.position, q.position, about);
}

/// Moves node i to the joint and sweeps the area in between.
CrackNode FrontMerging::join_nodes(AdvancingFront& front, std::size_t i, const Vector3& position, int vertex) {
  const std::size_t n = front.nodes.size(), before = (i + n - 1) % n, after = (i + 1) % n;
  area_.add_triangle(front.nodes[before].vertex, front.nodes[i].vertex, vertex, crack_of_edge(front, before));
  area_.add_triangle(front.nodes[i].vertex, front.nodes[after].vertex, vertex, crack_of_edge(front, i));
  CrackNode node = front.nodes[i];
  node.position = position;
  node.vertex = vertex;
  return node;
}

/// DEVIATION [PKAGDG05] §3.3: the text splits fronts when one has passed through the other's sheet, which never happens
/// in one plane; here they are split at the two nearest nodes, and halves merge at once.
void FrontMerging::join(std::size_t a, std::size_t i, std::size_t b, std::size_t j) {
  // A closed front becomes part of an open one; decided before anything is swept.
  if (fronts_[a].is_closed && !fronts_[b].is_closed) return join(b, j, a, i);
  const Vector3 place = 0.5 * (fronts_[a].nodes[i].position + fronts_[b].nodes[j].position);
  const int vertex = area_.add_vertex(place);
  if (a != b && fronts_[a].nodes[i].normal.dot(fronts_[b].nodes[j].normal) < 0.0) {
    reverse(fronts_[b]);
    j = fronts_[b].nodes.size() - 1 - j;
  }
  AdvancingFront first = fronts_[a], second = fronts_[b];
  const CrackNode p = join_nodes(first, i, place, vertex);
  const CrackNode q = a == b ? join_nodes(first, j, place, vertex) : join_nodes(second, j, place, vertex);
  state_.add_crease(p.crack, q.crack);
  // The new node that leads from p's side to q's, and the other one.
  const auto crossing = [&](const CrackNode& from, const CrackNode& to, int left, int right) {
    CrackNode node = state_.node_between(from, to, place, left);
    node.vertex = vertex;
    node.flip = from.flip;
    node.other_crack = left == right ? -1 : right;
    return node;
  };
  const auto edge_before = [](const AdvancingFront& f, std::size_t k) {
    return crack_of_edge(f, (k + f.nodes.size() - 1) % f.nodes.size());
  };
  const CrackNode to_q = crossing(p, q, edge_before(first, i), crack_of_edge(a == b ? first : second, j));
  const CrackNode to_p = crossing(q, p, edge_before(a == b ? first : second, j), crack_of_edge(first, i));
  const auto slice = [](const AdvancingFront& f, std::size_t from, std::size_t count) {
    std::vector<CrackNode> nodes;
    for (std::size_t k = 0; k < count; ++k) nodes.push_back(f.nodes[(from + k) % f.nodes.size()]);
    return nodes;
  };
  const auto append = [](std::vector<CrackNode>& to, const std::vector<CrackNode>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  const std::size_t n = first.nodes.size(), m = second.nodes.size();
  if (a == b) {
    // The part between i and j becomes a closed front of its own.
    AdvancingFront inner = first;
    inner.is_closed = true;
    inner.id = state_.new_front_id();
    inner.first_sheet = inner.last_sheet = {};
    inner.first_cut = inner.last_cut = -1;
    inner.nodes = slice(first, i + 1, j - i - 1);
    inner.nodes.push_back(to_p);
    AdvancingFront outer = first;
    outer.nodes = slice(first, 0, i);
    outer.nodes.push_back(to_q);
    append(outer.nodes, slice(first, j + 1, n - j - 1));
    state_.record(CrackEventKind::Crossing, place, {first.id, -1}, {outer.id, inner.id});
    fronts_[a] = outer;
    fronts_.push_back(inner);
    return;
  }
  if (!first.is_closed && !second.is_closed) {
    AdvancingFront one = first, other = second;
    one.nodes.resize(i);
    one.nodes.push_back(to_q);
    append(one.nodes, slice(second, j + 1, m - j - 1));
    one.last_sheet = second.last_sheet;
    one.last_cut = second.last_cut;
    other.nodes.resize(j);
    other.nodes.push_back(to_p);
    append(other.nodes, slice(first, i + 1, n - i - 1));
    other.last_sheet = first.last_sheet;
    other.last_cut = first.last_cut;
    one.extent = other.extent = std::max(first.extent, second.extent);
    state_.record(CrackEventKind::Crossing, place, {first.id, second.id}, {one.id, other.id});
    fronts_[a] = one;
    fronts_[b] = other;
    return;
  }
  // The closed second front becomes part of the first.
  AdvancingFront one = first;
  one.nodes = slice(first, first.is_closed ? i + 1 : 0, first.is_closed ? n - 1 : i);
  one.nodes.push_back(to_q);
  append(one.nodes, slice(second, j + 1, m - 1));
  one.nodes.push_back(to_p);
  if (!first.is_closed) append(one.nodes, slice(first, i + 1, n - i - 1));
  one.extent = std::max(first.extent, second.extent);
  state_.record(CrackEventKind::Crossing, place, {first.id, second.id}, {first.id, -1});
  fronts_[a] = one;
  fronts_.erase(fronts_.begin() + std::ptrdiff_t(b));
}

bool FrontMerging::may_join(std::size_t a, std::size_t i, std::size_t b, std::size_t j) const {
  const AdvancingFront &first = fronts_[a], &second = fronts_[b];
  const Vector3 place = 0.5 * (first.nodes[i].position + second.nodes[j].position);
  const auto vertex = [](const AdvancingFront& front, std::size_t at, std::size_t step) {
    return front.nodes[(at + step) % front.nodes.size()].vertex;
  };
  const std::array<int, 2> gone{first.nodes[i].vertex, second.nodes[j].vertex};
  const auto passes = [&](const AdvancingFront& front, std::size_t at) {
    const std::size_t n = front.nodes.size();
    std::vector<int> about{gone[0], gone[1], vertex(front, at, n - 1), vertex(front, at, 1)};
    const Vector3 before = front.nodes[(at + n - 1) % n].position, after = front.nodes[(at + 1) % n].position;
    return !state_.are_separated(before, place, about) && !state_.are_separated(place, after, about) &&
           state_.may_add(before, front.nodes[at].position, place, about) &&
           state_.may_add(front.nodes[at].position, after, place, about);
  };
  return body_.contains(place) && passes(first, i) && passes(second, j);
}

/// `refused`: nodes of pairs whose joining was rolled back.
bool FrontMerging::join_one_pair(std::vector<std::array<int, 2>>& refused) {
  for (std::size_t a = 0; a < fronts_.size(); ++a)
    for (std::size_t b = a; b < fronts_.size(); ++b)
      for (std::size_t i = 0; i < fronts_[a].nodes.size(); ++i) {
        if (!is_interior(fronts_[a], i)) continue;
        std::size_t nearest = 0;
        double least = options_.snapping_distance();
        bool found = false;
        for (std::size_t j = a == b ? i + 2 : 0; j < fronts_[b].nodes.size(); ++j) {
          if (!is_interior(fronts_[b], j)) continue;
          const double distance = (fronts_[a].nodes[i].position - fronts_[b].nodes[j].position).norm();
          if (distance > least || !are_facing(fronts_[a], i, fronts_[b], j) || !may_join(a, i, b, j)) continue;
          const std::array<int, 2> pair{fronts_[a].nodes[i].id, fronts_[b].nodes[j].id};
          if (std::find(refused.begin(), refused.end(), pair) != refused.end()) continue;
          least = distance;
          nearest = j;
          found = true;
        }
        if (!found) continue;
        const std::array<int, 2> pair{fronts_[a].nodes[i].id, fronts_[b].nodes[nearest].id};
        if (!state_.attempt([&] { join(a, i, b, nearest); })) refused.push_back(pair);
        return true;
      }
  return false;
}

void FrontMerging::join_near_fronts() {
  constexpr int kMost = 1000;
  std::vector<std::array<int, 2>> refused;
  for (int k = 0; join_one_pair(refused); ++k) {
    for (AdvancingFront& front : fronts_) resampling_.resample(front);  // closes the notches at the new nodes
    if (k < kMost) continue;
    state_.leave_unclassified();
    return;
  }
}

}  // namespace deformbench::meshless
