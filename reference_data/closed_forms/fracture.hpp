// SPDX-License-Identifier: BSD-3-Clause
// Onset of fracture by the criterion of [MG04] §4 (largest principal stress against a threshold): bars in tension,
// notched meshes, spinning blocks; and the effect of a vertex split on the condition number.
#pragma once

#include "reference_data/closed_forms/isotropic.hpp"
#include "reference_data/closed_forms/plasticity.hpp"

namespace deformbench::references {

/// Nominal strain at which a bar in uniaxial tension breaks: ε_f = σ_f / E in corotational (and linear) elasticity.
double elastic_fracture_strain(const Isotropic& material, double threshold);

/// The same for a creeping bar at constant axial strain rate (1/s), by elastic stress. Yield and cap bound
/// norms of the strain tensor, e √(1 + 2ν²) for an axial elastic strain e. Slow limit: ε_f + cap/√(1 + 2ν²).
double plastic_fracture_strain(const Isotropic& material, double threshold, const Creep& creep, double strain_rate);
/// The limit of slow loading. erratum B-IVM-2
double slow_plastic_fracture_strain(const Isotropic& material, double threshold, double cap);

/// Upper bound of cond(A), A = M + Δt² K', for any pose: (m_max + Δt² Λ) / m_min, Λ = max_i Σ_{e∋i} λ_max(K_e). A
/// split raises neither Λ nor m_max: the bound grows at most m_min/m_min′-fold (Cauchy interlacing).
double split_condition_bound(double largest_mass, double stiffness_bound, double time_step, double smallest_mass_after);

/// Largest principal stress (Pa) in a block spinning about its axis: ρω²R²/2, the tension at its centre (estimate);
/// and the stress added by implicit Euler's stretch √(1 + ω²Δt²) with updated rotation: (λ+μ)(ωΔt)². erratum B-IVM-3
double centrifugal_stress(double density, double angular_velocity, double half_width);
double step_inflation_stress(const Isotropic& material, double angular_velocity, double time_step);

}  // namespace deformbench::references
