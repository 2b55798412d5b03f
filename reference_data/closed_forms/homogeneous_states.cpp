// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/homogeneous_states.hpp"

#include <cmath>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {

UniaxialState uniaxial_linear(const Isotropic& m, double stretch) {
  const double strain = stretch - 1;
  return {m.young_modulus * strain, 1 - m.poisson_ratio * strain, m.young_modulus * strain * strain / 2};
}

UniaxialState uniaxial_st_venant_kirchhoff(const Isotropic& m, double stretch) {
  const double green_strain = (stretch * stretch - 1) / 2;
  const double lateral_square = 1 - 2 * m.poisson_ratio * green_strain;
  if (lateral_square < 0) throw std::domain_error("St. Venant-Kirchhoff bar: lateral stretch has collapsed");
  return {m.young_modulus * stretch * green_strain, std::sqrt(lateral_square),
          m.young_modulus * green_strain * green_strain / 2};
}

ShearState simple_shear(const Isotropic& m, double shear) {
  // S = RᵀF has the in-plane trace 2√(1+γ²/4) and determinant 1, so ‖S−I‖² = tr S² − 2 tr S + 3.
  const double plane_trace = 2 * std::sqrt(1 + shear * shear / 4);
  const double excess = plane_trace - 2;
  const double distance_square = (plane_trace * plane_trace - 2) - 2 * plane_trace + 2;
  // Green strain: E_xy = γ/2, E_yy = γ²/2.
  const double green_trace = shear * shear / 2;
  const double green_square = shear * shear / 2 + green_trace * green_trace;
  const double lambda = m.lambda(), mu = m.mu();
  return {std::atan(shear / 2),
          excess,
          mu * shear,
          mu * shear * shear / 2,
          mu * distance_square + lambda / 2 * excess * excess,
          mu * green_square + lambda / 2 * green_trace * green_trace};
}

HydrostaticState hydrostatic_stretch(const Isotropic& m, double stretch) {
  const double strain = stretch - 1, green = (stretch * stretch - 1) / 2;
  const double three_bulk = 3 * m.bulk();
  return {three_bulk * strain, three_bulk * stretch * green, 1.5 * three_bulk * strain * strain,
          1.5 * three_bulk * green * green};
}

std::array<double, 6> stress_of_strain(const Isotropic& m, const std::array<double, 6>& e) {
  const double pressure = m.lambda() * (e[0] + e[1] + e[2]), mu = m.mu();
  return {
      pressure + 2 * mu * e[0], pressure + 2 * mu * e[1], pressure + 2 * mu * e[2], mu * e[3], mu * e[4], mu * e[5]};
}

TetrahedronModes regular_tetrahedron_modes(const Isotropic& m, double density, double edge) {
  // The force on the modes x = (1+q)X is the exact gradient of V·9Kq²/2; Σ m r² = (mass)·(circumradius)².
  const double volume = edge * edge * edge / (6 * std::sqrt(2.0));
  const double polar_moment = density * volume * 3 * edge * edge / 8;
  return {std::sqrt(9 * volume * m.bulk() / polar_moment), std::sqrt(6 * volume * m.mu() / polar_moment)};
}

namespace {

const char* const kElasticity = "Holzapfel, Nonlinear Solid Mechanics, 2000, ch. 6; Müller & Gross 2004, eqs 1-8";

Parameter stretch_parameter(double value) {
  return positive("stretch", "1", value, "length over rest length");
}

std::vector<Output> uniaxial_outputs() {
  return {{"nominal_stress_pa", "Pa", "axial force over rest area"},
          {"lateral_stretch", "1", "width over rest width"},
          {"energy_density_j_m3", "J/m^3", "elastic energy per rest volume"}};
}

std::vector<double> flat(const UniaxialState& s) {
  return {s.nominal_stress, s.lateral_stretch, s.energy_density};
}

}  // namespace

std::vector<Reference> homogeneous_references() {
  return {
      {.id = "uniaxial_linear",
       .summary = "Bar in uniaxial stress, linear or corotational elasticity",
       .citation = kElasticity,
       .kind = Kind::ClosedForm,
       .validity = "homogeneous deformation, lateral faces free, lateral stretch positive",
       .uncertainty = kRounding,
       .abscissa = "stretch",
       .parameters = {stretch_parameter(1.2), young_modulus(), poisson_ratio()},
       .outputs = uniaxial_outputs(),
       .compute = [](const Values& v) { return flat(uniaxial_linear(isotropic(v), v.at("stretch"))); },
       .violation = [](const Values& v) -> std::string {
         const bool collapsed = uniaxial_linear(isotropic(v), v.at("stretch")).lateral_stretch <= 0;
         return collapsed ? "the lateral stretch is not positive" : "";
       }},
      {.id = "uniaxial_st_venant_kirchhoff",
       .summary = "Bar in uniaxial stress, St. Venant-Kirchhoff elasticity: P = E l (l^2 - 1) / 2",
       .citation = kElasticity,
       .kind = Kind::ClosedForm,
       .validity = "homogeneous deformation, lateral faces free; the state is stable for stretch >= 1/sqrt(3) and "
                   "exists up to sqrt(1 + 1/nu)",
       .uncertainty = kRounding,
       .abscissa = "stretch",
       .parameters = {stretch_parameter(1.2), young_modulus(), poisson_ratio()},
       .outputs = uniaxial_outputs(),
       .compute = [](const Values& v) { return flat(uniaxial_st_venant_kirchhoff(isotropic(v), v.at("stretch"))); },
       .violation = [](const Values& v) -> std::string {
         const double l = v.at("stretch"), nu = v.at("poisson_ratio");
         if (l < 1 / std::sqrt(3.0)) return "stretch below 1/sqrt(3): the bar softens and the state is unstable";
         if (nu > 0 && l * l >= 1 + 1 / nu) return "stretch above sqrt(1 + 1/nu): the section has collapsed";
         return "";
       }},
      {.id = "simple_shear",
       .summary = "Simple shear: polar angle, and energy density of three material models",
       .citation = kElasticity,
       .kind = Kind::ClosedForm,
       .validity = "F = I + shear e_x (x) e_y, everywhere",
       .uncertainty = kRounding,
       .abscissa = "shear",
       .parameters = {{"shear", "1", 0.5, "amount of shear"}, young_modulus(), poisson_ratio()},
       .outputs = {{"polar_angle_deg", "deg", "rotation of the polar decomposition, clockwise"},
                   {"stretch_trace_excess", "1", "tr S - 3"},
                   {"linear_stress_pa", "Pa", "shear stress of linear elasticity"},
                   {"linear_energy_density_j_m3", "J/m^3", "linear elasticity"},
                   {"corotational_energy_density_j_m3", "J/m^3", "mu |S-I|^2 + lambda/2 tr^2(S-I)"},
                   {"st_venant_kirchhoff_energy_density_j_m3", "J/m^3", "St. Venant-Kirchhoff"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const ShearState s = simple_shear(isotropic(v), v.at("shear"));
         return {degrees(s.polar_angle), s.stretch_trace_excess, s.linear_stress,
                 s.linear_energy,        s.corotational_energy,  s.st_venant_kirchhoff_energy};
       }},
      {.id = "hydrostatic_stretch",
       .summary = "Equal stretch in all directions: nominal stress and energy density",
       .citation = kElasticity,
       .kind = Kind::ClosedForm,
       .validity = "F = s I, s > 0",
       .uncertainty = kRounding,
       .abscissa = "stretch",
       .parameters = {stretch_parameter(2.0), young_modulus(), poisson_ratio()},
       .outputs = {{"linear_stress_pa", "Pa", "linear and corotational"},
                   {"st_venant_kirchhoff_stress_pa", "Pa", "nominal stress, St. Venant-Kirchhoff"},
                   {"linear_energy_density_j_m3", "J/m^3", "linear and corotational"},
                   {"st_venant_kirchhoff_energy_density_j_m3", "J/m^3", "St. Venant-Kirchhoff"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const HydrostaticState s = hydrostatic_stretch(isotropic(v), v.at("stretch"));
         return {s.linear_stress, s.st_venant_kirchhoff_stress, s.linear_energy, s.st_venant_kirchhoff_energy};
       }},
      {.id = "patch_test_stress",
       .summary = "Constant stress of a constant strain: what every patch of elements must reproduce",
       .citation = "Irons & Razzaque, Experience with the patch test, 1972; Müller & Gross 2004, eqs 1-4",
       .kind = Kind::ExactInvariant,
       .validity = "linear elasticity, any mesh, boundary displacement linear in position",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {{"strain_xx", "1", 1e-3, "normal strain"},
                      {"strain_yy", "1", 0.0, "normal strain"},
                      {"strain_zz", "1", 0.0, "normal strain"},
                      {"strain_xy", "1", 0.0, "engineering shear"},
                      {"strain_yz", "1", 0.0, "engineering shear"},
                      {"strain_zx", "1", 0.0, "engineering shear"},
                      young_modulus(),
                      poisson_ratio()},
       .outputs = {{"stress_xx_pa", "Pa", "stress"},
                   {"stress_yy_pa", "Pa", "stress"},
                   {"stress_zz_pa", "Pa", "stress"},
                   {"stress_xy_pa", "Pa", "stress"},
                   {"stress_yz_pa", "Pa", "stress"},
                   {"stress_zx_pa", "Pa", "stress"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const auto s = stress_of_strain(isotropic(v), {v.at("strain_xx"), v.at("strain_yy"), v.at("strain_zz"),
                                                        v.at("strain_xy"), v.at("strain_yz"), v.at("strain_zx")});
         return {s.begin(), s.end()};
       }},
      {.id = "regular_tetrahedron_modes",
       .summary = "Angular frequencies of one free regular tetrahedron with lumped masses",
       .citation = "Rayleigh's quotient with the exact modes, as all of them are homogeneous strains",
       .kind = Kind::ClosedForm,
       .validity =
           "one linear element, infinitesimal amplitude (any amplitude for the linear and warped breathing mode)",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {positive("edge_m", "m", 0.1 * std::sqrt(2.0), "edge length"), young_modulus(), poisson_ratio(),
                      density()},
       .outputs = {{"dilation_rad_s", "rad/s", "breathing mode"},
                   {"deviatoric_rad_s", "rad/s", "the five volume-preserving modes"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const auto m = regular_tetrahedron_modes(isotropic(v), v.at("density_kg_m3"), v.at("edge_m"));
         return {m.dilation, m.deviatoric};
       }},
  };
}

}  // namespace deformbench::references
