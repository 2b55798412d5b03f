// SPDX-License-Identifier: BSD-3-Clause
// One vertex against obstacles: the nearest velocity, or place, that none of them forbids. Obstacles are the planes and
// the kinematic rigid bodies of a scene.
//
// [CS6967] §2.4 projects a vertex that has ended inside onto the surface, sets the normal component of its velocity to
// that of the obstacle unless it leaves, and applies friction: `ContactRule::AsPrinted`.
//
// DEVIATION [CS6967] §2.4: the friction that it does not define is Coulomb's, up to μ times the change of the normal
// velocity; a vertex in several obstacles is answered by one after the other.
//
// DEVIATION [MG04]: obstacles with Coulomb friction act on the velocity of each vertex after the solve; neither that
// paper nor [MDMJC02] has contact. A vertex that would end behind a plane gets the normal velocity that ends on
// it, and loses tangential speed up to μ times that change (Coulomb's law for the impulse m Δv). It knows nothing of
// its neighbours: stresses answer in the next step.
//   bodies           spheres, capsules and boxes, which are convex. In one step a body is the half space that touches
//                    it where the path of the vertex, seen from the body, enters; none where the path passes by. The
//                    half space has the body inside, so what it allows is outside.
//   moving bodies    speeds are those relative to the body's surface there
//   several at once  the nearest velocity in the intersection of all that they allow, not one obstacle after the
//                    other; friction acts on what is free to slide along all that push, with the sum of μ times their
//                    pushes
//   overlap          a vertex that begins the step behind a surface is put on it (of a body: on the nearest place), and
//                    gets no velocity for that: it only loses the speed with which it goes further in. Friction does
//                    not count it as a push.
//   no room          a vertex that a body drives into a plane obeys the plane
//   restitution      is refused (register_fem.cpp): an elastic body rebounds by its own elasticity
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
  int count = 0;                       ///< half spaces that push, at most three
  std::array<std::size_t, 3> which{};  ///< they, ascending
  std::array<double, 3> pushes{};      ///< ≥ 0: point − p = Σ push·normal
};
/// The point of the intersection of `spaces` nearest to p; nothing when they have no point in common.
std::optional<NearestPoint> nearest_point(std::span<const HalfSpace> spaces, const Vector3& p);

enum class ContactRule {
  Nearest,    ///< the velocity nearest to the solved one that ends outside: touch_obstacles
  AsPrinted,  ///< [CS6967] §2.4: project_onto_obstacles
};

/// A kinematic body in one step.
struct Obstacle {
  Obstacle(const model::RigidBody& given, double begin, double end);  ///< s
  const model::RigidBody* body;                                       ///< must outlive it
  model::Pose before, after;
  double reach;  ///< m: the body is in the ball of this radius about its origin
};
/// What of the scene's obstacles finite elements do not honour; empty when they honour all.
std::string contact_refusal(const Scene& scene);

/// What contact makes of a vertex.
struct VertexContact {
  Vector3 velocity;  ///< m/s
  Vector3 shift;     ///< m, beside Δt·velocity: zero but for a vertex that began the step behind a surface
};
/// Of the solved `velocity` at `position`, where the step begins. Nothing when the vertex touches no obstacle. Of
/// obstacles that leave no place at all, an overlap is not mended. `held` components are prescribed: they stay.
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
