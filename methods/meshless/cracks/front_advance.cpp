// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/front_advance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "methods/meshless/cracks/front_spline.hpp"

namespace deformbench::meshless {
namespace {

using Kind = SheetName::Kind;

/// Vertices of a node and its neighbours: area that contains them is what the node is leaving.
std::vector<int> vertices_about(const AdvancingFront& front, std::size_t i) {
  constexpr std::size_t kNeighbours = 3;  // in a closing notch, flanks run over each other's strips
  const std::size_t n = front.nodes.size();
  std::vector<int> all;
  for (std::size_t k = 0; k <= 2 * kNeighbours; ++k) {
    if (!front.is_closed && (i + k < kNeighbours || i + k - kNeighbours >= n)) continue;
    all.push_back(front.nodes[(i + k + kNeighbours * (n - 1)) % n].vertex);
  }
  return all;
}

}  // namespace

void FrontAdvance::set_rates(AdvancingFront& front, const StressField& field, double history) const {
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    CrackNode& node = front.nodes[i];
    node.rate.setZero();
    const PrincipalStress principal = largest_principal_stress(field.stress(node.position));
    // DEVIATION [PKAGDG05] §3.2: below the threshold and in compression a front stands still; αλ (v × t) has no
    // lower limit, and with λ < 0 would lead back into the crack.
    if (!(principal.value > 0.0) || principal.value < field.threshold(node.position)) continue;
    const Vector3 tangent = front_tangent(front, i);
    // DEVIATION [PKAGDG05] §3.2: of the two eigenvectors ±v the one on the side of the sheet's normal is used, so that
    // d points out of the crack; the text leaves the sign open.
    const Vector3 v = principal.direction.dot(node.normal) < 0.0 ? Vector3(-principal.direction) : principal.direction;
    node.drive = options_.speed * principal.value * v.cross(tangent);  // [PKAGDG05] §3.2: d = αλ (v × t)
    // [PKAGDG05] §5, propagation history
    node.rate = node.has_history ? Vector3(history * node.history + (1.0 - history) * node.drive) : node.drive;
  }
}

double FrontAdvance::largest_rate() const {
  double largest = 0.0;
  for (const AdvancingFront& front : fronts_)
    for (const CrackNode& node : front.nodes) largest = std::max(largest, node.rate.norm());
  return largest;
}

void FrontAdvance::finish_motion(AdvancingFront& front, double step) {
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    CrackNode& node = front.nodes[i];
    const double speed = node.rate.norm();
    if (!(speed > 0.0)) continue;
    node.history = options_.history_rule == HistoryRule::Averaged ? node.rate : node.drive;
    node.has_history = true;
    const Vector3 turned = front_tangent(front, i).cross(node.rate / speed);
    if (turned.norm() > 0.3) node.normal = turned.normalized();
    // [PKAGDG05] §3.2: before a hole appears, which the next equally long step would cause.
    if (node.since_surfel + step * speed > options_.surfel_radius) state_.add_surfels(front, i);
  }
}

Vector3 FrontAdvance::on_sheet(const SheetName& sheet, const Vector3& from, const Vector3& to) const {
  // [PKAGDG05] §3.2: end nodes are projected back onto their surface. Beyond the edge of a fracture sheet the nearest
  // point is on its front, so the end moves with the front.
  if (sheet.kind == Kind::Body) return body_.sheet(sheet.number).project(to).value_or(from);
  const auto nearest = area_.closest(to, 2.0 * (to - from).norm() + 4.0 * options_.surfel_radius,
                                     [&](int t) { return area_.crack_of(t) == sheet.number; });
  return nearest ? nearest->point : from;
}

void FrontAdvance::find_exit(const AdvancingFront& front, std::size_t i, NodeTarget& target) const {
  const Vector3& from = front.nodes[i].position;
  const SheetName* own = sheet_of_end(front, i);
  const auto about = vertices_about(front, i);
  const int recent = recent_since(front), left = crack_of_edge(front, i > 0 ? i - 1 : i), right = front.nodes[i].crack;
  const auto hit = area_.first_hit(from, target.raw, [&](int t) {
    const SweptTriangle& triangle = area_.triangles()[std::size_t(t)];
    // Strips overlap where a front turns or follows a curved surface: intersections with its recent area do not count.
    if (t >= recent && (triangle.crack == left || triangle.crack == right)) return false;
    if (own != nullptr && own->kind == Kind::Crack && own->number == triangle.crack) return false;
    for (const int v : triangle.vertices)
      if (std::find(about.begin(), about.end(), v) != about.end()) return false;
    return true;
  });
  const int but = own != nullptr && own->kind == Kind::Body ? own->number : -1;
  const int sheet = body_.outside(target.raw, but);
  // The first intersection counts, with a crack or the boundary; area swept outside the body cuts nothing.
  if (hit && (sheet < 0 || body_.outside(hit->point, but) < 0)) {
    target.is_out = true;
    target.place = hit->point;
    target.through = state_.sheet_of(hit->triangle, hit->point, from);
    return;
  }
  if (sheet < 0) return;
  // It sweeps up to its full target: area outside the body cuts nothing, and none is missing at the surface.
  target.is_out = true;
  target.through = {Kind::Body, sheet, 0};
}

bool FrontAdvance::snap_to(const SheetName& sheet, NodeTarget& target) const {
  const double d = options_.snapping_distance();
  if (sheet.kind == Kind::Body) {
    if (body_.distance(sheet.number, target.place) < -d) return false;
    const auto point = body_.sheet(sheet.number).project(target.place);
    if (!point) return false;
    target.place = *point;
  } else {
    const auto nearest = area_.closest(target.place, d, [&](int t) { return area_.crack_of(t) == sheet.number; });
    if (!nearest) return false;
    target.place = nearest->point;
  }
  target.is_out = target.is_snapped = true;
  target.through = sheet;
  return true;
}

/// [PKAGDG05] §3.3, snapping. DEVIATION [PKAGDG05] §3.3: of the nodes within d of the surface only those connected to a
/// node that has passed through it snap; others, such as those next to an end on the same surface, stay.
void FrontAdvance::snap(const AdvancingFront& front, std::vector<NodeTarget>& targets) const {
  const std::size_t n = targets.size();
  for (const int direction : {1, -1})
    for (std::size_t start = 0; start < n; ++start) {
      if (!targets[start].is_out || targets[start].is_snapped) continue;
      const SheetName sheet = targets[start].through;
      // Nodes of the same crack lie on its sheet at any distance from the intersection.
      const auto is_own = [&](std::size_t k) {
        return sheet.kind == Kind::Crack &&
               (sheet.number == front.nodes[k].crack || sheet.number == front.nodes[k].other_crack);
      };
      if (is_own(start)) continue;
      for (std::size_t k = 1; k < n; ++k) {
        const std::ptrdiff_t at = std::ptrdiff_t(start) + direction * std::ptrdiff_t(k);
        if (!front.is_closed && (at < 0 || at >= std::ptrdiff_t(n))) break;
        const auto index = std::size_t((at + std::ptrdiff_t(n)) % std::ptrdiff_t(n));
        NodeTarget& next = targets[index];
        if (next.is_out || is_own(index) || !snap_to(sheet, next)) break;
      }
    }
}

std::vector<NodeTarget> FrontAdvance::targets(const AdvancingFront& front, double dt) const {
  std::vector<NodeTarget> all(front.nodes.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CrackNode& node = front.nodes[i];
    NodeTarget& target = all[i];
    target.raw = node.position + dt * node.rate;
    if (const SheetName* own = sheet_of_end(front, i)) target.raw = on_sheet(*own, node.position, target.raw);
    target.place = target.raw;
    find_exit(front, i, target);
  }
  if (options_.snapping) snap(front, all);
  // An end whose neighbour is out is also out.
  if (!front.is_closed && all.size() > 1) {
    if (all[1].is_out && !all.front().is_out) {
      all.front().is_out = true;
      all.front().through = all[1].through;
    }
    if (all[all.size() - 2].is_out && !all.back().is_out) {
      all.back().is_out = true;
      all.back().through = all[all.size() - 2].through;
    }
  }
  return all;
}

/// Moves one front by the rules alone, whether or not the result is legal.
std::vector<int> FrontAdvance::move(std::size_t index, double dt) {
  AdvancingFront& front = fronts_[index];
  front.part = state_.part();
  const bool moves = std::any_of(front.nodes.begin(), front.nodes.end(),
                                 [](const CrackNode& node) { return node.rate.squaredNorm() > 0.0; });
  if (!moves) return {front.id};
  const std::vector<NodeTarget> goals = targets(front, dt);
  double farthest = 0.0;
  for (std::size_t i = 0; i < goals.size(); ++i)
    farthest = std::max(farthest, (goals[i].place - front.nodes[i].position).norm());
  front.past.emplace_back(front.travelled, int(area_.triangles().size()));
  front.travelled += farthest;
  while (front.past.size() > 1 && front.past[1].first <= front.travelled - kRecent * options_.surfel_radius)
    front.past.pop_front();
  const int first_new = int(area_.triangles().size());
  std::vector<EdgeBorder> borders;
  splitting_.sweep(front, goals, borders);
  finish_motion(front, dt);
  front.is_moving = true;
  if (std::any_of(goals.begin(), goals.end(), [](const NodeTarget& goal) { return goal.is_out; })) {
    // Last surfels of nodes that end here reach the surface.
    for (std::size_t i = 0; i < goals.size(); ++i)
      if (goals[i].is_out && front.nodes[i].since_surfel > 0.0) state_.add_surfels(front, i);
    const AdvancingFront old = front;
    splitting_.settle_exits(index, goals, borders);
    splitting_.fill_corners(old, goals, borders, first_new);
  }
  splitting_.cut_pierced_edges(first_new);
  std::vector<int> moved;
  for (AdvancingFront& one : fronts_) {
    if (one.is_moving && !one.nodes.empty()) moved.push_back(one.id);
    one.is_moving = false;
  }
  return moved;
}

std::vector<int> FrontAdvance::advance(int id, double dt, int halvings) {
  constexpr int kMostHalvings = 5;
  const auto index = [&] {
    return std::size_t(std::find_if(fronts_.begin(), fronts_.end(), [&](const auto& front) { return front.id == id; }) -
                       fronts_.begin());
  };
  if (index() == fronts_.size() || fronts_[index()].nodes.empty()) return {};
  CrackState::Snapshot before = state_.snapshot();
  std::vector<int> moved = move(index(), dt);
  std::optional<Vector3> place = state_.first_fault(before);
  if (!place) return moved;
  state_.restore(std::move(before));
  // The front was already illegal when given, or its body has changed: no invariant to preserve.
  if (state_.fault(fronts_[index()], 0, [](std::size_t) { return false; })) return move(index(), dt);
  if (halvings < kMostHalvings) {
    std::vector<int> all;
    for (const int piece : advance(id, 0.5 * dt, halvings + 1)) {
      const std::vector<int> pieces = advance(piece, 0.5 * dt, halvings + 1);
      all.insert(all.end(), pieces.begin(), pieces.end());
    }
    return all;
  }
  return force(index(), dt, *place);
}

/// DEVIATION [PKAGDG05] §3.3: if the paper's rules give no legal state, nodes near the fault keep their last, legal
/// position; as a last resort the whole front does. Reported by an event of its own kind.
std::vector<int> FrontAdvance::force(std::size_t index, double dt, Vector3 place) {
  const int id = fronts_[index].id;
  for (const double reach : {1.5, 4.0}) {
    CrackState::Snapshot before = state_.snapshot();
    for (CrackNode& node : fronts_[index].nodes)
      if ((node.position - place).norm() < reach * options_.surfel_radius) node.rate.setZero();
    std::vector<int> moved = move(index, dt);
    const auto next = state_.first_fault(before);
    if (!next) {
      state_.record(CrackEventKind::Forced, place, {id, -1}, {id, -1}, 0);
      return moved;
    }
    state_.restore(std::move(before));
  }
  for (CrackNode& node : fronts_[index].nodes) node.rate.setZero();
  fronts_[index].part = state_.part();
  state_.record(CrackEventKind::Forced, place, {id, -1}, {id, -1}, 1);
  return {id};
}

}  // namespace deformbench::meshless
