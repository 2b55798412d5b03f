// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/elastica.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"
#include "reference_data/closed_forms/root_finding.hpp"

namespace deformbench::references {
namespace {

constexpr double kRightAngle = std::numbers::pi / 2;

/// √α of the tip angle: K(k) − F(φ₁, k) with k² = (1 + sin θ₀)/2 and sin φ₁ = 1/(k√2),
/// that is tan φ₁ = 1/√sin θ₀.
struct Elliptic {
  double modulus, amplitude;
  explicit Elliptic(double tip_angle)
      : modulus(std::sqrt((1 + std::sin(tip_angle)) / 2)), amplitude(std::atan2(1.0, std::sqrt(std::sin(tip_angle)))) {}
  double load() const { return std::comp_ellint_1(modulus) - std::ellint_1(modulus, amplitude); }
  double length() const { return std::comp_ellint_2(modulus) - std::ellint_2(modulus, amplitude); }
};

/// ψ = π/2 − θ as a function of t = 1 − s, with drop and reach integrated so far.
using State = std::array<double, 4>;  // ψ, ψ', ∫cos ψ (drop), ∫sin ψ (reach)

State slope(double gamma, double t, const State& y) {
  return {y[1], gamma * t * std::sin(y[0]), std::cos(y[0]), std::sin(y[0])};
}

/// Integrates from the free end with ψ(0) = `tip`; stops where ψ passes π/2 and then returns t < 1.
double integrate(double gamma, double tip, int steps, State& y) {
  y = {tip, 0, 0, 0};
  const double h = 1.0 / steps;
  auto ahead = [](const State& a, const State& k, double by) {
    State b = a;
    for (int i = 0; i < 4; ++i) b[i] += by * k[i];
    return b;
  };
  for (int n = 0; n < steps; ++n) {
    const double t = n * h;
    const State k1 = slope(gamma, t, y), k2 = slope(gamma, t + h / 2, ahead(y, k1, h / 2)),
                k3 = slope(gamma, t + h / 2, ahead(y, k2, h / 2)), k4 = slope(gamma, t + h, ahead(y, k3, h));
    for (int i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    if (y[0] >= kRightAngle && n + 1 < steps) return t + h;
  }
  return 1;
}

}  // namespace

ElasticaTip elastica_tip_load(double alpha) {
  if (!(alpha > 0)) throw std::domain_error("elastica: the load parameter must be positive");
  const double root = std::sqrt(alpha);
  const double angle = bisect([root](double a) { return Elliptic(a).load() - root; }, 0.0, kRightAngle * (1 - 1e-15));
  return {angle, 1 - 2 * Elliptic(angle).length() / root, std::sqrt(2 * std::sin(angle) / alpha)};
}

ElasticaTip elastica_self_weight(double gamma) {
  if (!(gamma > 0)) throw std::domain_error("elastica: the weight parameter must be positive");
  // Integration from the free end follows the growing solution, which is stable. ψ at the clamp increases with ψ at
  // the tip (comparison theorem, as sin rises on [0, π/2]), so the sign of ψ(1) − π/2 brackets the tip angle. The
  // unknown is its logarithm, as ψ(0) ~ exp(−2√Γ/3).
  constexpr int kSteps = 12000;
  State end;
  auto overshoot = [&](double log_tip) {
    return integrate(gamma, std::exp(log_tip), kSteps, end) < 1 ? 1.0 : end[0] - kRightAngle;
  };
  const double highest = std::log(kRightAngle);
  const double log_tip = bisect(overshoot, highest - 2 * std::sqrt(gamma) - 1, highest);
  integrate(gamma, std::exp(log_tip), kSteps, end);
  return {kRightAngle - std::exp(log_tip), end[2], end[3]};
}

namespace {
std::vector<Output> tip_outputs() {
  return {{"tip_angle_rad", "rad", "rotation of the tip"},
          {"drop_over_length", "1", "tip displacement along the load"},
          {"reach_over_length", "1", "tip position along the clamped axis"},
          {"drop_over_reach", "1", "aspect ratio of the deflected shape"}};
}
std::vector<double> flat(const ElasticaTip& tip) {
  return {tip.angle, tip.drop, tip.reach, tip.drop / tip.reach};
}
}  // namespace

std::vector<Reference> elastica_references() {
  return {
      {.id = "elastica_tip_load",
       .summary = "Large deflection of a cantilever under a dead transverse tip load",
       .citation = "Bisshopp & Drucker, Quart. Appl. Math. 3 (1945) 272; Mattiasson, Int. J. Numer. Meth. Engng 17 "
                   "(1981) 145",
       .kind = Kind::ClosedForm,
       .validity = "inextensible, shear rigid; a solid bar deviates by some (side/length)^2",
       .uncertainty = 1e-11,
       .abscissa = "load_parameter",
       .parameters = {{"load_parameter", "1", 2.0, "P L^2 / (E I)", 1e-6, 100.0}},
       .outputs = tip_outputs(),
       .compute = [](const Values& v) { return flat(elastica_tip_load(v.at("load_parameter"))); }},
      {.id = "elastica_self_weight",
       .summary = "Large deflection of a horizontally clamped cantilever under its own weight",
       .citation = "Boundary value problem of Rohde, Quart. Appl. Math. 11 (1953) 337, solved here by shooting",
       .kind = Kind::NumericalSolution,
       .validity = "inextensible, shear rigid; a solid bar deviates by some (side/length)^2",
       .uncertainty = 1e-9,
       .abscissa = "weight_parameter",
       .parameters = {{"weight_parameter", "1", 10.0, "rho g A L^3 / (E I)", 1e-3, 2000.0}},
       .outputs = tip_outputs(),
       .compute = [](const Values& v) { return flat(elastica_self_weight(v.at("weight_parameter"))); }},
  };
}

}  // namespace deformbench::references
