// SPDX-License-Identifier: BSD-3-Clause
// Cracks in a body: fronts, surfels of their sheets, swept area, and events. [PKAGDG05] §3.1–3.3, §5 (control). All in
// material coordinates.
//
// Invariants after every step: no front crosses another crack, every node is inside the body, and every end of an open
// front lies on a sheet. The boundary of a crack's swept area consists of its fronts and lines on sheets, except for a
// few surfel lengths where fronts end near surfaces.
#pragma once

#include <functional>
#include <span>

#include "methods/meshless/cracks/crack_body.hpp"
#include "methods/meshless/cracks/front_spline.hpp"
#include "methods/meshless/cracks/stress_field.hpp"

namespace deformbench::meshless {

class ReferenceMap;

enum class HistoryRule {
  Averaged,   ///< d̄_t = γ d̄_{t−Δt} + (1 − γ) d_t
  AsPrinted,  ///< d̄_t = γ d_{t−Δt} + (1 − γ) d_t, [PKAGDG05] §5: remembers only one step for any γ
};
enum class FrontContact {
  Intersections,  ///< fronts meet if one passes through the area or an edge of another, [PKAGDG05] §3.3
  Near,           ///< also if they approach each other within the snapping distance, as in one plane
};

struct CrackOptions {
  double surfel_radius = 0.05;  ///< r, m
  double speed = 1.0;           ///< α, m/(s Pa)
  double history = 0.0;         ///< γ, 0 … 1
  HistoryRule history_rule = HistoryRule::Averaged;
  bool snapping = true;
  double snapping_ratio = 1.0;  ///< d / r
  FrontContact contact = FrontContact::Near;
  /// Steps that move a node farther than this fraction of r are divided into parts; 0: never.
  double largest_advance = 0.5;
  double initial_radius = 0.5;  ///< of a new crack's triangle, in r
};

class CrackSystem {
 public:
  CrackSystem(CrackBody body, const CrackOptions& options);

  /// Creates a crack at x with three nodes in the plane perpendicular to `normal`, clipped at the body and at cracks
  /// with ends on the surface. False if nothing is left.
  bool initiate(const Vector3& x, const Vector3& normal);
  /// Adds a front as given: at least three consecutive nodes with normal × tangent pointing into uncracked material.
  /// The area between the nodes and the points of `base` (as many, or one) counts as swept. Ends of an open front must
  /// lie on the body's nearest sheet. Returns the number of its crack.
  int add_front(std::span<const Vector3> nodes, bool is_closed, const Vector3& normal, std::span<const Vector3> base);
  /// Moves all fronts by dt (s) and resolves their intersections.
  void step(double dt, const StressField& field);
  /// Maps fronts, area and surfels by `map` to a new reference with boundary `body`. Ends of fronts are projected back
  /// onto their sheet of the body, and nodes slightly outside are moved back inside. Events keep their positions.
  void carry(CrackBody body, ReferenceMap& map);

  const CrackBody& body() const { return body_; }
  const CrackOptions& options() const { return options_; }
  const SweptArea& area() const { return area_; }
  const std::vector<AdvancingFront>& fronts() const { return fronts_; }
  const std::vector<CrackSurfel>& surfels() const { return surfels_; }
  const std::vector<CrackEvent>& events() const { return events_; }
  const std::vector<Crease>& creases() const { return creases_; }
  int crack_count() const { return cracks_; }
  /// Crack of the edge from `node` to the next one.
  static int crack_of_edge(const AdvancingFront& front, std::size_t node);
  /// Number of unhandled configurations (nodes left in place). Zero in all tests.
  int unclassified() const { return unclassified_; }
  /// A violation of the invariants: a node outside the body or an end off its sheet by a hundredth of a surfel's
  /// radius, or an edge through another crack. Nothing if all fronts were made by `initiate`.
  std::optional<Vector3> fault_of_any() const;
  double snapping_distance() const { return options_.snapping_ratio * options_.surfel_radius; }  ///< d, m

 private:
  struct Target {
    Vector3 raw = Vector3::Zero();    ///< m, target of the node
    Vector3 place = Vector3::Zero();  ///< m, position after clipping and snapping
    bool is_out = false, is_snapped = false;
    SheetName through = {};  ///< surface that an out node has passed through, with the side it came from
  };
  struct Border {
    Vector3 point = Vector3::Zero();
    SheetName sheet = {};
    int vertex = -1;
  };

  // crack_start.cpp
  std::vector<Target> start_targets(const Vector3& centre, const Vector3& first, const Vector3& second, double radius,
                                    double angle) const;
  void begin(AdvancingFront& front, const Vector3& centre, const Vector3& n, const std::vector<Target>& targets,
             bool is_cut);
  // crack_motion.cpp
  void set_rates(AdvancingFront& front, const StressField& field, double history) const;
  double largest_rate() const;
  void add_surfels(AdvancingFront& front, std::size_t node);
  void finish_motion(AdvancingFront& front, double step);
  // crack_advance.cpp
  /// Moves a front such that the state stays legal: by the rules, by the rules in shorter parts, or only partly.
  /// Returns the remaining fronts.
  std::vector<int> advance(int id, double dt, int halvings = 0);
  std::vector<int> move(std::size_t index, double dt);
  std::vector<int> force(std::size_t index, double dt, Vector3 place);
  static constexpr double kRecent = 2.5;  ///< in surfel radii
  /// First triangle swept since the front was `kRecent` away.
  static int recent_since(const AdvancingFront& front);
  std::vector<Target> targets(const AdvancingFront& front, double dt) const;
  void find_exit(const AdvancingFront& front, std::size_t node, Target& target) const;
  void snap(const AdvancingFront& front, std::vector<Target>& targets) const;
  bool snap_to(const SheetName& sheet, Target& target) const;
  Border border(const Target& inside, const Target& outside, int own) const;
  void sweep(AdvancingFront& front, const std::vector<Target>& targets, std::vector<Border>& borders);
  std::vector<AdvancingFront> pieces(const AdvancingFront& front, const std::vector<Target>& targets,
                                     const std::vector<Border>& borders);
  void settle_exits(std::size_t index, const std::vector<Target>& targets, const std::vector<Border>& borders);
  Vector3 on_sheet(const SheetName& sheet, const Vector3& from, const Vector3& to) const;
  // crack_piercing.cpp
  void cut_pierced_edges(int first_new_triangle);
  bool cut_one(std::size_t index, int first_triangle);
  void cut_edge(std::size_t index, std::size_t edge, const SweptArea::Hit& hit);
  // crack_merging.cpp
  struct End {
    std::size_t front = 0;
    bool is_first = false;
  };
  void merge_ends(double dt);
  bool merge_closest_pair(double dt, std::vector<std::array<int, 2>>& refused);
  std::optional<double> merging_cost(const End& a, const End& b, double dt) const;
  void merge(const End& a, const End& b);
  std::optional<Vector3> meeting_place(const End& a, const End& b) const;
  // crack_legality.cpp
  static constexpr double kNearEnd = 0.1, kTouch = 0.02, kOutside = 0.01,
                          kRounding = 1e-6;  ///< in surfel radii
  struct Snapshot {
    SweptArea::Mark area;
    std::vector<AdvancingFront> fronts;
    std::size_t surfels, events, creases;
    int next_node, next_front, next_cut, cracks, unclassified;
  };
  Snapshot snapshot() const;
  void restore(Snapshot&& before);
  /// Rolls back a change that does nothing (returns false) or breaks the invariants.
  bool attempt(const std::function<bool()>& change);
  bool attempt_on(AdvancingFront& front, const std::function<bool()>& change);
  bool is_touch(const AdvancingFront& front, std::size_t edge, const Vector3& point, const Vector3& normal) const;
  /// First intersection of a front's edge with a triangle that counts, excluding mere touches.
  std::optional<SweptArea::Hit> edge_crossing(const AdvancingFront& front, std::size_t edge, int first_triangle,
                                              const SweptArea::Filter& counts) const;
  std::optional<Vector3> fault(const AdvancingFront& front, int first_triangle,
                               const std::function<bool(std::size_t edge)>& is_known) const;
  std::optional<Vector3> first_fault(const Snapshot& since) const;
  // crack_clearance.cpp
  /// Whether a crack lies between a and b, ignoring triangles with a vertex in `about`.
  bool are_separated(const Vector3& a, const Vector3& b, std::span<const int> about) const;
  /// Whether the front may pass through `place` instead of its path between the nodes with vertices `left` and `right`:
  /// then no new edge crosses a crack, and no front the added area. `gone`: vertices of the replaced path. The first
  /// new edge may fold over area just swept by crack `left_crack`, the second by `right_crack`; −1: not at all.
  bool may_pass(int left, const Vector3& place, int right, std::span<const int> gone, int left_crack = -1,
                int right_crack = -1) const;
  bool may_add(const Vector3& p, const Vector3& q, const Vector3& r, std::span<const int> about) const;
  void add_crease(int a, int b);
  // crack_joining.cpp
  void join_near_fronts();
  bool join_one_pair(std::vector<std::array<int, 2>>& refused);
  bool are_facing(const AdvancingFront& a, std::size_t i, const AdvancingFront& b, std::size_t j) const;
  bool may_join(std::size_t a, std::size_t i, std::size_t b, std::size_t j) const;
  void join(std::size_t a, std::size_t i, std::size_t b, std::size_t j);
  CrackNode join_nodes(AdvancingFront& front, std::size_t i, const Vector3& position, int vertex);
  void terminate();
  void terminate_one(std::size_t index, bool is_filled);
  // crack_filling.cpp
  struct LinePoint {
    Vector3 position, direction;  ///< direction: unit, or zero
    int vertex, crack;            ///< crack of the line to the next point
  };
  std::optional<Vector3> way_ahead(const LinePoint& from, int first_new) const;
  bool fill_ahead(std::span<const LinePoint> line, int first_new);
  void close_corner(const LinePoint& a, const LinePoint& b, int first_new, int depth = 0);
  void fill_corners(const AdvancingFront& front, const std::vector<Target>& targets, const std::vector<Border>& borders,
                    int first_new);
  static std::vector<LinePoint> line_of(const AdvancingFront& front);
  bool runs_into_corner(const AdvancingFront& front) const;
  void fill(const AdvancingFront& front, double least);
  // crack_resampling.cpp
  void resample(AdvancingFront& front);
  bool remove_crowded(AdvancingFront& front);
  bool close_notch(AdvancingFront& front);
  bool merge_nodes(AdvancingFront& front, std::size_t first, std::size_t width);
  void remove_node(AdvancingFront& front, std::size_t node);
  bool insert_missing(AdvancingFront& front);
  bool insert_node(AdvancingFront& front, std::size_t edge, const Vector3& place);

  int add_crack() { return cracks_++; }
  CrackNode new_node(const Vector3& position, int crack);
  CrackNode node_between(const CrackNode& a, const CrackNode& b, const Vector3& position, int crack);
  void record(CrackEventKind kind, const Vector3& position, std::array<int, 2> before, std::array<int, 2> after,
              int cause = 0);
  double meeting_distance(double advance) const;

  CrackBody body_;
  const CrackOptions options_;
  SweptArea area_;
  std::vector<AdvancingFront> fronts_;
  std::vector<CrackSurfel> surfels_;
  std::vector<CrackEvent> events_;
  std::vector<Crease> creases_;
  int cracks_ = 0, next_node_ = 0, next_front_ = 0, next_cut_ = 0, unclassified_ = 0;
  long long steps_ = 0, parts_ = 0;
  double last_part_ = 0.0;  ///< s, length of the current part of a step
};

/// m, maximum distance of two of its nodes.
double extent_of(const AdvancingFront& front);
/// Reverses the node order; the fracture surface and its growth direction are unchanged.
void reverse(AdvancingFront& front);

}  // namespace deformbench::meshless
