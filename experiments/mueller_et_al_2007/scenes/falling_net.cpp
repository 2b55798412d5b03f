// SPDX-License-Identifier: BSD-3-Clause
// A square net of particles with unequal masses that falls on a plane: small enough that another program can repeat
// every line of the algorithm. [MHHR07] §3.1
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_falling_net(const Parameters& p) {
  const int n = int(p.integer("particles_across"));
  const double spacing = p.real("spacing_m");
  Scene scene = particle_scene("falling_net", p, n * n);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  const auto at = [&](int i, int j) { return j * n + i; };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      scene.particles.rest_positions.row(at(i, j)) << spacing * i, 0.0, spacing * j;
      scene.particles.masses[at(i, j)] = random.uniform(0.2, 2.0);
    }
  scene.initial_positions = scene.particles.rest_positions + normal_points(p, 1, n * n, 0.05 * spacing);
  scene.initial_velocities = normal_points(p, 2, n * n, p.real("random_velocity_m_s"));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      if (i + 1 < n) add_link(scene, p, at(i, j), at(i + 1, j));
      if (j + 1 < n) add_link(scene, p, at(i, j), at(i, j + 1));
      if (i + 1 < n && j + 1 < n) add_link(scene, p, at(i, j), at(i + 1, j + 1));
    }
  if (p.flag("hung")) hold_particles(scene, {at(0, 0)});
  if (p.flag("floor")) {
    model::PlaneCollider floor;
    floor.offset = -p.real("height_m");
    floor.friction = p.real("friction");
    floor.restitution = p.real("restitution");
    scene.colliders.push_back(floor);
  }
  return scene;
}

}  // namespace

SceneDescriptor falling_net() {
  return {"falling_net", "A net of particles and distance constraints that falls on a plane.",
          particle_parameters(
              {0, -9.81, 0}, 0.01,
              link_parameters({count_parameter("particles_across", 4, 2, "Along both sides."),
                               positive_parameter("spacing_m", "m", 0.1, "Between neighbours."),
                               non_negative_parameter("random_velocity_m_s", "m/s", 0.3,
                                                      "Standard deviation of every component at the start."),
                               {"hung", "", false, "Whether one corner is held."},
                               {"floor", "", true, "Whether there is a plane below."},
                               positive_parameter("height_m", "m", 0.2, "Of the net above the plane."),
                               non_negative_parameter("friction", "1", 0.3, "Coefficient of the plane."),
                               non_negative_parameter("restitution", "1", 0.4, "Coefficient of the plane."),
                               seed_parameter("Seed of everything random.")})),
          build_falling_net};
}

}  // namespace deformbench::scenes
