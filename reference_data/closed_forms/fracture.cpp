// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/fracture.hpp"

#include <cmath>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {
namespace {

/// Norm of the strain of uniaxial stress relative to its axial part: (1, −ν, −ν).
double uniaxial_norm(const Isotropic& m) {
  return std::sqrt(1 + 2 * m.poisson_ratio * m.poisson_ratio);
}

}  // namespace

double elastic_fracture_strain(const Isotropic& material, double threshold) {
  return threshold / material.young_modulus;
}

double slow_plastic_fracture_strain(const Isotropic& material, double threshold, double cap) {
  return elastic_fracture_strain(material, threshold) + cap / uniaxial_norm(material);
}

double plastic_fracture_strain(const Isotropic& material, double threshold, const Creep& creep, double r) {
  if (!(r > 0)) throw std::domain_error("fracture: the strain rate must be positive");
  const double norm = uniaxial_norm(material), broken = elastic_fracture_strain(material, threshold);
  const double onset = creep.yield / norm, cap = creep.cap / norm;  // axial parts
  if (broken <= onset) return broken;
  const double limit = r / creep.rate;
  if (limit <= broken) return broken + cap;  // e stays below `broken`: only the cap stops the flow
  // e(t) = limit + (onset − limit) exp(−c t) reaches `broken` at t, counted from the onset.
  const double t = std::log((limit - onset) / (limit - broken)) / creep.rate;
  const double total = onset + r * t;
  return total - broken < cap ? total : broken + cap;
}

double split_condition_bound(double largest_mass, double stiffness_bound, double dt, double smallest_mass_after) {
  return (largest_mass + dt * dt * stiffness_bound) / smallest_mass_after;
}

double centrifugal_stress(double density, double omega, double half_width) {
  return density * omega * omega * half_width * half_width / 2;
}

double step_inflation_stress(const Isotropic& material, double omega, double dt) {
  return (material.lambda() + material.mu()) * omega * omega * dt * dt;
}

namespace {
const char* const kCriterion = "M. Müller, M. Gross, Interactive Virtual Materials, 2004, §4; derived here";
Parameter threshold() {
  return positive("threshold_pa", "Pa", 6e4, "largest principal stress that is borne");
}
}  // namespace

std::vector<Reference> fracture_references() {
  return {
      {.id = "uniaxial_fracture",
       .summary = "Strain at which a bar in tension breaks, elastic and with plastic flow",
       .citation = kCriterion,
       .kind = Kind::ClosedForm,
       .validity = "uniform uniaxial stress, lateral faces free; inertia apart; limit of small steps",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {young_modulus(),
                      poisson_ratio(),
                      threshold(),
                      {"yield_strain", "1", 0.1, "norm of the elastic strain beyond which there is flow", 0, kInfinity},
                      positive("creep_1_s", "1/s", 1.0, "c, rate of the flow"),
                      positive("plastic_max", "1", 1.0, "largest norm of the plastic strain"),
                      positive("strain_rate_1_s", "1/s", 0.01, "rate of the axial strain")},
       .outputs = {{"elastic_strain", "1",
                    "axial strain without flow: threshold over E; also of the stress of the total strain"},
                   {"plastic_strain", "1", "axial strain with flow, elastic stress"},
                   {"slow_plastic_strain", "1", "the same in the limit of slow loading"},
                   {"nominal_stress_pa", "Pa", "load over area of the undeformed section, without flow"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const Isotropic m = isotropic(v);
         const double sigma = v.at("threshold_pa");
         const Creep c{v.at("yield_strain"), v.at("creep_1_s"), v.at("plastic_max")};
         return {elastic_fracture_strain(m, sigma), plastic_fracture_strain(m, sigma, c, v.at("strain_rate_1_s")),
                 slow_plastic_fracture_strain(m, sigma, c.cap), sigma};
       }},
      {.id = "step_load_fracture",
       .summary = "A sudden end load breaks a fixed bar at half of the load that breaks it slowly",
       .citation = "Achenbach, Wave Propagation in Elastic Solids, 1973: the wave is doubled at the wall",
       .kind = Kind::ClosedForm,
       .validity = "one-dimensional waves, undamped",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {threshold()},
       .outputs = {{"load_factor", "1", "over the static load"},
                   {"breaking_stress_pa", "Pa", "sudden traction that breaks it"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {0.5, v.at("threshold_pa") / 2};
       }},
      {.id = "notch_threshold_scaling",
       .summary = "Load at first fracture of a notched body against the cell size: it falls as the root of the size",
       .citation = "stress near a crack tip, K / sqrt(2 pi r): Anderson, Fracture Mechanics, 2017, ch. 2",
       .kind = Kind::Estimate,
       .validity = "cells small against the notch, the notch small against the body",
       .uncertainty = 0.1,
       .abscissa = "",
       .parameters = {positive("cell_size_ratio", "1", 0.5, "cell size over a reference cell size")},
       .outputs = {{"load_ratio", "1", "load over that at the reference size"},
                   {"exponent", "1", "of the load in the cell size"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {std::sqrt(v.at("cell_size_ratio")), 0.5};
       }},
      {.id = "split_condition_growth",
       .summary = "Bound on the condition number after vertex splits, and on its growth",
       .citation = "derived here: Cauchy interlacing on the assembly",
       .kind = Kind::ExactInvariant,
       .validity = "no damping; any pose, any number of splits",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {positive("largest_mass_kg", "kg", 1.0, "largest nodal mass before"),
                      positive("smallest_mass_kg", "kg", 0.05, "smallest nodal mass before"),
                      positive("smallest_mass_after_kg", "kg", 0.025, "smallest nodal mass after"),
                      positive("stiffness_bound_n_m", "N/m", 1e5,
                               "max over vertices of the sum of the elements' largest eigenvalues"),
                      positive("time_step_s", "s", 0.01, "time step")},
       .outputs = {{"condition_bound", "1", "after the splits"}, {"growth_bound", "1", "over the bound before"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {split_condition_bound(v.at("largest_mass_kg"), v.at("stiffness_bound_n_m"), v.at("time_step_s"),
                                       v.at("smallest_mass_after_kg")),
                 v.at("smallest_mass_kg") / v.at("smallest_mass_after_kg")};
       }},
      {.id = "spin_stress",
       .summary = "Principal stress of a spinning block, and what the rotation of the end of the step adds to it",
       .citation = "erratum B-IVM-3; derived here",
       .kind = Kind::Estimate,
       .validity = "omega dt well below 1, block spinning about its axis",
       .uncertainty = 0.3,
       .abscissa = "",
       .parameters = {young_modulus(), poisson_ratio(), density(),
                      positive("angular_velocity_rad_s", "rad/s", 5.0, "spin"),
                      positive("half_width_m", "m", 0.1, "distance of the faces from the axis"),
                      positive("time_step_s", "s", 0.01, "time step")},
       .outputs = {{"centrifugal_pa", "Pa", "rho omega^2 R^2 / 2"},
                   {"inflation_pa", "Pa", "(lambda + mu)(omega dt)^2, seen with fresh rotations only"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double omega = v.at("angular_velocity_rad_s");
         return {centrifugal_stress(v.at("density_kg_m3"), omega, v.at("half_width_m")),
                 step_inflation_stress(isotropic(v), omega, v.at("time_step_s"))};
       },
       .violation = [](const Values& v) -> std::string {
         const double turn = v.at("angular_velocity_rad_s") * v.at("time_step_s");
         return turn > 0.5 ? "omega dt = " + std::to_string(turn) + ", expected below 0.5" : "";
       }},
  };
}

}  // namespace deformbench::references
