// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_system.hpp"

#include <algorithm>
#include <cmath>

namespace deformbench::meshless {

double extent_of(const AdvancingFront& front) {
  double extent = 0.0;
  for (std::size_t i = 0; i < front.nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      extent = std::max(extent, (front.nodes[i].position - front.nodes[j].position).norm());
  return extent;
}

void reverse(AdvancingFront& front) {
  std::reverse(front.nodes.begin(), front.nodes.end());
  for (CrackNode& node : front.nodes) {
    node.normal = -node.normal;
    node.flip = -node.flip;
    if (node.other_crack >= 0) std::swap(node.crack, node.other_crack);
  }
  std::swap(front.first_sheet, front.last_sheet);
  std::swap(front.first_cut, front.last_cut);
}

CrackSystem::CrackSystem(CrackBody body, const CrackOptions& options)
    : body_(std::move(body)), options_(options), area_(options.surfel_radius) {}

int CrackSystem::crack_of_edge(const AdvancingFront& front, std::size_t node) {
  const CrackNode& first = front.nodes[node];
  return first.other_crack >= 0 ? first.other_crack : first.crack;
}

CrackNode CrackSystem::new_node(const Vector3& position, int crack) {
  CrackNode node;
  node.id = next_node_++;
  node.crack = crack;
  node.position = position;
  node.vertex = area_.add_vertex(position);
  return node;
}

CrackNode CrackSystem::node_between(const CrackNode& a, const CrackNode& b, const Vector3& position, int crack) {
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

void CrackSystem::record(CrackEventKind kind, const Vector3& position, std::array<int, 2> before,
                         std::array<int, 2> after, int cause) {
  events_.push_back({steps_, kind, position, before, after, cause});
}

double CrackSystem::meeting_distance(double advance) const {
  // Ends that pass each other within one part of a step have met, and so have nodes at the minimum spacing of a front.
  return options_.snapping ? snapping_distance() : 0.25 * options_.surfel_radius + advance;
}

void CrackSystem::step(double dt, const StressField& field) {
  ++steps_;
  for (AdvancingFront& front : fronts_) set_rates(front, field, options_.history);
  int parts = 1;
  if (options_.largest_advance > 0.0)
    parts = std::max(1, int(std::ceil(largest_rate() * dt / (options_.largest_advance * options_.surfel_radius))));
  // DEVIATION [PKAGDG05] §3.2: steps longer than surfels are wide are divided into parts, or they would leave holes. γ
  // is replaced by γ^(1/parts), so that the history of a front lasts equally long.
  const double history = std::pow(options_.history, 1.0 / parts);
  last_part_ = dt / parts;
  for (int part = 0; part < parts; ++part) {
    ++parts_;
    for (AdvancingFront& front : fronts_) {
      front.extent = extent_of(front);
      set_rates(front, field, history);
    }
    // Sequentially: a moving front meets the others where they are.
    for (std::size_t k = 0; k < fronts_.size(); ++k)
      if (fronts_[k].part != parts_) advance(fronts_[k].id, dt / parts);
    merge_ends(dt / parts);
    if (options_.contact == FrontContact::Near && options_.snapping) join_near_fronts();
    terminate();
    for (AdvancingFront& front : fronts_) resample(front);
  }
}

}  // namespace deformbench::meshless
