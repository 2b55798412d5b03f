// SPDX-License-Identifier: BSD-3-Clause
// Errors of linear finite elements under finite rotations, and the small ones of warped elements: figure 1 of Müller
// & Gross 2004 in numbers. Most hold on any mesh, not only in the limit.
#pragma once

#include "reference_data/closed_forms/isotropic.hpp"

namespace deformbench::references {

/// Elastic energy (J) of linear elasticity when every vertex is rotated by `angle` (rad) about any axis.
double linear_energy_of_rotation(const Isotropic& material, double volume, double angle);

struct RootRotation {
  double volume_ratio;    ///< det F of the far field
  double apparent_angle;  ///< rad, apparent rotation of the far field
  double stretch;         ///< in the plane of rotation
};
/// Far field (some three widths from the driven face) of a linear block whose root face is rotated by `angle` (rad).
RootRotation linear_far_field(double angle);

/// V/V0 of a free linear body that starts with the velocity ω × x: every vertex moves on a straight line.
double linear_free_spin_volume(double angular_velocity, double time);

struct SpinningBody {
  double angular_velocity;  ///< rad/s
  double time_step;         ///< s
  double volume;            ///< m³
  double polar_moment;      ///< Σ mᵢ rᵢ² about the axis, lumped masses, kg m²
};
/// V/V0 of a free warped body that spins, after the radial transient has died out under implicit Euler.
double warped_free_spin_volume(const Isotropic& material, const SpinningBody& body);

/// V/V0 of the field u = φ(z) ẑ × x with φ linear from 0 to `twist` (rad).
double linear_torsion_volume(double twist);
/// V/V0 of a slender linear bar whose end face is truly rotated by `twist` (rad); end effects neglected.
double linear_driven_torsion_volume(double twist);

/// Largest axial strain (at the axis) of a slender bar spinning about its centre; `radius` is half its length.
double centrifugal_strain(double young_modulus, double density, double angular_velocity, double radius);

/// Angle (rad) between the true normal F⁻ᵀn and the merely rotated normal, for F = diag(stretch, 1, 1) and n at
/// `normal_angle` (rad) from the x axis in the xy plane.
double rotated_normal_error(double stretch, double normal_angle);

/// Bound on the condition number of A = M + Δt² K' at every pose: (m_max + Δt² Λ) / m_min, Λ = max_i Σ_e λ_max(K_e).
double condition_number_bound(double smallest_mass, double largest_mass, double time_step, double stiffness_bound);

}  // namespace deformbench::references
