// SPDX-License-Identifier: BSD-3-Clause
// When the criterion of [MG04] §4 (largest principal stress against a threshold) lets go: bars in tension, meshes with
// a notch, spinning blocks; and what a vertex split does to the conditioning.
#pragma once

#include "reference_data/closed_forms/isotropic.hpp"
#include "reference_data/closed_forms/plasticity.hpp"

namespace deformbench::references {

/// Nominal strain at which a bar in uniaxial tension breaks: ε_f = σ_f / E of corotational (and linear) elasticity.
double elastic_fracture_strain(const Isotropic& material, double threshold);

/// The same of a creeping bar whose axial strain grows at a constant rate, judged by the elastic stress. The yield and
/// the cap are norms of the whole tensor, e √(1 + 2ν²) for an axial elastic strain e. Slowly: ε_f + cap/√(1 + 2ν²).
double plastic_fracture_strain(const Isotropic& material, double threshold, const Creep& creep, double strain_rate);
/// The limit of slow loading. erratum B-IVM-2
double slow_plastic_fracture_strain(const Isotropic& material, double threshold, double cap);

/// Upper bound of cond(A), A = M + Δt² K', for any pose: (m_max + Δt² Λ) / m_min, Λ = max_i Σ_{e∋i} λ_max(K_e).
/// A split does not raise Λ nor m_max, so that the bound grows by m_min / m_min′ at most (Cauchy interlacing).
double split_condition_bound(double largest_mass, double stiffness_bound, double time_step, double smallest_mass_after);

/// Largest principal stress (Pa) in a block spinning about its axis: ρω²R²/2, the tension in its middle (estimate), and
/// what implicit Euler's own stretch √(1 + ω²Δt²) adds when the rotation is extracted anew: (λ+μ)(ωΔt)². erratum
/// B-IVM-3
double centrifugal_stress(double density, double angular_velocity, double half_width);
double step_inflation_stress(const Isotropic& material, double angular_velocity, double time_step);

}  // namespace deformbench::references
