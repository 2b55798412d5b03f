// SPDX-License-Identifier: BSD-3-Clause
// Cracks in a body: their fronts, the surfels of their sheets, the area they have swept, and what happened to them.
// [PKAGDG05] §3.1–3.3, §5 (control). All in material coordinates.
//
// After every step no front crosses another crack, every node is inside the body, and every end of an open front lies
// on a sheet. The boundary of the area that a crack has swept is made of its fronts and of lines on sheets, but for
// some surfels' length where fronts end near surfaces.
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
  AsPrinted,  ///< d̄_t = γ d_{t−Δt} + (1 − γ) d_t, [PKAGDG05] §5: forgets all but one step, whatever γ
};
enum class FrontContact {
  Intersections,  ///< fronts meet where one goes through the area or an edge of another, [PKAGDG05] §3.3
  Near,           ///< also where they run towards each other within the snapping distance, as in one plane
};

struct CrackOptions {
  double surfel_radius = 0.05;  ///< r, m
  double speed = 1.0;           ///< α, m/(s Pa)
  double history = 0.0;         ///< γ, 0 … 1
  HistoryRule history_rule = HistoryRule::Averaged;
  bool snapping = true;
  double snapping_ratio = 1.0;  ///< d over r
  FrontContact contact = FrontContact::Near;
  /// A step in which a node would go farther than this share of r is taken in parts; 0: never.
  double largest_advance = 0.5;
  double initial_radius = 0.5;  ///< of a new crack's triangle, over r
};

class CrackSystem {
 public:
  CrackSystem(CrackBody body, const CrackOptions& options);

  /// A new crack about x, three nodes in the plane perpendicular to `normal`; where that leaves the body or goes
  /// through a crack, what is left of it, with ends on the surface. False where nothing is left.
  bool initiate(const Vector3& x, const Vector3& normal);
  /// A front as it is: nodes in a row (at least three) such that normal × tangent points into uncracked material, and
  /// what has been swept already: the area between the nodes and as many points of `base`, or one. Ends of an open
  /// front have to lie on the body's sheet nearest to them. Returns the number of its crack.
  int add_front(std::span<const Vector3> nodes, bool is_closed, const Vector3& normal, std::span<const Vector3> base);
  /// Moves all fronts by dt (s) and settles what they run into.
  void step(double dt, const StressField& field);
  /// The material has got a new reference, in which `body` is its boundary: fronts, area and surfels go where `map`
  /// takes them. Ends of fronts go back onto the sheet of the body that they lie on, and nodes that a map of little
  /// error has put outside go back inside. Events keep their places.
  void carry(CrackBody body, ReferenceMap& map);

  const CrackBody& body() const { return body_; }
  const CrackOptions& options() const { return options_; }
  const SweptArea& area() const { return area_; }
  const std::vector<AdvancingFront>& fronts() const { return fronts_; }
  const std::vector<CrackSurfel>& surfels() const { return surfels_; }
  const std::vector<CrackEvent>& events() const { return events_; }
  const std::vector<Crease>& creases() const { return creases_; }
  int crack_count() const { return cracks_; }
  /// Of the edge from `node` to the next one.
  static int crack_of_edge(const AdvancingFront& front, std::size_t node);
  /// Constellations that no rule knew, and in which nodes had to be left as they are. 0 in all that is known.
  int unclassified() const { return unclassified_; }
  /// A place where the state is not legal: a node outside the body or an end off its sheet by a hundredth of a surfel's
  /// radius, an edge through another crack. Nothing where all fronts were made by `initiate`.
  std::optional<Vector3> fault_of_any() const;
  double snapping_distance() const { return options_.snapping_ratio * options_.surfel_radius; }  ///< d, m

 private:
  struct Target {
    Vector3 raw = Vector3::Zero();    ///< where the node would go, m
    Vector3 place = Vector3::Zero();  ///< where it is taken to, m
    bool is_out = false, is_snapped = false;
    SheetName through = {};  ///< of a node that is out; the side it came from
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
  /// Moves a front so that the state stays legal: by the rules, by them in shorter parts, or not all of it. Returns the
  /// fronts that are left of it.
  std::vector<int> advance(int id, double dt, int halvings = 0);
  std::vector<int> move(std::size_t index, double dt);
  std::vector<int> force(std::size_t index, double dt, Vector3 place);
  static constexpr double kRecent = 2.5;  ///< over the surfels' radius
  /// The first triangle of those swept since the front was `kRecent` away.
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
                          kRounding = 1e-6;  ///< over the surfels' radius
  struct Snapshot {
    SweptArea::Mark area;
    std::vector<AdvancingFront> fronts;
    std::size_t surfels, events, creases;
    int next_node, next_front, next_cut, cracks, unclassified;
  };
  Snapshot snapshot() const;
  void restore(Snapshot&& before);
  /// Takes a change back that does nothing (false) or leads to a state that is not legal.
  bool attempt(const std::function<bool()>& change);
  bool attempt_on(AdvancingFront& front, const std::function<bool()>& change);
  bool is_touch(const AdvancingFront& front, std::size_t edge, const Vector3& point, const Vector3& normal) const;
  /// Where an edge of a front goes through a triangle that counts, and does not merely touch it.
  std::optional<SweptArea::Hit> edge_crossing(const AdvancingFront& front, std::size_t edge, int first_triangle,
                                              const SweptArea::Filter& counts) const;
  std::optional<Vector3> fault(const AdvancingFront& front, int first_triangle,
                               const std::function<bool(std::size_t edge)>& is_known) const;
  std::optional<Vector3> first_fault(const Snapshot& since) const;
  // crack_clearance.cpp
  /// Whether a crack is between a and b, but for triangles with one of the vertices `about`.
  bool are_separated(const Vector3& a, const Vector3& b, std::span<const int> about) const;
  /// Whether the front may go through `place` instead of what it does between the nodes with vertices `left` and
  /// `right`: no edge then crosses a crack, and no front the area that is added. `gone`: vertices of what it leaves.
  /// The first of the new edges may fold over what crack `left_crack` has just swept, the second over `right_crack`;
  /// −1: not at all.
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
    int vertex, crack;            ///< crack: of the line to the next point
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
  double last_part_ = 0.0;  ///< s, length of the part of a step under way
};

/// m, the largest distance of two of its nodes.
double extent_of(const AdvancingFront& front);
/// Takes the nodes in the other order; the fracture surface and where it grows stay.
void reverse(AdvancingFront& front);

}  // namespace deformbench::meshless
