// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/tearing_body.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace deformbench::pbd {
namespace {

/// Appends one row per tear: a copy of the split vertex's row.
void append_copies(const std::vector<VertexTear>& tears, Points& rows) {
  if (rows.rows() == 0) return;
  Eigen::Index next = rows.rows();
  rows.conservativeResize(next + Eigen::Index(tears.size()), 3);
  for (const VertexTear& tear : tears) rows.row(next++) = rows.row(tear.vertex).eval();
}

}  // namespace

TearingBody::TearingBody(const Scene& scene, const PbdOptions& options, const RunContext& context,
                         std::vector<std::unique_ptr<Constraint>> own)
    : PbdBody(scene, options, context, std::move(own)), topology_(scene.cloth.triangles, scene.cloth.vertex_count()) {}

StepReport TearingBody::step() {
  events_.clear();
  return PbdBody::step();
}

/// Edges beyond the limit, sorted by decreasing stretch ratio.
std::vector<std::array<int, 2>> TearingBody::overstretched() const {
  struct Edge {
    double stretch;
    std::array<int, 2> ends;
  };
  std::vector<Edge> edges;
  for (const StretchConstraint& c : mesh_.stretch) {
    const double stretch = (x_.row(c.a) - x_.row(c.b)).norm() / c.rest_length;
    if (stretch > options_.tear_stretch) edges.push_back({stretch, {c.a, c.b}});
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.stretch > b.stretch; });
  std::vector<std::array<int, 2>> ends;
  for (const Edge& edge : edges) ends.push_back(edge.ends);
  return ends;
}

void TearingBody::after_substep() {
  const std::vector<std::array<int, 2>> edges = overstretched();
  if (edges.empty()) {
    refused_.clear();
    return;
  }
  std::vector<bool> held(std::size_t(x_.rows()));
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = is_held(int(i));
  for (const auto& attachment : scene_.attachments) held[std::size_t(attachment.vertex)] = true;
  const std::vector<VertexTear> tears = topology_.tear(edges, x_, held);
  report_refusals();
  if (!tears.empty()) follow(tears);
}

void TearingBody::report_refusals() {
  std::vector<std::array<int, 2>> now(topology_.refused().begin(), topology_.refused().end());
  std::sort(now.begin(), now.end());
  for (const auto& [a, b] : now)
    if (!std::binary_search(refused_.begin(), refused_.end(), std::array{a, b}))
      events_.push_back(
          {"cloth_tear_refused", a,
           fmt::format("edge from vertex {} to {}: each end is held, or all its triangles lie on one side", a, b)});
  refused_ = std::move(now);
}

void TearingBody::follow(const std::vector<VertexTear>& tears) {
  version_ += std::int64_t(tears.size());
  scene_.cloth.triangles = topology_.triangles();
  append_copies(tears, scene_.cloth.rest_positions);
  append_copies(tears, scene_.initial_positions);
  append_copies(tears, scene_.initial_velocities);
  append_copies(tears, x_);
  append_copies(tears, v_);
  const auto index_in = [](const std::vector<int>& list, int vertex) {
    return std::size_t(std::find(list.begin(), list.end(), vertex) - list.begin());
  };
  for (const VertexTear& tear : tears) {
    for (auto& motion : scene_.prescribed) {
      const std::size_t k = index_in(motion.vertices, tear.vertex);
      if (k == motion.vertices.size()) continue;
      motion.vertices.push_back(tear.duplicate);
      if (motion.targets.rows() == 0) continue;
      motion.targets.conservativeResize(motion.targets.rows() + 1, 3);
      for (int c = 0; c < 3; ++c) motion.targets(motion.targets.rows() - 1, c) = motion.targets(Eigen::Index(k), c);
    }
    for (auto& [name, vertices] : scene_.vertex_sets)
      if (index_in(vertices, tear.vertex) < vertices.size()) vertices.push_back(tear.duplicate);
    events_.push_back(
        {"cloth_tear", tear.vertex,
         fmt::format("vertex {} torn from {}, away from vertex {}", tear.duplicate, tear.vertex, tear.edge_other)});
  }
  follow_scene();
}

}  // namespace deformbench::pbd
