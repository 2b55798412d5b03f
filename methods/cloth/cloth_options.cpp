// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_options.hpp"

namespace deformbench::cloth {

ParameterSpec cloth_parameters() {
  const ClothOptions defaults;
  return {
      {"substeps", "1", (long long)defaults.substeps, "Steps per time step of the scene.", 1.0},
      {"mass_damping_1_s", "1/s", defaults.mass_damping, "Force −γ m v on every vertex.", 0.0},
      {"stretch_stiffness_n_per_m", "N/m", defaults.stretch_stiffness,
       "Of the spring along every edge of a mesh; springs that a scene lists have 1/compliance.", 0.0},
      {"yield_tension", "1", 0.0, "Tension over modulus above which a spring's rest length changes; 0: none. [B05] §16",
       0.0},
      {"yield_compression", "1", 0.0, "The same in compression; 0: none. [B05] §16", 0.0},
      {"hardening", "1", 0.0,
       "H/E: growth of both yield stresses over modulus with the plastic strain accumulated. [B05] §16", 0.0},
      {"creep_rate_1_s", "1/s", 0.0, "Rate at which rest lengths settle towards current lengths. [B05] §16", 0.0},
      {"fracture_tension", "1", 0.0, "Tension over modulus above which a spring breaks; 0: none. [B05] §16", 0.0},
      {"strain_limit", "1", 0.0, "Largest strain of a spring, enforced in sweeps after the forces; 0: none. [B05] §6",
       0.0},
      {"shortening_limit", "1", 0.0, "Largest shortening of a spring; 0: none. [B05] §6", 0.0, 1.0},
      {"strain_limit_sweeps", "1", (long long)defaults.strain_limits.sweeps, "Visits of every spring in a step.", 1.0},
      {"strain_limit_order",
       "",
       std::string("listed"),
       "In which a sweep visits springs.",
       {},
       {},
       {"listed", "reverse", "alternating"}},
      {"strain_limit_form",
       "",
       std::string("positions"),
       "Whether what moves a vertex to a limit leaves no velocity (Provot 1995) or changes its velocity, too; strain "
       "rates go to zero with both.",
       {},
       {},
       {"positions", "positions_and_velocities"}}};
}

ClothOptions cloth_options(const Parameters& parameters) {
  ClothOptions options;
  options.substeps = int(parameters.integer("substeps"));
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.stretch_stiffness = parameters.real("stretch_stiffness_n_per_m");
  const auto or_never = [&](const char* name) {
    return parameters.real(name) > 0.0 ? parameters.real(name) : PlasticLaw::kNever;
  };
  options.plasticity = {or_never("yield_tension"), or_never("yield_compression"), parameters.real("hardening"),
                        parameters.real("creep_rate_1_s"), or_never("fracture_tension")};
  const std::string &order = parameters.text("strain_limit_order"), &form = parameters.text("strain_limit_form");
  options.strain_limits = {parameters.real("strain_limit"), parameters.real("shortening_limit"),
                           int(parameters.integer("strain_limit_sweeps")),
                           order == "listed"    ? SweepOrder::Listed
                           : order == "reverse" ? SweepOrder::Reverse
                                                : SweepOrder::Alternating,
                           form == "positions" ? LimitForm::Positions : LimitForm::PositionsAndVelocities};
  return options;
}

}  // namespace deformbench::cloth
