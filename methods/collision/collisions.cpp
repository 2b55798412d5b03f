// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/collisions.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "methods/collision/contact_impulses.hpp"
#include "methods/collision/geometry_error.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::collision {
namespace {

constexpr std::size_t kFewestAhead = 512, kMostAhead = 32768;  // pairs tested ahead of their turn at once
constexpr std::size_t kTooMany = 16, kFew = 64;                // one in this many is retested in its turn
constexpr std::size_t kBlock = 64;                             // pairs per block of a thread
constexpr std::size_t kRepelBlock = 1024;

/// Calls work(first, last) for blocks of 0 … count − 1, on all threads.
template <class Work>
void share_out(int threads, std::size_t count, std::size_t block, Work&& work) {
  std::atomic<std::size_t> next{0};
  numerics::run_team(count > block ? threads : 1, [&](int) {
    for (std::size_t first; (first = next.fetch_add(block, std::memory_order_relaxed)) < count;)
      work(first, std::min(count, first + block));
  });
}

std::array<Vector3, 4> corners_of(const Points& points, const std::array<int, 4>& vertices) {
  std::array<Vector3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = points.row(vertices[k]).transpose();
  return x;
}

/// Whether the boxes of a pair are `distance` or more apart.
bool are_apart(PairKind kind, const std::array<Vector3, 4>& x, double distance) {
  const std::size_t first = kind == PairKind::PointTriangle ? 1 : 2;
  Vector3 low[2] = {x[0], x[3]}, high[2] = {x[0], x[3]};
  for (std::size_t k = 1; k < 3; ++k) {
    const int side = k < first ? 0 : 1;
    low[side] = low[side].cwiseMin(x[k]);
    high[side] = high[side].cwiseMax(x[k]);
  }
  return (low[0] - high[1]).maxCoeff() >= distance || (low[1] - high[0]).maxCoeff() >= distance;
}

bool looks_along_the_way(Detection detection) {
  return detection != Detection::None && detection != Detection::Proximity;
}

}  // namespace

Collisions::Collisions(const Eigen::VectorXd& masses, const Triangles& triangles, const CollisionOptions& options,
                       int threads, bool time_phases)
    : options_(options),
      masses_(masses),
      threads_(std::max(1, threads)),
      triangles_(triangles),
      candidates_(masses.size(), triangles, options.detection != Detection::EdgeEdge,
                  options.detection != Detection::PointFace, threads_),
      clock_(time_phases) {}

const CollisionCounts& Collisions::resolve(const Points& start, const Points& is_free, double h, Points& velocities,
                                           Points& end) {
  counts_ = {};
  contacts_of_sweeps_.clear();
  if (options_.detection == Detection::None) return counts_;
  clock_.start();
  start_ = &start;
  is_free_ = &is_free;
  velocities_ = &velocities;
  end_ = &end;
  h_ = h;
  mobility_ = masses_.cwiseInverse().asDiagonal() * is_free;
  round_ = glance_ = last_moved_in_ = 0;
  changed_in_.assign(std::size_t(start.rows()), 0);
  moved_in_.assign(std::size_t(start.rows()), 0);
  moved_.clear();
  is_listed_.assign(std::size_t(start.rows()), 0);
  has_changed_.assign(std::size_t(start.rows()), 1);
  can_move_.resize(std::size_t(start.rows()));
  for (Eigen::Index i = 0; i < start.rows(); ++i) can_move_[std::size_t(i)] = !is_free.row(i).isZero();
  pairs_ = nullptr;
  for (Eigen::Index i = 0; i < start.rows(); ++i)
    for (int c = 0; c < 3; ++c)
      if (is_free(i, c) == 0.0) velocities(i, c) = (end(i, c) - start(i, c)) / h;
  for (int i = 0; i < int(start.rows()); ++i) place(i);
  clock_.charge(CollisionPhases::Impulses);
  // [B05] §13: soft repulsions, impulses, impact zones.
  if (!thickness_) {
    thickness_ = options_.thickness;
    // [B05] §13: at a level comparable to the geometry approximation.
    if (options_.thickness_errors > 0.0) *thickness_ += options_.thickness_errors * geometry_error(start, triangles_);
  }
  find_pairs();
  if (*thickness_ > 0.0) repel_layers();
  if (looks_along_the_way(options_.detection)) {
    sweep_impulses();
    if (counts_.unresolved > 0 && options_.zones != ZoneMotion::None) merge_zones();
    count_held_pairs();
  }
  return counts_;
}

void Collisions::count_held_pairs() {
  const auto moves = [&](int i) { return can_move_[std::size_t(i)] != 0; };
  bool are_driven = false;  // without a motion, prescribed vertices stay apart
  for (int i = 0; i < int(start_->rows()) && !are_driven; ++i) are_driven = !moves(i) && start_->row(i) != end_->row(i);
  if (!are_driven) return;
  for (const Candidate& pair : *pairs_) {
    const std::array<int, 4> vertices = candidates_.vertices(pair);
    if (std::none_of(vertices.begin(), vertices.end(), moves) && test(pair.kind, vertices, *end_)) ++counts_.unresolved;
  }
}

void Collisions::place(int vertex) {
  for (int c = 0; c < 3; ++c)
    if ((*is_free_)(vertex, c) != 0.0) (*end_)(vertex, c) = (*start_)(vertex, c) + h_ * (*velocities_)(vertex, c);
  std::atomic_ref(changed_in_[std::size_t(vertex)]).store(round_, std::memory_order_relaxed);
  moved_in_[std::size_t(vertex)] = last_moved_in_ = glance_;
  if (threads_ > 1 && !std::exchange(is_listed_[std::size_t(vertex)], 1)) moved_.push_back(vertex);
  has_changed_[std::size_t(vertex)] = 1;
}

const Candidate& Collisions::pair_of(std::size_t turn) const {
  return (*pairs_)[options_.goes_backward ? pairs_->size() - 1 - turn : turn];
}

std::optional<FirstContact> Collisions::test(PairKind kind, const std::array<int, 4>& vertices,
                                             const Points& end) const {
  const MovingPair pair{kind, corners_of(*start_, vertices), corners_of(end, vertices)};
  if (pair.start == pair.end) return std::nullopt;  // no motion: apart before, apart after
  return first_contact(pair);
}

void Collisions::repel_layers() {
  // The near pairs are found first: they must not depend on the repulsions.
  const std::vector<Candidate>& pairs = *pairs_;
  struct Near {
    std::array<int, 4> vertices;
    Closest closest;
  };
  std::vector<std::vector<Near>> near((pairs.size() + kRepelBlock - 1) / kRepelBlock);
  share_out(threads_, pairs.size(), kRepelBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::array<int, 4> vertices = candidates_.vertices(pairs[k]);
      const std::array<Vector3, 4> corners = corners_of(*start_, vertices);
      if (are_apart(pairs[k].kind, corners, *thickness_)) continue;
      const Closest closest = closest_points(pairs[k].kind, corners);
      const double distance = closest.difference.norm();
      if (distance < *thickness_ && distance > 0.0) near[first / kRepelBlock].push_back({vertices, closest});
    }
  });
  clock_.charge(CollisionPhases::Narrow);
  for (const std::vector<Near>& block : near)
    for (const auto& [vertices, closest] : block) {
      const double distance = closest.difference.norm();
      if (!repel({vertices, closest.weights, closest.difference / distance}, *thickness_ - distance, options_.stiffness,
                 options_.friction, h_, mobility_, *velocities_))
        continue;
      for (const int i : vertices) place(i);
      ++counts_.repulsions;
    }
  clock_.charge(CollisionPhases::Impulses);
}

void Collisions::find_pairs() {
  pairs_ = pairs_ == nullptr ? &candidates_.find(*start_, *end_, *thickness_)
                             : &candidates_.find_again(*start_, *end_, has_changed_);
  std::fill(has_changed_.begin(), has_changed_.end(), char(0));
  clock_.charge(CollisionPhases::Broad);
}

bool Collisions::is_due(const std::array<int, 4>& vertices) const {
  // A pair unchanged since before the last round was tested in that round, and was apart.
  bool is_new = false, can_move = false;
  for (const int i : vertices) {
    // Reading another thread's changes early causes too many or too few tests ahead; the pair's turn corrects this.
    is_new |= std::atomic_ref(changed_in_[std::size_t(i)]).load(std::memory_order_relaxed) >= round_ - 1;
    can_move |= can_move_[std::size_t(i)] != 0;
  }
  return is_new && can_move;
}

void Collisions::begin_window(Window& window, std::size_t first, std::size_t last) {
  for (const int i : moved_) {
    seen_end_.row(i) = end_->row(i);
    is_listed_[std::size_t(i)] = 0;
  }
  moved_.clear();
  window.first = first;
  window.last = last;
  window.glance = ++glance_;
  window.next.store(first, std::memory_order_relaxed);
  if (window.ahead.size() < last - first) {
    window.ahead.resize(last - first);
    window.contacts.resize(last - first);
  }
}

void Collisions::look_ahead(Window& window) const {
  for (std::size_t from; (from = window.next.fetch_add(kBlock, std::memory_order_relaxed)) < window.last;)
    for (std::size_t turn = from; turn < std::min(window.last, from + kBlock); ++turn) {
      const std::array<int, 4> vertices = candidates_.vertices(pair_of(turn));
      Ahead& ahead = window.ahead[turn - window.first];
      ahead = Ahead::Untested;
      if (!is_due(vertices)) continue;
      const std::optional<FirstContact> contact = test(pair_of(turn).kind, vertices, seen_end_);
      ahead = contact ? Ahead::Meets : Ahead::Apart;
      if (contact) window.contacts[turn - window.first] = *contact;
    }
}

template <class Answer>
int Collisions::answer_in_turn(std::size_t first, std::size_t last, const Window* window, Answer&& answer) {
  int found = 0;
  tested_twice_ = 0;
  for (std::size_t turn = first; turn < last; ++turn) {
    const Ahead ahead = window != nullptr ? window->ahead[turn - first] : Ahead::Untested;
    if (window != nullptr && last_moved_in_ < window->glance && ahead != Ahead::Meets) continue;
    const std::array<int, 4> vertices = candidates_.vertices(pair_of(turn));
    const bool is_stale = ahead == Ahead::Untested || std::any_of(vertices.begin(), vertices.end(), [&](int i) {
                            return moved_in_[std::size_t(i)] >= window->glance;
                          });
    if (!is_stale && ahead == Ahead::Apart) continue;
    if (is_stale && !is_due(vertices)) continue;
    if (is_stale) ++tested_twice_;
    const std::optional<FirstContact> contact =
        is_stale ? test(pair_of(turn).kind, vertices, *end_) : window->contacts[turn - first];
    if (!contact) continue;
    ++found;
    for (const int i : vertices) std::atomic_ref(changed_in_[std::size_t(i)]).store(round_, std::memory_order_relaxed);
    clock_.charge(CollisionPhases::Narrow);
    answer(vertices, *contact);
    clock_.charge(CollisionPhases::Impulses);
  }
  return found;
}

template <class Answer>
int Collisions::test_pairs(Answer&& answer) {
  ++round_;
  find_pairs();
  const std::size_t count = pairs_->size();
  int found = 0;
  // Pairs are processed sequentially (Gauss–Seidel). While one thread processes a window of pairs, the others test
  // the next window ahead; a result is valid if none of the pair's four vertices has moved since.
  if (threads_ == 1 || count <= 2 * kFewestAhead) {
    found = answer_in_turn(0, count, nullptr, answer);
  } else {
    seen_end_ = *end_;
    for (const int i : moved_) is_listed_[std::size_t(i)] = 0;
    moved_.clear();
    std::size_t length = 4 * kFewestAhead;
    Window *answered = &windows_[0], *tested = &windows_[1];
    answered->first = answered->last = 0;
    while (answered->last < count || answered->first < answered->last) {
      begin_window(*tested, answered->last, std::min(count, answered->last + length));
      numerics::run_team(threads_, [&](int thread) {
        if (thread == 0) found += answer_in_turn(answered->first, answered->last, answered, answer);
        look_ahead(*tested);
      });
      const std::size_t answered_count = answered->last - answered->first;
      if (kTooMany * tested_twice_ > answered_count)
        length = std::max(kFewestAhead, length / 2);
      else if (kFew * tested_twice_ < answered_count)
        length = std::min(kMostAhead, 2 * length);
      std::swap(answered, tested);
    }
  }
  clock_.charge(CollisionPhases::Narrow);
  return found;
}

void Collisions::sweep_impulses() {
  while (true) {
    const bool is_last = counts_.sweeps == options_.sweeps;
    // Pairs are processed sequentially: later ones see the new velocities. The last round only counts remaining
    // contacts.
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
  // [B05] §12: regions that collide are merged and move as one; whatever they then hit is merged in turn.
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
    // Pairs of one zone meet if rounding exceeds their gap, or its anchors admit no rigid motion. Affine motions can
    // drive pairs of one zone together; this is allowed.
    if (!has_changed && options_.zones == ZoneMotion::Rigid)
      for (const std::array<int, 4>& vertices : left) has_changed |= zones.stop(vertices);
    if (!has_changed) break;
    zones.project(options_.zones, *start_, masses_, before, *velocities_, [&](int i) { place(i); });
    clock_.charge(CollisionPhases::Zones);
  }
  for (const ImpactZones::Zone& zone : zones.zones()) {
    const int size = int(zone.free.size());
    ++counts_.zones;
    counts_.zone_vertices += size;
    counts_.largest_zone = std::max(counts_.largest_zone, size);
    if (zone.is_stopped) counts_.stopped_vertices += size;
  }
  clock_.charge(CollisionPhases::Zones);
}

}  // namespace deformbench::collision
