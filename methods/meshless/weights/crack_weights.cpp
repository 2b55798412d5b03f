// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/crack_weights.hpp"

#include <array>
#include <utility>

namespace deformbench::meshless {
namespace {

CrackFront front_of(const model::InitialCrack& crack, const std::vector<int>& vertices) {
  CrackFront front;
  front.is_closed = vertices.front() == vertices.back();
  for (std::size_t k = 0; k + (front.is_closed ? 1 : 0) < vertices.size(); ++k)
    front.nodes.push_back(crack.surface.positions.row(vertices[k]));
  return front;
}

/// Whether a triangle has the edge from one vertex to the other in this direction.
bool has_edge(const Triangles& triangles, int from, int to) {
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k)
      if (triangles(t, k) == from && triangles(t, (k + 1) % 3) == to) return true;
  return false;
}

}  // namespace

CrackWeights::CrackWeights(const Scene& scene, const WeightRule& rule, NodeCloud& cloud)
    : graph_(std::in_place, cloud, rule) {
  for (const model::InitialCrack& crack : scene.cracks) add(crack);
  for (Growth& growth : growths_) grow(growth, growth.ramp.value_at(0.0));
  cracks_.take_changes();
  graph_->recompute(cracks_);
}

void CrackWeights::renew_graph(NodeCloud& cloud) {
  const WeightRule rule = graph_->rule();
  graph_.emplace(cloud, rule);
  graph_->recompute(cracks_);
}

void CrackWeights::carry(const std::function<Vector3(const Vector3&, const Vector3&)>& place, NodeCloud& cloud) {
  cracks_.carry(place);
  last_changes_ = {};
  renew_graph(cloud);
}

void CrackWeights::add(const model::InitialCrack& crack) {
  const int number = cracks_.add_crack();
  const auto& surface = crack.surface;
  std::vector<std::array<Vector3, 3>> triangles;
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t)
    triangles.push_back({surface.positions.row(surface.triangles(t, 0)), surface.positions.row(surface.triangles(t, 1)),
                         surface.positions.row(surface.triangles(t, 2))});
  cracks_.add_triangles(number, triangles);
  Growth growth{number, crack.advance, crack.ramp, {}, {}};
  for (const auto& vertices : crack.fronts) {
    growth.start.push_back(front_of(crack, vertices));
    growth.is_forward.push_back(has_edge(surface.triangles, vertices[0], vertices[1]));
  }
  cracks_.set_fronts(number, growth.start);
  if (crack.grows() && !crack.fronts.empty()) growths_.push_back(std::move(growth));
}

/// New triangles continue the orientation of existing ones.
void CrackWeights::grow(Growth& growth, double share) {
  if (!(share > growth.share)) return;
  growth.share = share;
  std::vector<CrackFront> fronts = cracks_.fronts(growth.crack);
  std::vector<std::array<Vector3, 3>> swept;
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    const std::vector<Vector3> before = fronts[f].nodes;
    for (std::size_t k = 0; k < before.size(); ++k)
      fronts[f].nodes[k] = growth.start[f].nodes[k] + share * growth.advance;
    for (std::size_t k = 1; k < before.size(); ++k) {
      const std::size_t p = growth.is_forward[f] ? k - 1 : k, q = growth.is_forward[f] ? k : k - 1;
      swept.push_back({before[q], before[p], fronts[f].nodes[p]});
      swept.push_back({before[q], fronts[f].nodes[p], fronts[f].nodes[q]});
    }
  }
  cracks_.add_triangles(growth.crack, swept);
  cracks_.set_fronts(growth.crack, std::move(fronts));
}

bool CrackWeights::advance_to(double time) {
  for (Growth& growth : growths_) grow(growth, growth.ramp.value_at(time));
  last_changes_ = cracks_.take_changes();
  return graph_->update(cracks_, last_changes_).changed > 0;
}

}  // namespace deformbench::meshless
