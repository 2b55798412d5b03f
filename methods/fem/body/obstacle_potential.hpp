// SPDX-License-Identifier: BSD-3-Clause
// Contact of a body's vertices with the planes and kinematic rigid bodies of a scene, as a potential that the step
// minimises, [LFSLZPJK20]. With d the signed distance of a vertex to an obstacle at the end of the step and A its share
// of the surface at rest (interior vertex: its share of volume to the power 2/3),
//   B = Σ A κ d̂ b(y),  y = d/d̂,  b(y) = −(y − 1)² ln y for 0 < y < 1, 0 beyond,
// so that κ (Pa) and d̂ (m) do not depend on the mesh; or, for one linear solve with few corrections, a penalty
//   b(y) = ½ (1 − y)² for y < 1,  y = 1 + d/d̂,
// in which a vertex sinks by d̂ p/κ under the pressure p. Friction is the lagged, smoothed potential
//   D = Σ μ λ f(|u|),  u the sliding of the vertex on the obstacle in the step, λ its normal force,
//   f' = 2 r − r², r = |u|/(ε_v Δt) below 1, else 1.
// λ and the normal are first those of the previous step, then of the last solution, until λ changes by < 0.1 % or
// `friction_passes` solves are done. With the barrier, the line search stops before contact (`longest_move`): y stays
// positive and no vertex enters an obstacle.
//
// DEVIATION [LFSLZPJK20]: κ is fixed, in place of the adaptive stiffness, and the barrier uses d instead of d².
//
// DEVIATION [LFSLZPJK20]: for a vertex that begins a run inside an obstacle or nearer than d̂, the barrier starts at
// that distance (y = 1 there) and moves outwards with the vertex, up to d̂; the vertex may come nearer by less than d̂.
//
// DEVIATION [LFSLZPJK20]: only vertices are tested, against planes and convex bodies; a mesh edge that crosses the edge
// of a box is not detected, and a step longer than the obstacle may carry vertices past it. A penalty is
// tested at end positions and, for bodies, on the straight path of the step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "methods/fem/body/body.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

struct PotentialOptions {
  bool is_penalty = false;      ///< else a barrier
  double distance = 0.0;        ///< d̂, m; 0: 1e-3 × diagonal of the body's bounding box at rest
  double stiffness = 0.0;       ///< κ, Pa; 0: the largest Young's modulus
  double friction_speed = 0.0;  ///< ε_v, m/s: upper bound on creep of sticking vertices; 0: d̂/(1 s)
  /// Maximum solves per step, each with the normal forces of the previous one; 1: with those of the previous step.
  int friction_passes = 2;
};

/// Vectors have four numbers per node, in the graph's order. Vertices with all components prescribed are excluded.
template <class T>
class ObstaclePotential {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// `body` must outlive it.
  ObstaclePotential(const Body<T>& body, const PotentialOptions& options);
  /// Call after Body::follow. `sources`: for every vertex the vertex it was split from, whose contacts it takes over,
  /// or itself.
  void follow(std::span<const int> sources);

  /// Call after BodyState::begin_step; `x`: positions at the start of the step.
  void begin_step(const Vector& x);
  /// Moves vertices that would end inside a barrier back towards their start moved along with the obstacle;
  /// prescribed components are unchanged.
  void bring_outside(Vector& x) const;
  /// B + D, J; infinite if a vertex violates its barrier (y ≤ 0).
  double energy(const Vector& x) const;
  /// Adds −∂(B + D)/∂x to `forces`, and sets `blocks` to the positive semidefinite part of ∂²(B + D)/∂x², ascending by
  /// node. The curvature of D along the sliding, 0 beyond ε_v Δt, is at least `damping` (0 … 1) times D'/|u|; with 1
  /// the quadratic model lies above D. Returns max |entry| of a pair's block (N/m).
  double add_forces(const Vector& x, Vector& forces, std::vector<NodeBlock>& blocks, double damping = 0.0) const;
  /// The same for one node at `place`, damping 0: adds to `force` and `block`. Returns whether y < 1 for an
  /// obstacle.
  bool add_force(int node, const Vector3& place, Vector3& force, Matrix3& block) const;
  double energy_of(int node, const Vector3& place) const;
  /// Largest t ≤ 1 such that no vertex loses more than 0.8 of its y between x and x + t·move; 1 for a penalty.
  double longest_move(const Vector& x, const Vector& move) const;
  /// Sets the lagged normal forces and normals of friction to those at x. Returns Σ |change of λ| relative to Σ λ
  /// (N if Σ λ = 0).
  double hold_friction(const Vector& x);
  /// Penalty: a vertex whose path in the step passes through a body, or ends in it closest to another side, is held
  /// by the tangent plane at its entry until the step ends. Returns true if x adds such vertices.
  bool hold_crossings(const Vector& x);
  int friction_passes() const { return has_friction_ ? options_.friction_passes : 1; }
  /// Call with the positions at the end of the step.
  void finish_step(const Vector& x);

 private:
  struct Gap {
    double distance;  ///< m, signed, to the obstacle
    Vector3 normal;
  };
  /// A vertex and an obstacle.
  struct Pair {
    double zero = 0.0;                            ///< m: distance at which y = 0; ≤ 0, penalty: ≤ −d̂
    double force = 0.0;                           ///< λ, N, for the friction
    Vector3 normal = Vector3::Zero();             ///< direction of λ
    std::optional<model::PlaneCollider> crossed;  ///< the body's tangent plane where the vertex entered it
  };
  template <class Work>
  void each_pair(Work&& work) const;
  template <class Work>
  void each_pair_of(int node, Work&& work) const;
  double pair_energy(std::size_t k, std::size_t o, std::size_t p, const Vector3& place) const;
  /// Adds force and block of a pair. Returns whether y < 1.
  bool add_pair(std::size_t k, std::size_t o, std::size_t p, const Vector3& place, double damping, Vector3& force,
                Matrix3& block) const;
  std::size_t obstacle_count() const;
  /// Distance and normal at x at the end of the step (`is_end`) or at its start.
  Gap gap(std::size_t obstacle, const Vector3& x, bool is_end = true) const;
  /// The same at the end of the step, to `pair.crossed` if that is set.
  Gap gap_of(const Pair& pair, std::size_t obstacle, const Vector3& x) const;
  double friction(std::size_t obstacle) const;
  /// End position of a point that moves with the obstacle and starts the step at x; x for planes.
  Vector3 carried(std::size_t obstacle, const Vector3& x) const;
  /// Largest t ≤ 1 such that distance − zero is ≥ a fifth of its value at a from a to a + t (b − a).
  double free_fraction(std::size_t obstacle, double zero, const Vector3& a, const Vector3& b) const;

  double value(double y) const;  ///< b
  double slope(double y) const;
  double curvature(double y) const;
  /// Distance at which y = 0 for a pair first seen at `distance` (m).
  double zero_at(double distance) const;

  const Body<T>& body_;
  PotentialOptions options_;
  bool has_friction_ = false;
  std::vector<int> nodes_;     ///< nodes with a free component, ascending
  std::vector<double> areas_;  ///< m², one per entry of nodes_
  std::vector<Pair> pairs_;    ///< one per node and obstacle; empty before the first step
  std::vector<int> vertices_;  ///< of nodes_
  Vector start_;
};

extern template class ObstaclePotential<float>;
extern template class ObstaclePotential<double>;

}  // namespace deformbench::fem
