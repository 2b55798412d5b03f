// SPDX-License-Identifier: BSD-3-Clause
// Crack initiation. [PKAGDG05] §3.2
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {

int CrackSystem::add_front(std::span<const Vector3> nodes, bool is_closed, const Vector3& normal,
                           std::span<const Vector3> base) {
  const int crack = add_crack();
  AdvancingFront front;
  front.id = next_front_++;
  front.is_closed = is_closed;
  for (const Vector3& x : nodes) {
    front.nodes.push_back(new_node(x, crack));
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
  for (std::size_t i = 0; i < n; ++i) add_surfels(front, i);
  front.extent = extent_of(front);
  record(CrackEventKind::Initiation, nodes.front(), {-1, -1}, {front.id, -1});
  fronts_.push_back(std::move(front));
  resample(fronts_.back());
  return crack;
}

/// Corners of a new crack's triangle around an inside point, rotated by `angle` (rad).
std::vector<CrackSystem::Target> CrackSystem::start_targets(const Vector3& centre, const Vector3& first,
                                                            const Vector3& second, double radius, double angle) const {
  std::vector<Target> targets(3);
  for (int k = 0; k < 3; ++k) {
    const double at = angle + 2.0 * std::numbers::pi * k / 3.0;
    Target& target = targets[std::size_t(k)];
    target.raw = target.place = centre + radius * (std::cos(at) * first + std::sin(at) * second);
    const auto hit = area_.first_hit(centre, target.raw, [](int) { return true; });
    const int sheet = body_.outside(target.raw);
    if (hit) {
      target.place = hit->point;
      target.is_out = true;
      target.through = {SheetName::Kind::Crack, area_.triangles()[std::size_t(hit->triangle)].crack,
                        (centre - hit->point).dot(area_.normal(hit->triangle)) < 0.0 ? -1 : 1};
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
  std::vector<Target> targets;
  std::ptrdiff_t out = 1;
  // With one corner outside, the front would have four nodes: two inside and two ends. The triangle is rotated until
  // none or two are outside, and shrunk if that fails.
  constexpr int kTurns = 12, kSizes = 4;
  for (int k = 0; k < kTurns * kSizes && out == 1; ++k) {
    const double turn = 2.0 * std::numbers::pi / 3.0 * (k % kTurns) / kTurns;
    targets = start_targets(centre, first, second, radius * (1.0 - 0.2 * (k / kTurns)), turn);
    out = std::count_if(targets.begin(), targets.end(), [](const Target& one) { return one.is_out; });
  }
  if (out == 3) return false;
  // Without room there, the crack is not created.
  return attempt([&] {
    begin(front, centre, n, targets, out > 0);
    return true;
  });
}

void CrackSystem::begin(AdvancingFront& front, const Vector3& centre, const Vector3& n,
                        const std::vector<Target>& targets, bool is_cut) {
  const int crack = add_crack();
  const int middle = area_.add_vertex(centre);
  for (const Target& target : targets) {
    front.nodes.push_back(new_node(target.place, crack));
    front.nodes.back().normal = n;
  }
  for (std::size_t k = 0; k < 3; ++k)
    area_.add_triangle(middle, front.nodes[k].vertex, front.nodes[(k + 1) % 3].vertex, crack);
  std::vector<AdvancingFront> parts{front};
  if (is_cut) {
    std::vector<Border> borders;
    sweep(front, targets, borders);
    parts = pieces(front, targets, borders);
  }
  for (AdvancingFront& part : parts) {
    part.id = next_front_++;
    part.extent = extent_of(part);
    for (std::size_t i = 0; i < part.nodes.size(); ++i) add_surfels(part, i);
    record(CrackEventKind::Initiation, centre, {-1, -1}, {part.id, -1});
    fronts_.push_back(part);
  }
}

}  // namespace deformbench::meshless
