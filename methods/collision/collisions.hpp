// SPDX-License-Identifier: BSD-3-Clause
// Collisions of thin surfaces with each other and with themselves: repulsions, impulses, impact zones. Needs only
// start positions, velocities and a time step, so any method can use it. [B05] §10 to §13, [BFA02]
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "methods/collision/impact_zones.hpp"
#include "methods/collision/pair_candidates.hpp"
#include "methods/parameters.hpp"
#include "methods/phase_clock.hpp"

namespace deformbench::collision {

enum class Detection {
  None,
  Proximity,  ///< repulsions only: no continuous detection
  PointFace,  ///< points against triangles
  EdgeEdge,   ///< edges against edges
  Both,
};

struct CollisionOptions {
  Detection detection = Detection::None;
  int sweeps = 10;                       ///< of impulses, at most
  ZoneMotion zones = ZoneMotion::Rigid;  ///< if sweeps leave collisions
  bool goes_backward = false;            ///< sweeps process pairs in reverse order
  double thickness = 0.0;                ///< m, of repulsions; 0: none
  double thickness_errors = 0.0;  ///< added thickness, relative to the surface's geometry error at the first step
  double stiffness = 1000.0;      ///< N/m, of repulsions
  double friction = 0.0;          ///< Coulomb coefficient
};

/// collision_detection, collision_sweeps, impact_zones, collision_order, repulsion_thickness_m,
/// repulsion_thickness_errors, repulsion_stiffness_n_per_m, collision_friction.
ParameterSpec collision_parameters();
CollisionOptions collision_options(const Parameters& parameters);

/// Counts of one call.
struct CollisionCounts {
  int repulsions = 0;
  int sweeps = 0;          ///< of impulses, without a last one that found nothing
  int first_contacts = 0;  ///< in the first sweep
  int impulses = 0;        ///< applied in all sweeps
  int zone_rounds = 0;     ///< rounds of merging and testing
  int zones = 0, zone_vertices = 0, largest_zone = 0;
  int stopped_vertices = 0;  ///< in zones that had to be stopped
  int unresolved = 0;        ///< pairs that may still meet within the step
};

/// Phases of a call: finding pairs whose boxes overlap, testing them, repulsions and impulses, motion of zones.
struct CollisionPhases {
  enum Phase { Broad, Narrow, Impulses, Zones };
  inline static const std::array<std::string, 4> kNames{"collision_broad", "collision_narrow", "collision_impulses",
                                                        "collision_zones"};
};

class Collisions {
 public:
  /// `masses`: kg, n. Triangles may be of several meshes. `threads`: upper limit; results do not depend on it.
  Collisions(const Eigen::VectorXd& masses, const Triangles& triangles, const CollisionOptions& options,
             int threads = 1, bool time_phases = false);

  /// Changes velocities (m/s) and end positions (m) of a step of `h` seconds from `start`. Prescribed components
  /// (`is_free`, n×3, is 0) keep their `end`; all others end at start + h·velocity in floating point.
  /// GUARANTEE: with Detection::Both and `unresolved` 0, a surface that does not intersect itself at `start` does not
  /// at `end`, nor on straight paths to it, in exact arithmetic on the numbers returned. With rigid zones
  /// `unresolved` is nonzero only if prescribed vertices drive pairs together: a zone whose own pairs would meet, by
  /// rounding or because its anchors admit no rigid motion, is stopped (`stopped_vertices`) and loses its momentum.
  const CollisionCounts& resolve(const Points& start, const Points& is_free, double h, Points& velocities, Points& end);

  const CollisionCounts& counts() const { return counts_; }
  const std::vector<int>& contacts_of_sweeps() const { return contacts_of_sweeps_; }
  /// s, by CollisionPhases; zeros unless phases are timed.
  std::span<const double> phase_seconds() const { return clock_.seconds(); }
  /// Pairs whose boxes overlapped in the last sweep.
  std::size_t candidate_count() const { return pairs_ ? pairs_->size() : 0; }

 private:
  /// Result of testing a pair ahead of its turn.
  enum class Ahead : char {
    Untested,  ///< was not due
    Apart,
    Meets,
  };
  void repel_layers();
  /// Finds the pairs whose boxes overlap now.
  void find_pairs();
  /// Tests every pair that may have changed; calls answer(vertices, contact) for those that may meet.
  template <class Answer>
  int test_pairs(Answer&& answer);
  /// Pairs first … last − 1 of the round, and their results of testing ahead, at the positions of `glance`.
  struct Window {
    std::size_t first = 0, last = 0;
    std::int64_t glance = 0;
    std::atomic<std::size_t> next{0};  ///< next pair that no thread has taken
    std::vector<Ahead> ahead;
    std::vector<FirstContact> contacts;
  };
  void begin_window(Window& window, std::size_t first, std::size_t last);
  void look_ahead(Window& window) const;
  /// Returns how many of these pairs may meet. `window`: their results of testing ahead, or null.
  template <class Answer>
  int answer_in_turn(std::size_t first, std::size_t last, const Window* window, Answer&& answer);
  void sweep_impulses();
  void merge_zones();
  /// Adds meeting pairs with only prescribed vertices, which nothing can keep apart, to `unresolved`.
  void count_held_pairs();
  void place(int vertex);
  const Candidate& pair_of(std::size_t turn) const;  ///< the pair processed at this turn
  bool is_due(const std::array<int, 4>& vertices) const;
  std::optional<FirstContact> test(PairKind kind, const std::array<int, 4>& vertices, const Points& end) const;

  const CollisionOptions options_;
  const Eigen::VectorXd masses_;
  const int threads_;
  const Triangles triangles_;
  std::optional<double> thickness_;  ///< m, of repulsions; set by the first call
  PairCandidates candidates_;
  PhaseClock<CollisionPhases> clock_;
  CollisionCounts counts_;
  std::vector<int> contacts_of_sweeps_;
  // Arguments and scratch of the current call.
  const Points* start_ = nullptr;
  const Points* is_free_ = nullptr;
  Points* velocities_ = nullptr;
  Points* end_ = nullptr;
  double h_ = 0.0;
  Points mobility_;
  std::vector<char> can_move_;
  std::int64_t round_ = 0;
  std::vector<std::int64_t> changed_in_;  ///< round of the last change of each vertex
  std::vector<char> has_changed_;         ///< since pairs were last found
  const std::vector<Candidate>* pairs_ = nullptr;
  // For threads that test ahead.
  std::int64_t glance_ = 0;             ///< number of windows begun
  std::vector<std::int64_t> moved_in_;  ///< glance after which each vertex last moved
  std::int64_t last_moved_in_ = 0;      ///< latest of all vertices
  Points seen_end_;                     ///< end positions at the last glance, which no thread changes meanwhile
  std::vector<int> moved_;              ///< vertices moved since then
  std::vector<char> is_listed_;         ///< whether a vertex is in moved_
  std::array<Window, 2> windows_;
  std::size_t tested_twice_ = 0;  ///< in the last window processed
};

}  // namespace deformbench::collision
