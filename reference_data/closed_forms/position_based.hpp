// SPDX-License-Identifier: BSD-3-Clause
// Results of position based dynamics in closed form, for few constraints: residuals, equilibria, one spring, one
// spinning dumbbell, sweeps over a chain, the overshoot of the printed mass weighting. [MHHR07]
#pragma once

#include <array>
#include <complex>
#include <span>

namespace deformbench::references {

/// [MHHR07] §3.3: `Iteration` applies k in every iteration, `Step` applies k′ = 1 − (1 − k)^{1/n_s}.
enum class StiffnessPer { Step, Iteration };

/// k′, with which n_s iterations leave (1 − k) of one constraint's error.
double iteration_stiffness(double stiffness, int iterations);
/// Fraction of the error of one distance constraint left by n_s iterations: 1 − k, or (1 − k)^{n_s}.
double residual_share(double stiffness, int iterations, StiffnessPer per);

/// Extension (m) at which a mass hangs at rest: (1 − k_t)/k_t g Δt², k_t = 1 − residual share. Independent of mass.
double hanging_extension(double stiffness, int iterations, StiffnessPer per, double gravity, double time_step);
/// Stiffness (N/m) of a spring with the same extension: m k_t/((1 − k_t) Δt²).
double effective_stiffness(double stiffness, int iterations, StiffnessPer per, double mass, double time_step);
/// Extension (m) of a compliant constraint [MMC16]: α m g for any Δt and n_s.
double compliant_extension(double compliance, double mass, double gravity);

/// Multiplier of one step of a spring between a fixed point and a mass: x_{n+1} = (1 − k)(2x_n − x_{n−1}), so |z| =
/// √(1 − k) and cos arg z = √(1 − k).
std::complex<double> spring_multiplier(double stiffness);
/// Extension after `steps` steps from rest at extension 1.
double spring_extension(double stiffness, long steps);

/// Spectral radius of one sweep over a straight chain of equal masses and M distance constraints: its constraint
/// matrix is tridiag(−1, 2, −1). Jacobi: cos(π/(M+1)), or cos(π/2M) with one end held; Gauss–Seidel, sequential or in
/// two colours: the square.
double jacobi_radius(int links, bool one_end_held);
double gauss_seidel_radius(int links, bool one_end_held);

/// A free dumbbell with a rigid link that spins at ω: rotation (rad) of the n-th step, tan φ_1 = ωΔt,
/// tan φ_{n+1} = sin φ_n/(2 − cos φ_n). Steps count from 1. erratum B-PBD-5
double dumbbell_turn(double angular_velocity, double time_step, long steps);
/// L_n/L_0 = sin φ_n/(ωΔt).
double dumbbell_momentum_ratio(double angular_velocity, double time_step, long steps);
/// E_n/E_0 = 2(1 − cos φ_n)/(ωΔt)².
double dumbbell_energy_ratio(double angular_velocity, double time_step, long steps);

/// β of the printed weighting, [MHHR07] eq. 7, 8: one projection leaves C(1 − β) of the linearised constraint,
/// β = n Σ w g²/(Σ w Σ g²); `gradients` are the norms |∇_iC|. erratum B-PBD-1
double printed_overshoot(std::span<const double> inverse_masses, std::span<const double> gradients);
/// The same for a vertex against a triangle, [MHHR07] eq. 11, at barycentric coordinates b: gradients 1 and b_i.
double vertex_triangle_overshoot(const std::array<double, 3>& barycentric, double triangle_inverse_mass,
                                 double vertex_inverse_mass);

}  // namespace deformbench::references
