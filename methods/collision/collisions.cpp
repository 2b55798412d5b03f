// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/collisions.hpp"

#include <algorithm>

#include "methods/collision/contact_impulses.hpp"
#include "methods/collision/geometry_error.hpp"

namespace deformbench::collision {
namespace {

std::array<Vector3, 4> corners_of(const Points& points, const std::array<int, 4>& vertices) {
  std::array<Vector3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = points.row(vertices[k]).transpose();
  return x;
}

bool looks_along_the_way(Detection detection) {
  return detection != Detection::None && detection != Detection::Proximity;
}

}  // namespace

Collisions::Collisions(const Eigen::VectorXd& masses, const Triangles& triangles, const CollisionOptions& options)
    : options_(options),
      masses_(masses),
      triangles_(triangles),
      candidates_(masses.size(), triangles, options.detection != Detection::EdgeEdge,
                  options.detection != Detection::PointFace) {}

const CollisionCounts& Collisions::resolve(const Points& start, const Points& is_free, double h, Points& velocities,
                                           Points& end) {
  counts_ = {};
  contacts_of_sweeps_.clear();
  if (options_.detection == Detection::None) return counts_;
  start_ = &start;
  is_free_ = &is_free;
  velocities_ = &velocities;
  end_ = &end;
  h_ = h;
  mobility_ = masses_.cwiseInverse().asDiagonal() * is_free;
  round_ = 0;
  changed_in_.assign(std::size_t(start.rows()), 0);
  for (Eigen::Index i = 0; i < start.rows(); ++i)
    for (int c = 0; c < 3; ++c)
      if (is_free(i, c) == 0.0) velocities(i, c) = (end(i, c) - start(i, c)) / h;
  for (int i = 0; i < int(start.rows()); ++i) place(i);
  // [B05] §13: soft repulsions, impulses, impact zones.
  if (!thickness_) {
    thickness_ = options_.thickness;
    // [B05] §13: at a level comparable to the geometry approximation.
    if (options_.thickness_errors > 0.0) *thickness_ += options_.thickness_errors * geometry_error(start, triangles_);
  }
  if (*thickness_ > 0.0) repel_layers();
  if (looks_along_the_way(options_.detection)) {
    sweep_impulses();
    if (counts_.unresolved > 0 && options_.zones != ZoneMotion::None) merge_zones();
  }
  return counts_;
}

void Collisions::place(int vertex) {
  for (int c = 0; c < 3; ++c)
    if ((*is_free_)(vertex, c) != 0.0) (*end_)(vertex, c) = (*start_)(vertex, c) + h_ * (*velocities_)(vertex, c);
  changed_in_[std::size_t(vertex)] = round_;
}

std::optional<FirstContact> Collisions::test(const Candidate& candidate) const {
  const MovingPair pair{candidate.kind, corners_of(*start_, candidate.vertices), corners_of(*end_, candidate.vertices)};
  if (pair.start == pair.end) return std::nullopt;  // nobody moves: apart before, apart after
  return first_contact(pair);
}

void Collisions::repel_layers() {
  for (const Candidate& candidate : candidates_.find(*start_, *start_, *thickness_)) {
    const Closest closest = closest_points(candidate.kind, corners_of(*start_, candidate.vertices));
    const double distance = closest.difference.norm();
    if (distance >= *thickness_ || distance == 0.0) continue;
    if (!repel({candidate.vertices, closest.weights, closest.difference / distance}, *thickness_ - distance,
               options_.stiffness, options_.friction, h_, mobility_, *velocities_))
      continue;
    for (const int i : candidate.vertices) place(i);
    ++counts_.repulsions;
  }
}

template <class Answer>
int Collisions::test_pairs(Answer&& answer) {
  ++round_;
  int found = 0;
  const std::vector<Candidate>& pairs = candidates_.find(*start_, *end_);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Candidate& pair = pairs[options_.goes_backward ? pairs.size() - 1 - k : k];
    // A pair that has not moved since before the last round was tested in that round, and was apart.
    const bool is_new = std::any_of(pair.vertices.begin(), pair.vertices.end(),
                                    [&](int i) { return changed_in_[std::size_t(i)] >= round_ - 1; });
    if (!is_new) continue;
    const bool can_move =
        std::any_of(pair.vertices.begin(), pair.vertices.end(), [&](int i) { return !is_free_->row(i).isZero(); });
    if (!can_move) continue;
    const std::optional<FirstContact> contact = test(pair);
    if (!contact) continue;
    ++found;
    for (const int i : pair.vertices) changed_in_[std::size_t(i)] = round_;
    answer(pair.vertices, *contact);
  }
  return found;
}

void Collisions::sweep_impulses() {
  while (true) {
    const bool is_last = counts_.sweeps == options_.sweeps;
    // Each pair is answered at once: those after it see the new velocities. The last round only counts what is left.
    const int found = test_pairs([&](const std::array<int, 4>& vertices, const FirstContact& contact) {
      if (is_last ||
          !stop_approach({vertices, contact.weights, contact.normal}, options_.friction, mobility_, *velocities_))
        return;
      ++counts_.impulses;
      for (const int i : vertices) place(i);
    });
    contacts_of_sweeps_.push_back(found);
    if (counts_.sweeps == 0) counts_.first_contacts = found;
    counts_.unresolved = found;
    if (found == 0 || is_last) return;
    ++counts_.sweeps;
  }
}

void Collisions::merge_zones() {
  // [B05] §12: regions that collide are merged, and move as one; what they then meet is merged in turn.
  ImpactZones zones(*is_free_);
  const Points before = *velocities_;
  while (true) {
    std::vector<std::array<int, 4>> left;
    counts_.unresolved =
        test_pairs([&](const std::array<int, 4>& vertices, const FirstContact&) { left.push_back(vertices); });
    if (left.empty()) break;
    ++counts_.zone_rounds;
    bool has_changed = false;
    for (const std::array<int, 4>& vertices : left) has_changed |= zones.merge(vertices);
    // Pairs of one zone meet where rounding is larger than their gap, or its anchors leave no rigid motion. An affine
    // motion can drive pairs of one zone together by its nature: it is left to do so.
    if (!has_changed && options_.zones == ZoneMotion::Rigid)
      for (const std::array<int, 4>& vertices : left) has_changed |= zones.stop(vertices);
    if (!has_changed) break;
    zones.project(options_.zones, *start_, masses_, before, *velocities_, [&](int i) { place(i); });
  }
  for (const ImpactZones::Zone& zone : zones.zones()) {
    const int size = int(zone.free.size());
    ++counts_.zones;
    counts_.zone_vertices += size;
    counts_.largest_zone = std::max(counts_.largest_zone, size);
    if (zone.is_stopped) counts_.stopped_vertices += size;
  }
}

}  // namespace deformbench::collision
