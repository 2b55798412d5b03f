// SPDX-License-Identifier: BSD-3-Clause
// One vertex against planes: the nearest velocity, or place, that no plane forbids.
//
// DEVIATION [MG04]: plane colliders with Coulomb friction act on the velocity of each vertex after the solve; neither
// that paper nor [MDMJC02] has contact. A vertex that would end behind a plane gets the normal velocity that ends on
// it, and loses tangential speed up to μ times that change (Coulomb's law for the impulse m Δv). It knows nothing of
// its neighbours: stresses answer in the next step.
//   several planes   the nearest velocity in the intersection of all that they allow, not one plane after the other;
//                    friction acts on what is free to slide along all that push, with the sum of μ times their pushes
//   overlap          a vertex that begins the step behind a plane is put on it, and gets no velocity for that: it only
//                    loses the speed with which it goes further in. Friction does not count it as a push.
//   restitution      is refused (register_fem.cpp): an elastic body rebounds by its own elasticity
#pragma once

#include <array>
#include <optional>
#include <span>

#include "methods/model/boundary_condition.hpp"

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

/// What contact makes of a free vertex.
struct VertexContact {
  Vector3 velocity;  ///< m/s
  Vector3 shift;     ///< m, beside Δt·velocity: zero but for a vertex that began the step behind a plane
};
/// Of the solved `velocity` at `position`, where the step begins. Nothing when the vertex touches no plane. Of planes
/// that leave no place at all, an overlap is not mended.
std::optional<VertexContact> touch_planes(std::span<const model::PlaneCollider> planes, const Vector3& position,
                                          const Vector3& velocity, double time_step);

}  // namespace deformbench::fem
