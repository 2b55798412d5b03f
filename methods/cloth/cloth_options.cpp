// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_options.hpp"

namespace deformbench::cloth {

ParameterSpec cloth_parameters() {
  const ClothOptions defaults;
  ParameterSpec spec{{"substeps", "1", (long long)defaults.substeps, "Steps per time step of the scene.", 1.0},
                     {"mass_damping_1_s", "1/s", defaults.mass_damping, "Force −γ m v on every vertex.", 0.0},
                     {"stretch_stiffness_n_per_m", "N/m", defaults.stretch_stiffness,
                      "Of the spring along every edge of a mesh; springs that a scene lists have 1/compliance.", 0.0}};
  for (ParameterInfo& info : cloth_collision::collision_parameters()) spec.push_back(std::move(info));
  return spec;
}

ClothOptions cloth_options(const Parameters& parameters) {
  ClothOptions options;
  options.substeps = int(parameters.integer("substeps"));
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.stretch_stiffness = parameters.real("stretch_stiffness_n_per_m");
  options.collisions = cloth_collision::collision_options(parameters);
  return options;
}

}  // namespace deformbench::cloth
