// SPDX-License-Identifier: BSD-3-Clause
// Contact of a body's surface with itself, and of its parts with each other, as a potential that the step minimises
// [LFSLZPJK20]: the barrier of collision/surface_barrier.hpp on the boundary triangles of the mesh. A run begins
// without intersections (surface_refusal) and no accepted iterate has any.
#pragma once

#include <string>

#include "methods/collision/surface_barrier.hpp"
#include "methods/fem/body/body.hpp"
#include "methods/fem/body/obstacle_potential.hpp"

namespace deformbench::fem {

/// d̂ of a scene, m: `potential.distance`; if that is 0 a thousandth of the diagonal of the body's box at rest, and at
/// most half the least distance at rest within a part of the mesh.
double surface_distance(const Scene& scene, const PotentialOptions& potential);
/// Why the barrier cannot act on the scene's surface; empty if it can. The surface must not meet itself at the start,
/// and at rest no two primitives of one part without a common vertex may be nearer than d̂.
std::string surface_refusal(const Scene& scene, const PotentialOptions& potential);

/// Vectors have four numbers per node, in the graph's order.
class SurfaceContact {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// `friction`: Coulomb's coefficient. `body` must outlive it.
  SurfaceContact(const Body<double>& body, const PotentialOptions& potential, double friction);

  /// Call after BodyState::begin_step; `x`: positions at the start of the step.
  void begin_step(const Vector& x);
  /// Finds the pairs near x, for the calls that follow at x. `longest_move` finds those of the way.
  void prepare(const Vector& x);
  /// J.
  double energy(const Vector& x) const;
  /// Adds forces, and sets `couplings` to the positive semidefinite second derivatives. Returns the largest entry
  /// (N/m).
  double add_forces(const Vector& x, Vector& forces, std::vector<NodeCoupling>& couplings, double damping);
  /// Largest t ≤ 1 such that nothing meets on x → x + t·move, with a margin: 0.8 of the time to contact.
  double longest_move(const Vector& x, const Vector& move);
  /// Whether nothing meets on the way from x to `to`, which is on the last move's way, as rounded.
  bool is_free(const Vector& x, const Vector& to) const;
  /// See SurfaceBarrier.
  double hold_friction(const Vector& x);
  int friction_passes() const { return friction_ > 0.0 ? potential_.friction_passes : 1; }
  /// Rounding error of the energy at the positions of the last `add_forces`, J.
  double energy_rounding() const { return energy_rounding_; }

 private:
  Points surface(const Vector& of) const;

  const Body<double>& body_;
  PotentialOptions potential_;
  double friction_;
  std::vector<int> nodes_;  ///< of the surface's vertices
  collision::SurfaceBarrier barrier_;
  std::vector<collision::PairBlock> blocks_;
  double energy_rounding_ = 0.0;
  double edge_ = 0.0;  ///< m, root of the mean area of a triangle at rest
};

}  // namespace deformbench::fem
