// SPDX-License-Identifier: BSD-3-Clause
// A particle on a distance constraint to a held one, released at an angle from the vertical.
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_pendulum(const Parameters& p) {
  Scene scene = particle_scene("pendulum", p, 2);
  const double angle = radians(p.real("amplitude_deg")), length = p.real("length_m");
  scene.particles.rest_positions.row(1) << length * std::sin(angle), -length * std::cos(angle), 0.0;
  scene.particles.masses *= p.real("mass_kg");
  add_link(scene, p, 0, 1);
  scene.constraints.back().rest_value = length;
  hold_particles(scene, {0});
  return scene;
}

}  // namespace

SceneDescriptor pendulum() {
  ParameterInfo amplitude =
      non_negative_parameter("amplitude_deg", "deg", 60.0, "Angle from the vertical at the start.");
  amplitude.maximum = 179.0;
  return {
      "pendulum", "A particle on a distance constraint, let go at an angle.",
      particle_parameters({0, -9.81, 0}, 0.01,
                          link_parameters({positive_parameter("length_m", "m", 1.0, "Of the constraint."), amplitude,
                                           positive_parameter("mass_kg", "kg", 1.0, "Of the particle.")})),
      build_pendulum};
}

}  // namespace deformbench::scenes
