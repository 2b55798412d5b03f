// SPDX-License-Identifier: BSD-3-Clause
// A free, spinning ring of particles and distance constraints (two particles: a dumbbell). The dumbbell's change of
// angular momentum by position based dynamics has a closed form (erratum B-PBD-5).
#include <cmath>
#include <numbers>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_spinning_ring(const Parameters& p) {
  const int count = int(p.integer("particles"));
  Scene scene = particle_scene("spinning_ring", p, count);
  Points& rest = scene.particles.rest_positions;
  const double radius = p.real("diameter_m") / 2, omega = p.real("angular_velocity_rad_s");
  scene.initial_velocities.resize(count, 3);
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    rest.row(i) << radius * std::cos(angle), radius * std::sin(angle), 0.0;
    scene.initial_velocities.row(i) << -omega * rest(i, 1), omega * rest(i, 0), 0.0;
  }
  scene.initial_velocities.rowwise() += vector_of(p, "velocity_m_s").transpose();
  scene.particles.masses *= p.real("mass_kg");
  for (int i = 0; i < (count == 2 ? 1 : count); ++i) add_link(scene, p, i, (i + 1) % count);
  return scene;
}

}  // namespace

SceneDescriptor spinning_ring() {
  return {"spinning_ring",
          "A free ring of particles and distance constraints that starts to spin; two particles are a dumbbell.",
          particle_parameters(
              Vector3::Zero(), 0.01,
              link_parameters({count_parameter("particles", 2, 2, "On the ring."),
                               positive_parameter("diameter_m", "m", 1.0, "Of the ring."),
                               positive_parameter("mass_kg", "kg", 1.0, "Of every particle."),
                               real_parameter("angular_velocity_rad_s", "rad/s", 5.0, "About the axis of the ring."),
                               vector_parameter("velocity_m_s", "m/s", {0.3, -0.2, 0.1}, "Of the centre.")})),
          build_spinning_ring};
}

}  // namespace deformbench::scenes
