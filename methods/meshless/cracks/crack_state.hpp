// SPDX-License-Identifier: BSD-3-Clause
// State of all cracks of a body, its invariants, and rollback of changes that break them. [PKAGDG05] §3.1
#pragma once

#include <functional>
#include <span>

#include "methods/meshless/cracks/crack_body.hpp"

namespace deformbench::meshless {

class ReferenceMap;

/// Fronts and area are changed by the classes derived from `FrontOperation`; all else only by the functions here.
class CrackState {
 public:
  CrackState(CrackBody body, const CrackOptions& options);
  CrackState(const CrackState&) = delete;  // others refer to its parts
  /// See CrackSystem::carry.
  void carry(CrackBody body, ReferenceMap& map);

  const CrackBody& body() const { return body_; }
  const CrackOptions& options() const { return options_; }
  const SweptArea& area() const { return area_; }
  SweptArea& area() { return area_; }
  const std::vector<AdvancingFront>& fronts() const { return fronts_; }
  std::vector<AdvancingFront>& fronts() { return fronts_; }
  const std::vector<CrackSurfel>& surfels() const { return surfels_; }
  const std::vector<CrackEvent>& events() const { return events_; }
  const std::vector<Crease>& creases() const { return creases_; }
  int crack_count() const { return counters_.cracks; }
  int unclassified() const { return counters_.unclassified; }
  long long part() const { return parts_; }  ///< current part of a step, counted across all steps

  void begin_step() { ++steps_; }
  void begin_part() { ++parts_; }
  int add_crack() { return counters_.cracks++; }
  int new_front_id() { return counters_.fronts++; }
  int new_cut() { return counters_.cuts++; }
  void leave_unclassified() { ++counters_.unclassified; }
  CrackNode new_node(const Vector3& position, int crack);
  CrackNode node_between(const CrackNode& a, const CrackNode& b, const Vector3& position, int crack);
  void add_surfels(AdvancingFront& front, std::size_t node);
  void add_crease(int a, int b);
  void record(CrackEventKind kind, const Vector3& position, std::array<int, 2> before, std::array<int, 2> after,
              int cause = 0);

  /// The sheet of the triangle's crack at `point`, on the side of `from`.
  SheetName sheet_of(int triangle, const Vector3& point, const Vector3& from) const;

  struct Counters {
    int cracks = 0, nodes = 0, fronts = 0, cuts = 0, unclassified = 0;
  };
  struct Snapshot {
    SweptArea::Mark area;
    std::vector<AdvancingFront> fronts;
    std::size_t surfels, events, creases;
    Counters counters;
  };
  Snapshot snapshot() const;
  void restore(Snapshot&& before);
  /// False if `change` broke invariants: it is undone.
  bool attempt(const std::function<void()>& change);
  /// As `attempt`, for one front, without copying the others. The change may add area, but not affect other fronts or
  /// old area; it returns false if it did nothing.
  bool attempt_on(AdvancingFront& front, const std::function<bool()>& change);

  /// First intersection of a front's edge with a triangle that counts, excluding mere touches.
  std::optional<SweptArea::Hit> edge_crossing(const AdvancingFront& front, std::size_t edge, int first_triangle,
                                              const SweptArea::Filter& counts) const;
  /// First violation of the invariants. Edges with `is_known` ignore triangles before `first_triangle`.
  std::optional<Vector3> fault(const AdvancingFront& front, int first_triangle,
                               const std::function<bool(std::size_t edge)>& is_known) const;
  std::optional<Vector3> first_fault(const Snapshot& since) const;
  std::optional<Vector3> fault_of_any() const;

  /// Whether a crack lies between a and b, ignoring triangles with a vertex in `about`.
  bool are_separated(const Vector3& a, const Vector3& b, std::span<const int> about) const;
  /// Whether the front may pass through `place` instead of its path between the nodes with vertices `left` and
  /// `right`: no new edge crosses a crack and no front crosses the added area. `gone`: vertices of the replaced path.
  /// The first new edge may fold over area just swept by crack `left_crack`, the second by `right_crack`; −1: none.
  bool may_pass(int left, const Vector3& place, int right, std::span<const int> gone, int left_crack = -1,
                int right_crack = -1) const;
  bool may_add(const Vector3& p, const Vector3& q, const Vector3& r, std::span<const int> about) const;

 private:
  static constexpr double kNearEnd = 0.1, kTouch = 0.02, kOutside = 0.01,
                          kRounding = 1e-6;  ///< in surfel radii
  bool is_touch(const AdvancingFront& front, std::size_t edge, const Vector3& point, const Vector3& normal) const;

  CrackBody body_;
  const CrackOptions options_;
  SweptArea area_;
  std::vector<AdvancingFront> fronts_;
  std::vector<CrackSurfel> surfels_;
  std::vector<CrackEvent> events_;
  std::vector<Crease> creases_;
  Counters counters_;
  long long steps_ = 0, parts_ = 0;
};

/// Base of operations that change fronts.
class FrontOperation {
 protected:
  explicit FrontOperation(CrackState& state) : state_(state) {}

  CrackState& state_;
  const CrackBody& body_ = state_.body();
  const CrackOptions& options_ = state_.options();
  SweptArea& area_ = state_.area();
  std::vector<AdvancingFront>& fronts_ = state_.fronts();
};

}  // namespace deformbench::meshless
