// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/time_integration.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {
namespace {

/// 1 + αΔt + (βΔt + Δt²)ω²: the scaled system matrix of the mode.
double pivot(const DampedMode& m, double dt) {
  return 1 + m.mass_damping * dt + (m.stiffness_damping * dt + dt * dt) * m.frequency * m.frequency;
}

using Matrix2 = std::array<double, 4>;  // row major
Matrix2 product(const Matrix2& a, const Matrix2& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}

}  // namespace

std::complex<double> implicit_euler_multiplier(const DampedMode& m, double dt) {
  const double a = pivot(m, dt);
  const double half = 1 + (m.mass_damping + m.stiffness_damping * m.frequency * m.frequency) * dt / 2;
  const double discriminant = half * half - a;
  if (discriminant < 0) return {half / a, std::sqrt(-discriminant) / a};
  return {(half + std::sqrt(discriminant)) / a, 0.0};
}

double implicit_euler_energy_ratio(const DampedMode& m, double dt, long steps) {
  if (steps < 0) throw std::domain_error("implicit Euler: negative number of steps");
  // (x, v/ω): v⁺ = (v − Δt ω² x)/a, x⁺ = x + Δt v⁺.
  const double w = m.frequency * dt, a = pivot(m, dt);
  Matrix2 power = {1 - w * w / a, w / a, -w / a, 1 / a}, total = {1, 0, 0, 1};
  for (long n = steps; n > 0; n >>= 1) {
    if (n & 1) total = product(total, power);
    power = product(power, power);
  }
  return total[0] * total[0] + total[2] * total[2];
}

double implicit_euler_damping_ratio(double frequency, double dt) {
  const double w = frequency * dt, decay = std::log1p(w * w) / 2, turn = std::atan(w);
  return decay / std::hypot(decay, turn);
}

double symplectic_euler_frequency(double frequency, double dt) {
  const double half = frequency * dt / 2;
  if (!(std::abs(half) < 1)) throw std::domain_error("symplectic Euler is unstable: omega dt is not below 2");
  return 2 / dt * std::asin(half);
}

double free_fall_continuous(double g, double dt, long n) {
  return -g * dt * dt * double(n) * double(n) / 2;
}
double free_fall_implicit(double g, double dt, long n) {
  return -g * dt * dt * double(n) * double(n + 1) / 2;
}
double free_fall_forward(double g, double dt, long n) {
  return -g * dt * dt * double(n) * double(n - 1) / 2;
}

namespace {
const char* const kIntegrators =
    "Hairer, Lubich & Wanner, Geometric Numerical Integration, 2006, ch. I; recursion derived here";
Parameter frequency() {
  return positive("angular_frequency_rad_s", "rad/s", 2 * std::numbers::pi, "frequency of the undamped mode");
}
Parameter time() {
  return {"time_s", "s", 1.0, "time, a whole number of steps", 0, 1e9};
}
}  // namespace

std::vector<Reference> time_integration_references() {
  return {
      {.id = "implicit_euler_oscillator",
       .summary = "Decay and phase of one mode under implicit Euler with Rayleigh damping",
       .citation = kIntegrators,
       .kind = Kind::ExactInvariant,
       .validity = "linear mode, exact solves; energy_ratio for a start at rest at full amplitude",
       .uncertainty = 1e-10,
       .abscissa = "time_s",
       .parameters = {frequency(),
                      time_step(),
                      time(),
                      {"mass_damping_1_s", "1/s", 0.0, "alpha in C = alpha M + beta K", 0.0, kInfinity},
                      {"stiffness_damping_s", "s", 0.0, "beta in C = alpha M + beta K", 0.0, kInfinity}},
       .outputs = {{"multiplier_modulus", "1", "amplitude factor of a step"},
                   {"multiplier_phase_rad", "rad", "phase of a step; 0 when overdamped"},
                   {"energy_ratio", "1", "energy at the time over energy at the start"},
                   {"damping_ratio", "1", "of the continuous oscillator with the same decay and phase, undamped mode"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const DampedMode mode{v.at("angular_frequency_rad_s"), v.at("mass_damping_1_s"), v.at("stiffness_damping_s")};
         const double dt = v.at("time_step_s");
         const auto z = implicit_euler_multiplier(mode, dt);
         return {std::abs(z), std::arg(z), implicit_euler_energy_ratio(mode, dt, steps(v)),
                 implicit_euler_damping_ratio(mode.frequency, dt)};
       },
       .violation = between_steps},
      {.id = "symplectic_euler_oscillator",
       .summary = "Frequency and energy band of one mode under symplectic Euler",
       .citation = kIntegrators,
       .kind = Kind::ExactInvariant,
       .validity = "linear undamped mode, omega dt < 2",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {frequency(), time_step()},
       .outputs = {{"frequency_rad_s", "rad/s", "what the discrete solution shows"},
                   {"lowest_energy_ratio", "1", "1 / (1 + omega dt / 2)"},
                   {"highest_energy_ratio", "1", "1 / (1 - omega dt / 2)"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double half = v.at("angular_frequency_rad_s") * v.at("time_step_s") / 2;
         return {symplectic_euler_frequency(v.at("angular_frequency_rad_s"), v.at("time_step_s")), 1 / (1 + half),
                 1 / (1 - half)};
       },
       .violation = [](const Values& v) -> std::string {
         const double w = v.at("angular_frequency_rad_s") * v.at("time_step_s");
         return w >= 2 ? "omega dt = " + std::to_string(w) + ", expected below 2" : "";
       }},
      {.id = "free_fall",
       .summary = "Displacement of the centre of mass in free fall from rest: continuous, and discrete exactly",
       .citation = kIntegrators,
       .kind = Kind::ExactInvariant,
       .validity = "constant gravity, no support, start at rest",
       .uncertainty = kRounding,
       .abscissa = "time_s",
       .parameters = {gravity(), time_step(), time()},
       .outputs = {{"displacement_m", "m", "implicit and symplectic Euler: -g dt^2 n(n+1)/2"},
                   {"continuous_displacement_m", "m", "-g t^2 / 2"},
                   {"forward_euler_displacement_m", "m", "-g dt^2 n(n-1)/2"},
                   {"velocity_m_s", "m/s", "-g t, all of them"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double g = v.at("gravity_m_s2"), dt = v.at("time_step_s");
         const long n = steps(v);
         return {free_fall_implicit(g, dt, n), free_fall_continuous(g, dt, n), free_fall_forward(g, dt, n),
                 -g * dt * double(n)};
       },
       .violation = between_steps},
  };
}

}  // namespace deformbench::references
