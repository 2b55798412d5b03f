// SPDX-License-Identifier: BSD-3-Clause
// Exact recursions of time integrators on ẍ = −ω²x and in free fall, at finite Δt.
#pragma once

#include <complex>

namespace deformbench::references {

/// One mode of M ẍ + C ẋ + K x = 0 with C = αM + βK.
struct DampedMode {
  double frequency;                ///< ω, rad/s
  double mass_damping = 0.0;       ///< α, 1/s
  double stiffness_damping = 0.0;  ///< β, s
};

/// The root of larger modulus of (1+αΔt+(βΔt+Δt²)ω²) z² − (2+(α+βω²)Δt) z + 1 = 0, imaginary part ≥ 0.
std::complex<double> implicit_euler_multiplier(const DampedMode& mode, double time_step);
/// (v² + ω²x²) after `steps` steps relative to its initial value (x = 1, v = 0). Undamped: (1+ω²Δt²)^−steps.
double implicit_euler_energy_ratio(const DampedMode& mode, double time_step, long steps);
/// Damping ratio of the continuous oscillator with the decay and phase of implicit Euler (undamped mode).
double implicit_euler_damping_ratio(double frequency, double time_step);

/// Numerical frequency (rad/s) of symplectic Euler. Throws std::domain_error for ωΔt ≥ 2 (unstable).
double symplectic_euler_frequency(double frequency, double time_step);

/// Displacement (m, up) after `steps` steps from rest under gravity g (m/s², down).
double free_fall_continuous(double gravity, double time_step, long steps);
double free_fall_implicit(double gravity, double time_step, long steps);  ///< implicit and symplectic Euler
double free_fall_forward(double gravity, double time_step, long steps);

}  // namespace deformbench::references
