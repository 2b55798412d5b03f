// SPDX-License-Identifier: BSD-3-Clause
// Cracks in a body: fronts, surfels of their sheets, swept area, and events. [PKAGDG05] §3.1–3.3, §5 (control). All in
// material coordinates.
//
// Invariants after every step: no front crosses another crack, every node is inside the body, and every end of an open
// front lies on a sheet. The boundary of a crack's swept area consists of its fronts and lines on sheets, except for a
// few surfel radii where fronts end near surfaces.
#pragma once

#include "methods/meshless/cracks/front_advance.hpp"
#include "methods/meshless/cracks/front_merging.hpp"

namespace deformbench::meshless {

class CrackSystem {
 public:
  CrackSystem(CrackBody body, const CrackOptions& options) : state_(std::move(body), options) {}

  /// Creates a crack at x with three nodes in the plane perpendicular to `normal`, clipped by the body and cracks,
  /// with ends on them. False if no legal front is left.
  bool initiate(const Vector3& x, const Vector3& normal);
  /// Adds a front as given: at least three consecutive nodes with normal × tangent pointing into uncracked material.
  /// The area between the nodes and the points of `base` (as many, or one) counts as swept. Ends of an open front must
  /// lie on sheets of the body. Returns the number of its crack.
  int add_front(std::span<const Vector3> nodes, bool is_closed, const Vector3& normal, std::span<const Vector3> base);
  /// Moves all fronts by dt (s) and resolves their intersections.
  void step(double dt, const StressField& field);
  /// Maps fronts, area and surfels by `map` to a new reference with boundary `body`. Ends of fronts are projected back
  /// onto their sheet of the body, and nodes slightly outside are moved back inside. Events keep their positions.
  void carry(CrackBody body, ReferenceMap& map) { state_.carry(std::move(body), map); }

  const CrackBody& body() const { return state_.body(); }
  const CrackOptions& options() const { return state_.options(); }
  const SweptArea& area() const { return state_.area(); }
  const std::vector<AdvancingFront>& fronts() const { return state_.fronts(); }
  const std::vector<CrackSurfel>& surfels() const { return state_.surfels(); }
  const std::vector<CrackEvent>& events() const { return state_.events(); }
  const std::vector<Crease>& creases() const { return state_.creases(); }
  int crack_count() const { return state_.crack_count(); }
  /// How often splitting or joining hit its iteration limit. Zero in all tests.
  int unclassified() const { return state_.unclassified(); }
  /// A violation of the invariants: a node outside the body or an end off its sheet by a hundredth of a surfel's
  /// radius, or an edge through another crack. Nothing if all fronts were made by `initiate`.
  std::optional<Vector3> fault_of_any() const { return state_.fault_of_any(); }
  double snapping_distance() const { return options().snapping_distance(); }  ///< d, m

 private:
  std::vector<NodeTarget> start_targets(const Vector3& centre, const Vector3& first, const Vector3& second,
                                        double radius, double angle) const;
  void begin(AdvancingFront& front, const Vector3& centre, const Vector3& n, const std::vector<NodeTarget>& targets,
             bool is_cut);

  CrackState state_;
  const CrackBody& body_ = state_.body();
  const CrackOptions& options_ = state_.options();
  SweptArea& area_ = state_.area();
  std::vector<AdvancingFront>& fronts_ = state_.fronts();
  // Each uses only those before it.
  FrontResampling resampling_{state_};
  FrontSplitting splitting_{state_};
  FrontAdvance advance_{state_, splitting_};
  FrontMerging merging_{state_, splitting_, resampling_};
};

}  // namespace deformbench::meshless
