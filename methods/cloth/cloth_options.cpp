// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_options.hpp"

namespace deformbench::cloth {

ParameterSpec cloth_parameters() {
  const ClothOptions defaults;
  return {{"substeps", "1", (long long)defaults.substeps, "Steps per time step of the scene.", 1.0},
          {"mass_damping_1_s", "1/s", defaults.mass_damping, "Force −γ m v on every vertex.", 0.0},
          {"stretch_stiffness_n_per_m", "N/m", defaults.stretch_stiffness,
           "Of the spring along every edge of a mesh; springs that a scene lists have 1/compliance.", 0.0},
          {"yield_tension", "1", 0.0,
           "Tension over modulus above which a spring's rest length changes; 0: none. [B05] §16", 0.0},
          {"yield_compression", "1", 0.0, "The same in compression; 0: none. [B05] §16", 0.0},
          {"hardening", "1", 0.0,
           "H/E: growth of both yield stresses over modulus with the plastic strain accumulated. [B05] §16", 0.0},
          {"creep_rate_1_s", "1/s", 0.0, "Rate at which rest lengths settle towards current lengths. [B05] §16", 0.0},
          {"fracture_tension", "1", 0.0, "Tension over modulus above which a spring breaks; 0: none. [B05] §16", 0.0}};
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
  return options;
}

}  // namespace deformbench::cloth
