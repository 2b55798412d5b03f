// SPDX-License-Identifier: BSD-3-Clause
// Impulses on four vertices that change the velocity of an interpolated point as required. [B05] §11
#pragma once

#include <array>

#include "methods/model/types.hpp"

namespace deformbench::collision {

/// A contact: Σ weights·x points from the second primitive to the first; the weights sum to 0.
struct Contact {
  std::array<int, 4> vertices;
  std::array<double, 4> weights;
  Vector3 normal;  ///< unit, from the second primitive to the first
};

/// Σ weights·v (m/s).
Vector3 relative_velocity(const Contact& contact, const Points& velocities);

/// Σ weights² dᵀM⁻¹d (1/kg) along the unit vector d. `mobility` (1/kg, n×3) is 1/mass, 0 in prescribed components.
double inverse_mass(const Contact& contact, const Vector3& direction, const Points& mobility);

/// Impulses J·weight·d on the vertices, with J such that Σ weights·v changes by `change` (m/s) along the unit vector
/// d (exactly along it if every vertex is entirely free or prescribed). They sum to 0, and so do their moments if Σ
/// weights·x is parallel to d, as at the contact. No effect if no vertex can move.
void apply_impulse(const Contact& contact, const Vector3& direction, double change, const Points& mobility,
                   Points& velocities);

/// Inelastic impulse: stops an approach along the normal; friction reduces the tangential velocity by at most
/// `friction` times that change (Coulomb). Returns whether the vertices approached and could be moved.
bool stop_approach(const Contact& contact, double friction, const Points& mobility, Points& velocities);

/// Soft repulsion of [B05] §13 in the form of [BFA02]: a spring of `stiffness` (N/m) compressed by the
/// `overlap` (m) of two layers, which it reduces by at most a tenth per step of `h` (s). Returns whether it acted.
bool repel(const Contact& contact, double overlap, double stiffness, double friction, double h, const Points& mobility,
           Points& velocities);

}  // namespace deformbench::collision
