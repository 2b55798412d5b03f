// SPDX-License-Identifier: BSD-3-Clause
// Fronts that approach each other within the snapping distance, and fronts that have contracted to a point. [PKAGDG05]
// §3.3
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {
namespace {

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

Vector3 outwards(const AdvancingFront& front, std::size_t i) {
  return front.nodes[i].normal.cross(front_tangent(front, i));
}

bool is_interior(const AdvancingFront& front, std::size_t i) {
  return front.is_closed || (i > 0 && i + 1 < front.nodes.size());
}

}  // namespace

bool CrackSystem::are_facing(const AdvancingFront& a, std::size_t i, const AdvancingFront& b, std::size_t j) const {
  constexpr double kTowards = 0.3;  // cosine; fronts that pass beside each other are not facing
  const CrackNode &p = a.nodes[i], &q = b.nodes[j];
  if (p.rate.squaredNorm() == 0.0 && q.rate.squaredNorm() == 0.0) return false;
  const Vector3 between = q.position - p.position;
  const double distance = between.norm();
  if (distance > snapping_distance()) return false;
  if (&a == &b && (p.normal.dot(q.normal) <= 0.0 || way_along(a, i, j) < 3.0 * snapping_distance())) return false;
  // Two coincident nodes are left by a crossing: they lead apart.
  if (distance < 1e-9 * options_.surfel_radius || outwards(a, i).dot(between) < kTowards * distance ||
      outwards(b, j).dot(between) > -kTowards * distance)
    return false;
  const std::array<int, 2> about{p.vertex, q.vertex};
  return !are_separated(p.position, q.position, about);
}

/// Moves node i to the joint and sweeps the area in between.
CrackNode CrackSystem::join_nodes(AdvancingFront& front, std::size_t i, const Vector3& position, int vertex) {
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
void CrackSystem::join(std::size_t a, std::size_t i, std::size_t b, std::size_t j) {
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
  add_crease(p.crack, q.crack);
  // The new node that leads from p's side to q's, and the other one.
  const auto crossing = [&](const CrackNode& from, const CrackNode& to, int left, int right) {
    CrackNode node = node_between(from, to, place, left);
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
    inner.id = next_front_++;
    inner.first_sheet = inner.last_sheet = {};
    inner.first_cut = inner.last_cut = -1;
    inner.nodes = slice(first, i + 1, j - i - 1);
    inner.nodes.push_back(to_p);
    AdvancingFront outer = first;
    outer.nodes = slice(first, 0, i);
    outer.nodes.push_back(to_q);
    append(outer.nodes, slice(first, j + 1, n - j - 1));
    record(CrackEventKind::Crossing, place, {first.id, -1}, {outer.id, inner.id});
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
    record(CrackEventKind::Crossing, place, {first.id, second.id}, {one.id, other.id});
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
  record(CrackEventKind::Crossing, place, {first.id, second.id}, {first.id, -1});
  fronts_[a] = one;
  fronts_.erase(fronts_.begin() + std::ptrdiff_t(b));
}

bool CrackSystem::may_join(std::size_t a, std::size_t i, std::size_t b, std::size_t j) const {
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
    return !are_separated(before, place, about) && !are_separated(place, after, about) &&
           may_add(before, front.nodes[at].position, place, about) &&
           may_add(front.nodes[at].position, after, place, about);
  };
  return body_.contains(place) && passes(first, i) && passes(second, j);
}

/// `refused`: nodes of pairs whose joining was rolled back.
bool CrackSystem::join_one_pair(std::vector<std::array<int, 2>>& refused) {
  for (std::size_t a = 0; a < fronts_.size(); ++a)
    for (std::size_t b = a; b < fronts_.size(); ++b)
      for (std::size_t i = 0; i < fronts_[a].nodes.size(); ++i) {
        if (!is_interior(fronts_[a], i)) continue;
        std::size_t nearest = 0;
        double least = snapping_distance();
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
        if (!attempt([&] {
              join(a, i, b, nearest);
              return true;
            }))
          refused.push_back(pair);
        return true;
      }
  return false;
}

void CrackSystem::join_near_fronts() {
  constexpr int kMost = 1000;
  std::vector<std::array<int, 2>> refused;
  for (int k = 0; join_one_pair(refused); ++k) {
    for (AdvancingFront& front : fronts_) resample(front);  // closes the notches at the new nodes
    if (k < kMost) continue;
    ++unclassified_;
    return;
  }
}

void CrackSystem::terminate_one(std::size_t index, bool is_filled) {
  const int first_new = int(area_.triangles().size());
  const AdvancingFront front = std::move(fronts_[index]);
  fronts_[index].nodes.clear();
  if (is_filled) {
    fill(front, snapping_distance());
    for (std::size_t i = 0; i < front.nodes.size(); ++i)
      if (front.nodes[i].since_surfel > 0.0) {
        AdvancingFront last = front;
        add_surfels(last, i);
      }
  }
  record(CrackEventKind::Termination, front.nodes.front().position, {front.id, -1}, {-1, -1}, 0);
  cut_pierced_edges(first_new);
}

void CrackSystem::terminate() {
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    if (fronts_[k].nodes.empty()) continue;
    const AdvancingFront& front = fronts_[k];
    const double extent = extent_of(front);
    double fastest = 0.0;
    for (const CrackNode& node : front.nodes) fastest = std::max(fastest, node.rate.norm());
    const bool is_degenerate = front.nodes.size() < (front.is_closed ? 3u : 2u);
    const bool contracts = extent < front.extent * (1.0 - 1e-9) && fastest > 0.0;
    if (!is_degenerate && !(contracts && extent < meeting_distance(2.0 * last_part_ * fastest))) continue;
    // Ends of an open front may be close in a neck with more to cut behind it.
    if (!is_degenerate && !front.is_closed && extent > 0.25 * options_.surfel_radius && !runs_into_corner(front))
      continue;
    for (const bool is_filled : {true, false})
      if (attempt([&] {
            terminate_one(k, is_filled);
            return true;
          }))
        break;
  }
  std::erase_if(fronts_, [](const AdvancingFront& front) { return front.nodes.empty(); });
}

}  // namespace deformbench::meshless
