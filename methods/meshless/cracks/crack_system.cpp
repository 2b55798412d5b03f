// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_system.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace deformbench::meshless {

int CrackSystem::add_front(std::span<const Vector3> nodes, bool is_closed, const Vector3& normal,
                           std::span<const Vector3> base) {
  const int crack = state_.add_crack();
  AdvancingFront front;
  front.id = state_.new_front_id();
  front.is_closed = is_closed;
  for (const Vector3& x : nodes) {
    front.nodes.push_back(state_.new_node(x, crack));
    front.nodes.back().normal = normal.normalized();
  }
  std::vector<int> swept;
  for (const Vector3& x : base) swept.push_back(area_.add_vertex(x));
  const std::size_t n = nodes.size();
  for (std::size_t i = 0; i < (is_closed ? n : n - 1) && !swept.empty(); ++i) {
    const std::size_t j = (i + 1) % n, a = swept.size() == 1 ? 0 : i, b = swept.size() == 1 ? 0 : j;
    area_.add_triangle(swept[a], swept[b], front.nodes[j].vertex, crack);
    area_.add_triangle(swept[a], front.nodes[j].vertex, front.nodes[i].vertex, crack);
  }
  if (!is_closed) {
    const auto nearest = [&](const Vector3& x) {
      int best = 0;
      for (int s = 1; s < body_.sheet_count(); ++s)
        if (std::abs(body_.distance(s, x)) < std::abs(body_.distance(best, x))) best = s;
      return SheetName{SheetName::Kind::Body, best, 0};
    };
    front.first_sheet = nearest(nodes.front());
    front.last_sheet = nearest(nodes.back());
  }
  for (std::size_t i = 0; i < n; ++i) state_.add_surfels(front, i);
  front.extent = extent_of(front);
  state_.record(CrackEventKind::Initiation, nodes.front(), {-1, -1}, {front.id, -1});
  fronts_.push_back(std::move(front));
  resampling_.resample(fronts_.back());
  return crack;
}

/// Corners of a new crack's triangle around an inside point, rotated by `angle` (rad).
std::vector<NodeTarget> CrackSystem::start_targets(const Vector3& centre, const Vector3& first, const Vector3& second,
                                                   double radius, double angle) const {
  std::vector<NodeTarget> targets(3);
  for (int k = 0; k < 3; ++k) {
    const double at = angle + 2.0 * std::numbers::pi * k / 3.0;
    NodeTarget& target = targets[std::size_t(k)];
    target.raw = target.place = centre + radius * (std::cos(at) * first + std::sin(at) * second);
    const auto hit = area_.first_hit(centre, target.raw, [](int) { return true; });
    const int sheet = body_.outside(target.raw);
    if (hit) {
      target.place = hit->point;
      target.is_out = true;
      target.through = state_.sheet_of(hit->triangle, hit->point, centre);
    } else if (sheet >= 0) {
      target.is_out = true;
      target.through = {SheetName::Kind::Body, sheet, 0};
    }
  }
  return targets;
}

bool CrackSystem::initiate(const Vector3& x, const Vector3& normal) {
  const double radius = options_.initial_radius * options_.surfel_radius;
  const Vector3 n = normal.normalized();
  // A surface point is moved slightly into the body, so that inside and outside are decided for the three nodes.
  Vector3 centre = x;
  Vector3 inwards = Vector3::Zero();
  for (int s = 0; s < body_.sheet_count(); ++s) {
    const double depth = body_.distance(s, centre);
    if (depth <= -radius) continue;
    const Vector3 out = body_.sheet(s).normal(centre);
    if (depth > -0.1 * radius) centre -= (depth + 0.1 * radius) * out;
    inwards -= out;
  }
  if (!body_.contains(centre)) return false;
  // One node straight into the body if a surface is near; the two others to its sides.
  Vector3 first = inwards - inwards.dot(n) * n;
  if (first.norm() < 0.1) first = n.unitOrthogonal();
  first.normalize();
  const Vector3 second = first.cross(n);  // in this order normal × tangent points outwards
  AdvancingFront front;
  front.is_closed = true;
  std::vector<NodeTarget> targets;
  std::ptrdiff_t out = 1;
  // With one corner outside, the front would have four nodes: two inside and two ends. The triangle is rotated until
  // none or two are outside, and shrunk if that fails.
  constexpr int kTurns = 12, kSizes = 4;
  for (int k = 0; k < kTurns * kSizes && out == 1; ++k) {
    const double turn = 2.0 * std::numbers::pi / 3.0 * (k % kTurns) / kTurns;
    targets = start_targets(centre, first, second, radius * (1.0 - 0.2 * (k / kTurns)), turn);
    out = std::count_if(targets.begin(), targets.end(), [](const NodeTarget& one) { return one.is_out; });
  }
  if (out == 3) return false;
  // Without room there, the crack is not created.
  return state_.attempt([&] { begin(front, centre, n, targets, out > 0); });
}

void CrackSystem::begin(AdvancingFront& front, const Vector3& centre, const Vector3& n,
                        const std::vector<NodeTarget>& targets, bool is_cut) {
  const int crack = state_.add_crack();
  const int middle = area_.add_vertex(centre);
  for (const NodeTarget& target : targets) {
    front.nodes.push_back(state_.new_node(target.place, crack));
    front.nodes.back().normal = n;
  }
  for (std::size_t k = 0; k < 3; ++k)
    area_.add_triangle(middle, front.nodes[k].vertex, front.nodes[(k + 1) % 3].vertex, crack);
  std::vector<AdvancingFront> parts{front};
  if (is_cut) {
    std::vector<EdgeBorder> borders;
    splitting_.sweep(front, targets, borders);
    parts = splitting_.pieces(front, targets, borders);
  }
  for (AdvancingFront& part : parts) {
    part.id = state_.new_front_id();
    part.extent = extent_of(part);
    for (std::size_t i = 0; i < part.nodes.size(); ++i) state_.add_surfels(part, i);
    state_.record(CrackEventKind::Initiation, centre, {-1, -1}, {part.id, -1});
    fronts_.push_back(part);
  }
}

void CrackSystem::step(double dt, const StressField& field) {
  state_.begin_step();
  for (AdvancingFront& front : fronts_) advance_.set_rates(front, field, options_.history);
  int parts = 1;
  if (options_.largest_advance > 0.0)
    parts =
        std::max(1, int(std::ceil(advance_.largest_rate() * dt / (options_.largest_advance * options_.surfel_radius))));
  // DEVIATION [PKAGDG05] §3.2: steps longer than surfels are wide are divided into parts, or they would leave holes. γ
  // is replaced by γ^(1/parts), so that the history of a front lasts equally long.
  const double history = std::pow(options_.history, 1.0 / parts);
  for (int part = 0; part < parts; ++part) {
    state_.begin_part();
    for (AdvancingFront& front : fronts_) {
      front.extent = extent_of(front);
      advance_.set_rates(front, field, history);
    }
    // Sequentially: a moving front meets the others where they are.
    for (std::size_t k = 0; k < fronts_.size(); ++k)
      if (fronts_[k].part != state_.part()) advance_.advance(fronts_[k].id, dt / parts);
    merging_.merge_ends(dt / parts);
    if (options_.contact == FrontContact::Near && options_.snapping) merging_.join_near_fronts();
    splitting_.terminate(dt / parts);
    for (AdvancingFront& front : fronts_) resampling_.resample(front);
  }
}

}  // namespace deformbench::meshless
