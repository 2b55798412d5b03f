// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/position_based.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {

double iteration_stiffness(double k, int iterations) {
  if (k >= 1) return 1.0;
  return -std::expm1(std::log1p(-k) / iterations);
}

double residual_share(double k, int iterations, StiffnessPer per) {
  return per == StiffnessPer::Step ? 1 - k : std::pow(1 - k, iterations);
}

double hanging_extension(double k, int iterations, StiffnessPer per, double gravity, double dt) {
  const double left = residual_share(k, iterations, per);
  if (left >= 1) throw std::domain_error("hanging mass: without stiffness it falls");
  return left / (1 - left) * gravity * dt * dt;
}

double effective_stiffness(double k, int iterations, StiffnessPer per, double mass, double dt) {
  const double left = residual_share(k, iterations, per);
  if (left <= 0) throw std::domain_error("hanging mass: a residual of 0 is a rigid link");
  return mass * (1 - left) / (left * dt * dt);
}

double compliant_extension(double compliance, double mass, double gravity) {
  return compliance * mass * gravity;
}

std::complex<double> spring_multiplier(double k) {
  const double modulus = std::sqrt(1 - k);
  return std::polar(modulus, std::acos(modulus));  // z² − 2(1 − k) z + (1 − k) = 0
}

double spring_extension(double k, long steps) {
  if (steps < 0) throw std::domain_error("spring: negative number of steps");
  if (k == 0) return 1.0;
  // x_n = Re(a zⁿ) with x_0 = 1 and, from rest, x_1 = 1 − k: a = 1 − i b, b = (x_1 − Re z)/Im z.
  if (k >= 1) return steps == 0 ? 1.0 : 0.0;
  const std::complex<double> z = spring_multiplier(k);
  const double b = (1 - k - z.real()) / z.imag();
  return (std::complex<double>(1, -b) * std::pow(z, double(steps))).real();
}

double jacobi_radius(int links, bool one_end_held) {
  if (links < 1) throw std::domain_error("chain: at least one link");
  return std::cos(std::numbers::pi / (one_end_held ? 2 * links : links + 1));
}

double gauss_seidel_radius(int links, bool one_end_held) {
  const double jacobi = jacobi_radius(links, one_end_held);
  return jacobi * jacobi;
}

double dumbbell_turn(double omega, double dt, long steps) {
  if (steps < 1) throw std::domain_error("dumbbell: the first turn is that of step 1");
  double turn = std::atan(omega * dt);
  for (long n = 1; n < steps; ++n) turn = std::atan2(std::sin(turn), 2 - std::cos(turn));
  return turn;
}

double dumbbell_momentum_ratio(double omega, double dt, long steps) {
  return steps == 0 ? 1.0 : std::sin(dumbbell_turn(omega, dt, steps)) / (omega * dt);
}

double dumbbell_energy_ratio(double omega, double dt, long steps) {
  if (steps == 0) return 1.0;
  const double chord = 2 * std::sin(dumbbell_turn(omega, dt, steps) / 2) / (omega * dt);
  return chord * chord;
}

double printed_overshoot(std::span<const double> w, std::span<const double> gradients) {
  if (w.size() != gradients.size() || w.empty()) throw std::domain_error("overshoot: one gradient a vertex");
  double sum_w = 0, sum_g = 0, sum_wg = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double g2 = gradients[i] * gradients[i];
    sum_w += w[i], sum_g += g2, sum_wg += w[i] * g2;
  }
  if (sum_w <= 0 || sum_g <= 0) throw std::domain_error("overshoot: nothing can move");
  return double(w.size()) * sum_wg / (sum_w * sum_g);
}

double vertex_triangle_overshoot(const std::array<double, 3>& b, double triangle_w, double vertex_w) {
  return printed_overshoot(std::array{triangle_w, triangle_w, triangle_w, vertex_w}, std::array{b[0], b[1], b[2], 1.0});
}

namespace {

const char* const kDerivedFromPbd =
    "Müller, Heidelberger, Hennix & Ratcliff, Position Based Dynamics, 2007; derived here";
const char* const kCompliant = "Macklin, Müller & Chentanez, XPBD, 2016; derived here";

Parameter stiffness(double value) {
  return {"stiffness", "1", value, "k of the constraint", 0, 1};
}
Parameter iterations() {
  return {"iterations", "1", 10, "solver iterations per step", 1, 1e9, false, true};
}
Parameter per_iteration() {
  return {"per_iteration", "1", 0, "1: k in every iteration; 0: k' = 1 - (1 - k)^(1/iterations)", 0, 1, false, true};
}
Parameter count(const char* doc) {
  return {"steps", "1", 100, doc, 0, 1e7, false, true};
}
int rounded(const Values& v, const char* name) {
  return int(std::lround(v.at(name)));
}
StiffnessPer per(const Values& v) {
  return rounded(v, "per_iteration") ? StiffnessPer::Iteration : StiffnessPer::Step;
}

}  // namespace

std::vector<Reference> position_based_references() {
  return {
      {.id = "projected_constraint_residual",
       .summary = "What a step of position based dynamics leaves of the error of one constraint",
       .citation = kDerivedFromPbd,
       .kind = Kind::ExactInvariant,
       .validity = "one distance constraint alone; others to first order in their error",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {stiffness(0.5), iterations(), per_iteration()},
       .outputs = {{"residual_share", "1", "error after the step over the error before"},
                   {"iteration_stiffness", "1", "k' that leaves 1 - k after all iterations"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double k = v.at("stiffness");
         return {residual_share(k, rounded(v, "iterations"), per(v)), iteration_stiffness(k, rounded(v, "iterations"))};
       }},
      {.id = "hanging_mass",
       .summary = "Extension at which a mass hangs at rest on one constraint, position based and compliant",
       .citation = kDerivedFromPbd,
       .kind = Kind::ExactInvariant,
       .validity = "one distance constraint along gravity, 0 < k < 1, no substeps",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {stiffness(0.5),
                      iterations(),
                      per_iteration(),
                      gravity(),
                      time_step(),
                      positive("mass_kg", "kg", 1.0, "mass"),
                      {"compliance_m_per_n", "m/N", 1e-4, "of the compliant constraint", 0, kInfinity}},
       .outputs = {{"extension_m", "m", "(1 - k_t)/k_t g dt^2"},
                   {"effective_stiffness_n_m", "N/m", "m k_t/((1 - k_t) dt^2)"},
                   {"compliant_extension_m", "m", "compliance times weight"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double k = v.at("stiffness"), dt = v.at("time_step_s"), m = v.at("mass_kg"), g = v.at("gravity_m_s2");
         const int n = rounded(v, "iterations");
         return {hanging_extension(k, n, per(v), g, dt), effective_stiffness(k, n, per(v), m, dt),
                 compliant_extension(v.at("compliance_m_per_n"), m, g)};
       },
       .violation = [](const Values& v) -> std::string {
         const double k = v.at("stiffness");
         if (k <= 0 || k >= 1) return "k = " + std::to_string(k) + ", expected between 0 and 1";
         return residual_share(k, rounded(v, "iterations"), per(v)) > 0 ? "" : "the residual underflows: a rigid link";
       }},
      {.id = "position_based_spring",
       .summary = "One spring of stiffness k between a fixed point and a mass: decay, turn and extension after a "
                  "number of steps",
       .citation = kDerivedFromPbd,
       .kind = Kind::ExactInvariant,
       .validity = "motion along the spring, no gravity, start at rest",
       .uncertainty = 1e-10,
       .abscissa = "",
       .parameters = {stiffness(0.1), count("steps")},
       .outputs = {{"multiplier_modulus", "1", "amplitude factor of a step"},
                   {"multiplier_phase_rad", "rad", "phase of a step"},
                   {"extension_ratio", "1", "extension over that at the start"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const auto z = spring_multiplier(v.at("stiffness"));
         return {std::abs(z), std::arg(z), spring_extension(v.at("stiffness"), std::lround(v.at("steps")))};
       }},
      {.id = "chain_sweep_radius",
       .summary = "Factor by which one sweep over a straight chain of distance constraints reduces the slowest error",
       .citation = "Young, Iterative Solution of Large Linear Systems, 1971; applied here",
       .kind = Kind::ExactInvariant,
       .validity = "collinear chain, equal masses, stiffness 1",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {{"links", "1", 10, "number of distance constraints", 2, 1e6, false, true},
                      {"one_end_held", "1", 0, "1: the first vertex is held", 0, 1, false, true}},
       .outputs = {{"jacobi", "1", "spectral radius of a Jacobi sweep"},
                   {"gauss_seidel", "1", "of a Gauss-Seidel sweep"},
                   {"sweeps_per_digit", "1", "Gauss-Seidel sweeps for a decimal digit"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const int links = rounded(v, "links");
         const bool held = rounded(v, "one_end_held") != 0;
         const double gs = gauss_seidel_radius(links, held);
         return {jacobi_radius(links, held), gs, -std::numbers::ln10 / std::log(gs)};
       }},
      {.id = "spinning_dumbbell",
       .summary = "Angular momentum and energy that position based dynamics leaves to a free spinning dumbbell",
       .citation = kDerivedFromPbd,
       .kind = Kind::ExactInvariant,
       .validity = "rigid link, equal masses, gradients at predicted positions, no gravity",
       .uncertainty = 1e-10,
       .abscissa = "",
       .parameters = {positive("angular_velocity_rad_s", "rad/s", 5.0, "at the start"), time_step(), count("steps")},
       .outputs = {{"angular_momentum_ratio", "1", "over that at the start"},
                   {"kinetic_energy_ratio", "1", "over that at the start"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double omega = v.at("angular_velocity_rad_s"), dt = v.at("time_step_s");
         const long n = std::lround(v.at("steps"));
         return {dumbbell_momentum_ratio(omega, dt, n), dumbbell_energy_ratio(omega, dt, n)};
       }},
      {.id = "printed_vertex_triangle_overshoot",
       .summary = "Overshoot of the printed mass weighting in a contact of a vertex with a triangle",
       .citation = kDerivedFromPbd,
       .kind = Kind::ExactInvariant,
       .validity = "to first order in the error; exact where the triangle is held",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {{"barycentric_1", "1", 1.0 / 3, "of the vertex over the triangle", 0, 1},
                      {"barycentric_2", "1", 1.0 / 3, "of the vertex over the triangle", 0, 1},
                      {"triangle_inverse_mass_1_kg", "1/kg", 0, "of each of its vertices", 0, 1e12},
                      {"vertex_inverse_mass_1_kg", "1/kg", 1, "of the vertex", 0, 1e12}},
       .outputs = {{"overshoot", "1", "beta: the error is multiplied by 1 - beta"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double a = v.at("barycentric_1"), b = v.at("barycentric_2");
         return {vertex_triangle_overshoot({a, b, 1 - a - b}, v.at("triangle_inverse_mass_1_kg"),
                                           v.at("vertex_inverse_mass_1_kg"))};
       },
       .violation = [](const Values& v) -> std::string {
         if (v.at("barycentric_1") + v.at("barycentric_2") > 1 + 1e-12)
           return "barycentric coordinates add up to more than 1";
         return v.at("triangle_inverse_mass_1_kg") + v.at("vertex_inverse_mass_1_kg") > 0 ? "" : "nothing can move";
       }},
  };
}

}  // namespace deformbench::references
