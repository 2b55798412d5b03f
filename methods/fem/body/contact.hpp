// SPDX-License-Identifier: BSD-3-Clause
// Contact of one vertex with obstacles (planes and kinematic rigid bodies of a scene): the nearest velocity or
// position that all of them allow.
//
// [CS6967] §2.4 projects a vertex that ends inside an obstacle onto its surface, sets its normal velocity to the
// obstacle's unless they separate, and applies friction: `ContactRule::AsPrinted`.
//
// DEVIATION [CS6967] §2.4: friction, which it leaves undefined, is Coulomb's, up to μ times the change of the normal
// velocity; a vertex in several obstacles is projected out of each in turn.
//
// DEVIATION [MG04]: obstacles with Coulomb friction act on the velocity of each vertex after the solve; neither that
// paper nor [MDMJC02] has contact. A vertex that would end behind a plane gets the normal velocity that ends on
// it, and loses tangential speed up to μ |Δv_n| (Coulomb's law for the impulse m Δv). Each vertex is corrected
// alone: stresses respond in the next step.
//   bodies           spheres, capsules and boxes, which are convex. In one step a body acts as the half space
//                    tangent at the entry of the vertex's path (in the body frame), or not if the path misses it.
//                    The half space excludes the body, so allowed velocities end outside it.
//   moving bodies    speeds are relative to the body's surface at the contact
//   several at once  the nearest velocity in the intersection of all half spaces, not one obstacle after the other;
//                    friction reduces the velocity tangential to all active ones by at most the sum of μ·push
//   overlap          a vertex that begins the step behind a surface is moved onto it (body: the nearest point)
//                    without adding velocity; only its speed of further penetration is removed. The move causes no
//                    friction.
//   infeasible       if a plane and a body conflict, only the plane acts
//   restitution      is refused (contact_refusal): an elastic body rebounds by its own elasticity
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "methods/model/scene.hpp"
#include "methods/numerics/components.hpp"

namespace deformbench::fem {

/// {p : normal·p ≥ bound}, |normal| = 1.
struct HalfSpace {
  Vector3 normal;
  double bound;
};
struct NearestPoint {
  Vector3 point;
  int count = 0;                       ///< active half spaces, at most three
  std::array<std::size_t, 3> which{};  ///< their indices, ascending
  std::array<double, 3> pushes{};      ///< ≥ 0: point − p = Σ push·normal
};
/// The point of the intersection of `spaces` nearest to p; empty if they do not intersect.
std::optional<NearestPoint> nearest_point(std::span<const HalfSpace> spaces, const Vector3& p);

/// Fraction (0 … 1) of a path at which a convex function, ≥ `level` at 0, first falls below `level`: a lower bound
/// within 2⁻⁵⁰; empty if it does not.
template <class Function>
std::optional<double> first_below(const Function& distance, double level) {
  double below = 1.0;
  if (!(distance(1.0) < level)) {
    double low = 0.0, high = 1.0;
    below = -1.0;
    for (int k = 0; k < 60 && below < 0.0; ++k) {  // ternary search: (2/3)⁶⁰ < 1e-10 of the path
      const double s = low + (high - low) / 3.0, t = high - (high - low) / 3.0;
      const double at_s = distance(s), at_t = distance(t);
      if (at_s < level || at_t < level) below = at_s < level ? s : t;
      (at_s < at_t ? high : low) = at_s < at_t ? t : s;
    }
    if (below < 0.0) return std::nullopt;
  }
  double low = 0.0;
  for (int k = 0; k < 50; ++k) {
    const double s = 0.5 * (low + below);
    (distance(s) < level ? below : low) = s;
  }
  return low;
}

enum class ContactRule {
  Nearest,    ///< the velocity nearest to the solved one that ends outside: touch_obstacles
  AsPrinted,  ///< [CS6967] §2.4: project_onto_obstacles
  Barrier,    ///< a potential of the step (obstacle_potential.hpp)
  Penalty,    ///< the same, quadratic
};
inline bool is_within_solve(ContactRule rule) {
  return rule == ContactRule::Barrier || rule == ContactRule::Penalty;
}

/// A kinematic body in one step.
struct Obstacle {
  Obstacle(const model::RigidBody& given, double begin, double end);  ///< s
  const model::RigidBody* body;                                       ///< must outlive it
  model::Pose before, after;
  double reach;  ///< m, radius of a ball about its origin that contains the body
};
/// The first property of the scene's obstacles that finite elements do not support; empty if none. `takes_meshes`:
/// bodies whose shape is a mesh are supported.
std::string contact_refusal(const Scene& scene, bool takes_meshes = false);
/// Stress in a body at rest on an obstacle relative to that due to weight, for contact after an implicit solve
/// (B-ASG-9):
///   1 + k Δt²E/(ρh²)/(1 + γΔt),  k = 2 (1 − ν)/((1 + ν)(1 − 2ν)),
/// h³ = 6 mean element volumes, γ the mass damping (1/s). Maximum over materials.
double overpressure_at_rest(const Scene& scene, double mass_damping);
/// Caveat of a method whose contact acts after an implicit solve; empty without obstacles, or if overpressure_at_rest
/// is below 1.01.
std::string contact_caveat(const Scene& scene, double mass_damping);

/// Result of contact for a vertex.
struct VertexContact {
  Vector3 velocity;  ///< m/s
  Vector3 shift;     ///< m, beyond Δt·velocity; of touch_obstacles: 0 unless the vertex began behind a surface
};
/// Corrects the solved `velocity` of a vertex at `position` (start of the step). Empty if it touches no obstacle. An
/// overlap stays if no position satisfies all obstacles. `held` components are prescribed and unchanged.
std::optional<VertexContact> touch_obstacles(std::span<const model::PlaneCollider> planes,
                                             std::span<const Obstacle> bodies, const Vector3& position,
                                             const Vector3& velocity, double time_step,
                                             numerics::Components held = numerics::kNoComponents);
/// The same by the printed rule.
std::optional<VertexContact> project_onto_obstacles(std::span<const model::PlaneCollider> planes,
                                                    std::span<const Obstacle> bodies, const Vector3& position,
                                                    const Vector3& velocity, double time_step,
                                                    numerics::Components held = numerics::kNoComponents);

}  // namespace deformbench::fem
