// SPDX-License-Identifier: BSD-3-Clause
// Contact of a body's surface with itself, of its parts with each other, and with kinematic rigid meshes, as a
// potential that the step minimises [LFSLZPJK20]: the barrier of collision/surface_barrier.hpp on the boundary
// triangles of the mesh. A run begins without intersections (surface_refusal) and no accepted iterate has any.
// Vertices of a rigid body move on straight lines within a step.
#pragma once

#include <string>

#include "methods/collision/surface_barrier.hpp"
#include "methods/fem/body/body.hpp"
#include "methods/fem/body/obstacle_potential.hpp"

namespace deformbench::fem {

/// d̂ of a scene, m: `potential.distance`; if 0, a thousandth of the rest bounding box's diagonal, at most half the
/// least rest distance between non-adjacent primitives of one part.
double surface_distance(const Scene& scene, const PotentialOptions& potential);
/// Why the barrier cannot act on the scene's surface; empty if it can. The surface must not intersect itself or a
/// rigid mesh at the start, and at rest no two primitives of one part without a common vertex may be nearer than d̂.
std::string surface_refusal(const Scene& scene, const PotentialOptions& potential);

/// Vectors have four numbers per node, in the graph's order.
class SurfaceContact {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// `friction`: Coulomb's coefficient. `body` must outlive it.
  SurfaceContact(const Body<double>& body, const PotentialOptions& potential, double friction);

  /// Call after BodyState::begin_step; `x`: positions at the start of the step. Sets `progress` to 0.
  void begin_step(const Vector& x);
  /// Finds the pairs within d̂ at x, for later calls at x. `longest_move` finds those of its path.
  void prepare(const Vector& x);
  /// J.
  double energy(const Vector& x) const;
  /// Adds forces (N), sets `couplings` to the positive semidefinite part of ∂². Returns its largest entry
  /// (N/m).
  double add_forces(const Vector& x, Vector& forces, std::vector<NodeCoupling>& couplings, double damping);
  /// Largest t ≤ 1 that is at most 0.8 of the time to the first contact on x → x + move. `obstacles`: rigid bodies
  /// move too, along their remaining paths.
  double longest_move(const Vector& x, const Vector& move, bool obstacles = false);
  /// Whether x → `to`, a rounded point on the path of the last longest_move, is free of contact while rigid bodies
  /// move by `part` of their remaining paths.
  bool is_free(const Vector& x, const Vector& to, double part = 0.0) const;
  /// Fraction of their paths that rigid bodies have moved, 0 … 1.
  double progress() const { return progress_; }
  void set_progress(double progress) { progress_ = progress; }
  bool have_arrived() const { return progress_ == 1.0 || obstacle_start_ == obstacle_end_; }
  /// See SurfaceBarrier.
  double hold_friction(const Vector& x);
  int friction_passes() const { return friction_ > 0.0 ? potential_.friction_passes : 1; }
  /// Rounding error of the energy at the positions of the last `add_forces`, J.
  double energy_rounding() const { return energy_rounding_; }

 private:
  /// Positions of `nodes_`, then of rigid bodies' vertices at `progress`, m.
  Points surface(const Vector& of, double progress) const;
  Points surface(const Vector& of) const { return surface(of, progress_); }

  const Body<double>& body_;
  PotentialOptions potential_;
  double friction_;
  std::vector<int> nodes_;                ///< of the surface's vertices, without those of rigid bodies
  Points obstacle_start_, obstacle_end_;  ///< m×3, of the step
  double progress_ = 1.0;
  collision::SurfaceBarrier barrier_;
  std::vector<collision::PairBlock> blocks_;
  double energy_rounding_ = 0.0;
  double edge_ = 0.0;  ///< m, root of the mean area of a triangle at rest
};

}  // namespace deformbench::fem
