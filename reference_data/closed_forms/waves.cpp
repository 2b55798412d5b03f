// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/waves.hpp"

#include <cmath>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {

WaveSpeeds wave_speeds(const Isotropic& m, double density) {
  return {std::sqrt(m.young_modulus / density), std::sqrt((m.lambda() + 2 * m.mu()) / density),
          std::sqrt(m.mu() / density)};
}

StepLoad step_load_on_bar(double young_modulus, double density, double length, double stress, double time) {
  // Period 4L/c; the front meets the wall at odd, the tip at even multiples of L/c.
  const double phase = std::fmod(time * std::sqrt(young_modulus / density) / length, 4.0);
  const double rise = phase < 2 ? phase : 4 - phase;
  return {phase >= 1 && phase < 3 ? 2 * stress : 0.0, stress * length / young_modulus * rise};
}

double lumped_bar_frequency(double young_modulus, double density, double length, int elements, int mode) {
  if (elements < 1 || mode < 1 || mode > elements)
    throw std::domain_error("lumped bar: expected 1 <= mode <= elements");
  const double c = std::sqrt(young_modulus / density);
  return 2 * c * elements / length * std::sin((2 * mode - 1) * std::numbers::pi / (4 * elements));
}

namespace {
const char* const kGraff = "Graff, Wave Motion in Elastic Solids, 1975, chs 2 and 5";
Parameter length() {
  return positive("length_m", "m", 1.0, "length of the bar");
}
}  // namespace

std::vector<Reference> wave_references() {
  return {
      {.id = "wave_speeds",
       .summary = "Speeds of bar, dilatational and shear waves",
       .citation = kGraff,
       .kind = Kind::ClosedForm,
       .validity = "infinitesimal amplitude; the bar speed for wavelengths far above the width",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {young_modulus(), poisson_ratio(), density(), length()},
       .outputs = {{"bar_m_s", "m/s", "sqrt(E / rho)"},
                   {"dilatation_m_s", "m/s", "sqrt((lambda + 2 mu) / rho)"},
                   {"shear_m_s", "m/s", "sqrt(mu / rho)"},
                   {"first_axial_frequency_hz", "Hz", "one end fixed: c / 4 L"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const WaveSpeeds c = wave_speeds(isotropic(v), v.at("density_kg_m3"));
         return {c.bar, c.dilatation, c.shear, c.bar / (4 * v.at("length_m"))};
       }},
      {.id = "step_load_on_bar",
       .summary = "Wall stress and tip displacement of a fixed bar whose free end is loaded at once",
       .citation = kGraff,
       .kind = Kind::ClosedForm,
       .validity = "one-dimensional bar (Poisson's ratio 0 or a thin bar), small strain",
       .uncertainty = kRounding,
       .abscissa = "time_s",
       .parameters = {young_modulus(),
                      density(),
                      length(),
                      {"stress_pa", "Pa", 1000.0, "traction on the free end"},
                      {"time_s", "s", 0.2, "time", 0.0, kInfinity}},
       .outputs = {{"wall_stress_pa", "Pa", "0 or twice the applied stress"},
                   {"tip_displacement_m", "m", "triangle wave of height 2 sigma L / E"},
                   {"arrival_time_s", "s", "L / c"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double e = v.at("young_modulus_pa"), rho = v.at("density_kg_m3"), l = v.at("length_m");
         const StepLoad s = step_load_on_bar(e, rho, l, v.at("stress_pa"), v.at("time_s"));
         return {s.wall_stress, s.tip_displacement, l / std::sqrt(e / rho)};
       },
       .violation = [](const Values& v) -> std::string {
         const double strain = 2 * std::abs(v.at("stress_pa")) / v.at("young_modulus_pa");
         return strain > 0.1 ? "largest strain " + std::to_string(strain) + ", expected at most 0.1" : "";
       }},
      {.id = "bar_impact",
       .summary = "Bar that hits a rigid wall end on: stress and time of contact",
       .citation = kGraff,
       .kind = Kind::ClosedForm,
       .validity = "one-dimensional bar, undamped, small strain",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters =
           {young_modulus(), density(), length(), {"speed_m_s", "m/s", 0.1, "speed of impact", 0.0, kInfinity}},
       .outputs = {{"stress_pa", "Pa", "rho c v"}, {"contact_time_s", "s", "2 L / c"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double c = std::sqrt(v.at("young_modulus_pa") / v.at("density_kg_m3"));
         return {v.at("density_kg_m3") * c * v.at("speed_m_s"), 2 * v.at("length_m") / c};
       },
       .violation = [](const Values& v) -> std::string {
         const double strain = v.at("speed_m_s") / std::sqrt(v.at("young_modulus_pa") / v.at("density_kg_m3"));
         return strain > 0.1 ? "strain v / c = " + std::to_string(strain) + ", expected at most 0.1" : "";
       }},
      {.id = "lumped_bar_frequency",
       .summary = "Axial frequencies of a fixed-free bar of equal linear elements with lumped masses",
       .citation = "Discrete dispersion relation, e.g. Hughes, The Finite Element Method, 2000, section 7.3",
       .kind = Kind::ExactInvariant,
       .validity = "one-dimensional elements, 1 <= mode <= elements",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {young_modulus(),
                      density(),
                      length(),
                      {"elements", "1", 20, "number of elements", 1, 1e6, false, true},
                      {"mode", "1", 1, "mode, from 1", 1, 1e6, false, true}},
       .outputs = {{"angular_frequency_rad_s", "rad/s", "2 c / h sin((2k-1) pi / 4N)"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {lumped_bar_frequency(v.at("young_modulus_pa"), v.at("density_kg_m3"), v.at("length_m"),
                                      int(v.at("elements")), int(v.at("mode")))};
       },
       .violation = [](const Values& v) -> std::string {
         return v.at("mode") > v.at("elements") ? "mode above the number of elements" : "";
       }},
  };
}

}  // namespace deformbench::references
