// SPDX-License-Identifier: BSD-3-Clause
// Motion of one front: sweeps area, and splits where it passes through surfaces. [PKAGDG05] §3.2, §3.3
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/meshless/cracks/crack_system.hpp"

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

const SheetName* sheet_of_end(const AdvancingFront& front, std::size_t i) {
  if (front.is_closed) return nullptr;
  return i == 0 ? &front.first_sheet : i + 1 == front.nodes.size() ? &front.last_sheet : nullptr;
}

int side_of(const Vector3& x, const Vector3& point, const Vector3& normal) {
  return (x - point).dot(normal) < 0.0 ? -1 : 1;
}

}  // namespace

int CrackSystem::recent_since(const AdvancingFront& front) {
  return front.past.empty() ? 0 : front.past.front().second;
}

Vector3 CrackSystem::on_sheet(const SheetName& sheet, const Vector3& from, const Vector3& to) const {
  // [PKAGDG05] §3.2: end nodes are projected back onto their surface. Beyond the edge of a fracture sheet the nearest
  // point is on its front, so the end moves with the front.
  if (sheet.kind == Kind::Body) return body_.sheet(sheet.number).project(to).value_or(from);
  const auto nearest = area_.closest(to, 2.0 * (to - from).norm() + 4.0 * options_.surfel_radius,
                                     [&](int t) { return area_.triangles()[std::size_t(t)].crack == sheet.number; });
  return nearest ? nearest->point : from;
}

void CrackSystem::find_exit(const AdvancingFront& front, std::size_t i, Target& target) const {
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
    target.through = {Kind::Crack, area_.triangles()[std::size_t(hit->triangle)].crack,
                      side_of(from, hit->point, area_.normal(hit->triangle))};
    return;
  }
  if (sheet < 0) return;
  // It sweeps up to its full target: area outside the body cuts nothing, and none is missing at the surface.
  target.is_out = true;
  target.through = {Kind::Body, sheet, 0};
}

bool CrackSystem::snap_to(const SheetName& sheet, Target& target) const {
  const double d = snapping_distance();
  if (sheet.kind == Kind::Body) {
    if (body_.distance(sheet.number, target.place) < -d) return false;
    const auto point = body_.sheet(sheet.number).project(target.place);
    if (!point) return false;
    target.place = *point;
  } else {
    const auto nearest =
        area_.closest(target.place, d, [&](int t) { return area_.triangles()[std::size_t(t)].crack == sheet.number; });
    if (!nearest) return false;
    target.place = nearest->point;
  }
  target.is_out = target.is_snapped = true;
  target.through = sheet;
  return true;
}

/// [PKAGDG05] §3.3, snapping. DEVIATION [PKAGDG05] §3.3: of the nodes within d of the surface only those connected to a
/// node that has passed through it snap; others, such as those next to an end on the same surface, stay.
void CrackSystem::snap(const AdvancingFront& front, std::vector<Target>& targets) const {
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
        Target& next = targets[index];
        if (next.is_out || is_own(index) || !snap_to(sheet, next)) break;
      }
    }
}

std::vector<CrackSystem::Target> CrackSystem::targets(const AdvancingFront& front, double dt) const {
  std::vector<Target> all(front.nodes.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CrackNode& node = front.nodes[i];
    Target& target = all[i];
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

/// First surface hit on the edge of crack `own` from an inside to an outside node: the position of the new end.
CrackSystem::Border CrackSystem::border(const Target& inside, const Target& outside, int own) const {
  Border border;
  border.sheet = outside.through;
  border.point = outside.place;
  const bool is_body = outside.through.kind == Kind::Body;
  // A node stopped at a crack lies on its sheet; the search then continues to its unclipped target.
  const Vector3& to = is_body || outside.is_snapped ? outside.place : outside.raw;
  const auto hit = area_.first_hit(inside.place, to, [&](int t) {
    const int crack = area_.triangles()[std::size_t(t)].crack;
    return crack != own || (!is_body && crack == outside.through.number);
  });
  std::optional<CrackBody::Exit> exit;
  if (body_.outside(to) >= 0 && !(is_body && outside.is_snapped)) exit = body_.exit(inside.place, to);
  if (hit && (!exit || (hit->point - inside.place).norm() <= (exit->point - inside.place).norm())) {
    border.point = hit->point;
    border.sheet = {Kind::Crack, area_.triangles()[std::size_t(hit->triangle)].crack,
                    side_of(inside.place, hit->point, area_.normal(hit->triangle))};
  } else if (exit) {
    border.point = exit->point;
    border.sheet = {Kind::Body, exit->sheet >= 0 ? exit->sheet : outside.through.number, 0};
  } else if (!is_body) {
    const auto nearest = area_.closest(outside.place, options_.surfel_radius, [&](int t) {
      return area_.triangles()[std::size_t(t)].crack == outside.through.number;
    });
    if (nearest) border.sheet.side = side_of(inside.place, nearest->point, area_.normal(nearest->triangle));
  }
  return border;
}

/// Adds the area between old and new node positions; sets the vertices of `borders`, one per edge.
void CrackSystem::sweep(AdvancingFront& front, const std::vector<Target>& targets, std::vector<Border>& borders) {
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  std::vector<int> moved(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool stays = targets[i].place == front.nodes[i].position;
    moved[i] = stays ? front.nodes[i].vertex : area_.add_vertex(targets[i].place);
  }
  borders.assign(edges, {});
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t j = (i + 1) % n;
    const int a = front.nodes[i].vertex, b = front.nodes[j].vertex, crack = crack_of_edge(front, i);
    area_.add_triangle(a, b, moved[j], crack);
    if (targets[i].is_out == targets[j].is_out) {
      area_.add_triangle(a, moved[j], moved[i], crack);
      continue;
    }
    Border& at = borders[i];
    at = targets[j].is_out ? border(targets[i], targets[j], crack) : border(targets[j], targets[i], crack);
    at.vertex = area_.add_vertex(at.point);
    area_.add_triangle(a, moved[j], at.vertex, crack);
    area_.add_triangle(a, at.vertex, moved[i], crack);
  }
  for (std::size_t i = 0; i < n; ++i) {
    CrackNode& node = front.nodes[i];
    node.since_surfel += (targets[i].place - node.position).norm();
    node.position = targets[i].place;
    node.last_vertex = node.vertex;
    node.vertex = moved[i];
  }
}

/// Runs of nodes inside, with new ends at their borders.
std::vector<AdvancingFront> CrackSystem::pieces(const AdvancingFront& front, const std::vector<Target>& targets,
                                                const std::vector<Border>& borders) {
  const std::size_t n = targets.size();
  std::vector<AdvancingFront> found;
  std::size_t start = 0;
  if (front.is_closed)
    while (!targets[start].is_out) ++start;
  const auto end_node = [&](std::size_t edge, std::size_t inside) {
    const CrackNode& neighbour = front.nodes[inside];
    CrackNode node = node_between(neighbour, neighbour, borders[edge].point, crack_of_edge(front, edge));
    node.vertex = borders[edge].vertex;
    return node;
  };
  AdvancingFront run;
  for (std::size_t k = 0; k < (front.is_closed ? n + 1 : n); ++k) {
    const std::size_t i = (start + k) % n, before = (i + n - 1) % n;
    const bool has_edge = k > 0;
    const bool was_out = !has_edge || targets[before].is_out;
    if (!targets[i].is_out) {
      if (was_out) {
        run = {};
        if (has_edge) {
          run.nodes.push_back(end_node(before, i));
          run.first_sheet = borders[before].sheet;
        } else {
          run.first_sheet = front.first_sheet;
          run.first_cut = front.first_cut;
        }
      }
      run.nodes.push_back(front.nodes[i]);
    } else if (has_edge && !was_out) {
      run.nodes.push_back(end_node(before, before));
      run.last_sheet = borders[before].sheet;
      found.push_back(run);
    }
  }
  if (!front.is_closed && !targets[n - 1].is_out) {
    run.last_sheet = front.last_sheet;
    run.last_cut = front.last_cut;
    found.push_back(run);
  }
  return found;
}

/// Moves one front by the rules alone, whether or not the result is legal.
std::vector<int> CrackSystem::move(std::size_t index, double dt) {
  AdvancingFront& front = fronts_[index];
  front.part = parts_;
  const bool moves = std::any_of(front.nodes.begin(), front.nodes.end(),
                                 [](const CrackNode& node) { return node.rate.squaredNorm() > 0.0; });
  if (!moves) return {front.id};
  const std::vector<Target> goals = targets(front, dt);
  double farthest = 0.0;
  for (std::size_t i = 0; i < goals.size(); ++i)
    farthest = std::max(farthest, (goals[i].place - front.nodes[i].position).norm());
  front.past.emplace_back(front.travelled, int(area_.triangles().size()));
  front.travelled += farthest;
  while (front.past.size() > 1 && front.past[1].first <= front.travelled - kRecent * options_.surfel_radius)
    front.past.pop_front();
  const int first_new = int(area_.triangles().size());
  std::vector<Border> borders;
  sweep(front, goals, borders);
  finish_motion(front, dt);
  front.is_moving = true;
  if (std::any_of(goals.begin(), goals.end(), [](const Target& goal) { return goal.is_out; })) {
    // Last surfels of nodes that end here reach the surface.
    for (std::size_t i = 0; i < goals.size(); ++i)
      if (goals[i].is_out && front.nodes[i].since_surfel > 0.0) add_surfels(front, i);
    const AdvancingFront old = front;
    settle_exits(index, goals, borders);
    fill_corners(old, goals, borders, first_new);
  }
  cut_pierced_edges(first_new);
  std::vector<int> moved;
  for (AdvancingFront& one : fronts_) {
    if (one.is_moving && !one.nodes.empty()) moved.push_back(one.id);
    one.is_moving = false;
  }
  return moved;
}

std::vector<int> CrackSystem::advance(int id, double dt, int halvings) {
  constexpr int kMostHalvings = 5;
  const auto index = [&] {
    return std::size_t(std::find_if(fronts_.begin(), fronts_.end(), [&](const auto& front) { return front.id == id; }) -
                       fronts_.begin());
  };
  if (index() == fronts_.size() || fronts_[index()].nodes.empty()) return {};
  Snapshot before = snapshot();
  std::vector<int> moved = move(index(), dt);
  std::optional<Vector3> place = first_fault(before);
  if (!place) return moved;
  restore(std::move(before));
  // The front was already illegal when given, or its body has changed: no invariant to preserve.
  if (fault(fronts_[index()], 0, [](std::size_t) { return false; })) return move(index(), dt);
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
std::vector<int> CrackSystem::force(std::size_t index, double dt, Vector3 place) {
  const int id = fronts_[index].id;
  for (const double reach : {1.5, 4.0}) {
    Snapshot before = snapshot();
    for (CrackNode& node : fronts_[index].nodes)
      if ((node.position - place).norm() < reach * options_.surfel_radius) node.rate.setZero();
    std::vector<int> moved = move(index, dt);
    const auto next = first_fault(before);
    if (!next) {
      record(CrackEventKind::Forced, place, {id, -1}, {id, -1}, 0);
      return moved;
    }
    restore(std::move(before));
  }
  for (CrackNode& node : fronts_[index].nodes) node.rate.setZero();
  fronts_[index].part = parts_;
  record(CrackEventKind::Forced, place, {id, -1}, {id, -1}, 1);
  return {id};
}

void CrackSystem::settle_exits(std::size_t index, const std::vector<Target>& goals,
                               const std::vector<Border>& borders) {
  const AdvancingFront old = fronts_[index];
  std::vector<AdvancingFront> found = pieces(old, goals, borders);
  const auto cause = [](const SheetName& sheet) { return sheet.kind == Kind::Crack ? 1 : 0; };
  if (found.empty()) {
    record(CrackEventKind::Termination, old.nodes.front().position, {old.id, -1}, {-1, -1}, 1);
    fronts_[index].nodes.clear();
    return;
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    found[k].id = k == 0 ? old.id : next_front_++;
    found[k].part = parts_;
    found[k].is_moving = true;
    found[k].extent = old.extent;
    found[k].travelled = old.travelled;
    found[k].past = old.past;
  }
  const std::size_t m = found.size();
  if (!old.is_closed && goals.front().is_out)
    record(CrackEventKind::EndRun, found.front().nodes.front().position, {old.id, -1}, {old.id, -1},
           cause(found.front().first_sheet));
  if (!old.is_closed && goals.back().is_out)
    record(CrackEventKind::EndRun, found.back().nodes.back().position, {old.id, -1}, {found.back().id, -1},
           cause(found.back().last_sheet));
  // One split per outside run between two inside runs.
  for (std::size_t k = 0; k < (old.is_closed ? m : m - 1); ++k) {
    AdvancingFront &left = found[k], &right = found[(k + 1) % m];
    left.last_cut = right.first_cut = next_cut_++;
    record(CrackEventKind::Split, 0.5 * (left.nodes.back().position + right.nodes.front().position), {old.id, -1},
           {left.id, right.id}, cause(left.last_sheet));
  }
  fronts_[index] = found.front();
  for (std::size_t k = 1; k < m; ++k) fronts_.push_back(found[k]);
}

}  // namespace deformbench::meshless
