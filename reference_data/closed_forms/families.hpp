// SPDX-License-Identifier: BSD-3-Clause
// Internal to the registry: one function per family of references, and their shared parameters.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "reference_data/closed_forms/isotropic.hpp"
#include "reference_data/closed_forms/registry.hpp"

namespace deformbench::references {

std::vector<Reference> homogeneous_references();
std::vector<Reference> rotation_references();
std::vector<Reference> beam_references();
std::vector<Reference> elastica_references();
std::vector<Reference> torsion_references();
std::vector<Reference> time_integration_references();
std::vector<Reference> wave_references();
std::vector<Reference> plasticity_references();
std::vector<Reference> fracture_references();
std::vector<Reference> position_based_references();
std::vector<Reference> hanging_and_sliding_references();

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Relative uncertainty of a formula evaluated in double precision.
inline constexpr double kRounding = 1e-12;

inline Parameter positive(std::string name, std::string unit, double value, std::string doc) {
  return {std::move(name), std::move(unit), value, std::move(doc), 0.0, kInfinity, true};
}
inline Parameter young_modulus() {
  return positive("young_modulus_pa", "Pa", 1e5, "Young's modulus E");
}
inline Parameter poisson_ratio() {
  return {"poisson_ratio", "1", 0.33, "Poisson's ratio", -1.0, 0.5, true};
}
inline Parameter density() {
  return positive("density_kg_m3", "kg/m^3", 1000.0, "density");
}
inline Parameter gravity() {
  return {"gravity_m_s2", "m/s^2", 9.81, "magnitude of gravity", 0.0, kInfinity};
}
inline Parameter time_step() {
  return positive("time_step_s", "s", 0.01, "time step");
}
/// Rounded time_s/time_step_s; the error if not whole, else "".
inline long steps(const Values& v) {
  return std::lround(v.at("time_s") / v.at("time_step_s"));
}
inline std::string between_steps(const Values& v) {
  const double n = v.at("time_s") / v.at("time_step_s");
  const bool whole = std::abs(n - std::round(n)) <= 1e-6;  // times are sums of steps, each rounded
  return whole ? "" : "time " + std::to_string(n) + " steps, expected a whole number";
}
inline Isotropic isotropic(const Values& v) {
  return {v.at("young_modulus_pa"), v.at("poisson_ratio")};
}

}  // namespace deformbench::references
