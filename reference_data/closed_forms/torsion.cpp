// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/torsion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {

// Timoshenko & Goodier, Theory of Elasticity, art. 109; long side a, short side b. Terms fall as n⁻⁵; where tanh = 1
// the tail is Σ n⁻⁵, so 2001 terms leave 1e-14.
double torsion_constant(double side_a, double side_b) {
  const double a = std::max(side_a, side_b), b = std::min(side_a, side_b), pi = std::numbers::pi;
  double sum = 0;
  for (int n = 4001; n >= 1; n -= 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / std::pow(pi, 5) * b / a * sum);
}

double torsion_stress_per_torque(double side_a, double side_b) {
  const double a = std::max(side_a, side_b), b = std::min(side_a, side_b), pi = std::numbers::pi;
  double sum = 0;
  for (int n = 99; n >= 1; n -= 2) sum += 1 / (n * double(n) * std::cosh(n * pi * a / (2 * b)));
  return b * (1 - 8 / (pi * pi) * sum) / torsion_constant(a, b);
}

double torsion_shortening(double side, double length, double twist) {
  const double per_length = twist / length;
  return -side * side / 12 * per_length * per_length;
}

std::vector<Reference> torsion_references() {
  return {
      {.id = "torsion_of_rectangular_bar",
       .summary = "Twist, shear stress and torsional frequency of a rectangular bar",
       .citation = "Timoshenko & Goodier, Theory of Elasticity, 3rd ed., art. 109",
       .kind = Kind::ClosedForm,
       .validity = "uniform torsion, warping free, twist per side at most 0.1 rad",
       .uncertainty = 1e-10,
       .abscissa = "",
       .parameters = {positive("length_m", "m", 1.0, "length"),
                      positive("side_m", "m", 0.1, "first side"),
                      positive("other_side_m", "m", 0.1, "second side"),
                      young_modulus(),
                      poisson_ratio(),
                      density(),
                      {"torque_n_m", "N m", 1e-3, "torque on the free end"}},
       .outputs = {{"torsion_constant_m4", "m^4", "J"},
                   {"twist_rad", "rad", "T L / (G J)"},
                   {"largest_shear_stress_pa", "Pa", "at the middle of the longer side"},
                   {"torsional_stiffness_n_m", "N m", "G J / L, torque per radian"},
                   {"frequency_hz", "Hz", "first torsional mode, one end clamped: sqrt(G J / rho I_p) / 4 L"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double a = v.at("side_m"), b = v.at("other_side_m"), l = v.at("length_m"), t = v.at("torque_n_m");
         const double j = torsion_constant(a, b), gj = isotropic(v).mu() * j;
         const double polar = a * b * (a * a + b * b) / 12;
         return {j, t * l / gj, t * torsion_stress_per_torque(a, b), gj / l,
                 std::sqrt(gj / (v.at("density_kg_m3") * polar)) / (4 * l)};
       },
       .violation = [](const Values& v) -> std::string {
         const double a = v.at("side_m"), b = v.at("other_side_m");
         const double rate = std::abs(v.at("torque_n_m")) / (isotropic(v).mu() * torsion_constant(a, b));
         const double twist = rate * std::max(a, b);
         return twist > 0.1 ? "twist per side " + std::to_string(twist) + " rad, expected at most 0.1" : "";
       }},
      {.id = "torsion_shortening",
       .summary = "Axial shortening of a twisted square bar (Wagner effect); zero for linear elasticity",
       .citation = "Wagner 1929, as in Trahair, Flexural-Torsional Buckling of Structures, 1993",
       .kind = Kind::Estimate,
       .validity = "axially free end, St. Venant-Kirchhoff with nu = 0, twist times side over length at most 0.5; "
                   "another nu or law changes it by as much as its size, or its sign",
       .uncertainty = 0.1,
       .abscissa = "angle_deg",
       .parameters = {positive("length_m", "m", 1.0, "length"),
                      positive("side_m", "m", 0.1, "side"),
                      {"angle_deg", "deg", 90.0, "twist over the length", -360.0, 360.0}},
       .outputs = {{"strain", "1", "change of length over length"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {torsion_shortening(v.at("side_m"), v.at("length_m"), radians(v.at("angle_deg")))};
       },
       .violation = [](const Values& v) -> std::string {
         const double twist = std::abs(radians(v.at("angle_deg"))) * v.at("side_m") / v.at("length_m");
         return twist > 0.5 ? "twist per side " + std::to_string(twist) + " rad, expected at most 0.5" : "";
       }},
  };
}

}  // namespace deformbench::references
