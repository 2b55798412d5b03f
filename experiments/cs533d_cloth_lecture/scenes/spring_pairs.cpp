// SPDX-License-Identifier: BSD-3-Clause
// Separate springs at random places between vertices of different masses and random velocities: the effect of one
// strain-limit visit on a single spring.
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_spring_pairs(const Parameters& p) {
  const int count = int(p.integer("springs"));
  const double length = p.real("length_m"), speed = p.real("speed_m_s"), strain = p.real("largest_strain");
  Scene scene = particle_scene("spring_pairs", p, 2 * count);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  scene.initial_velocities.resize(2 * count, 3);
  std::vector<int> held;
  for (int i = 0; i < count; ++i) {
    const int a = 2 * i, b = a + 1;
    const Vector3 from = length * random.direction();
    scene.particles.rest_positions.row(a) = from;
    scene.particles.rest_positions.row(b) = from + length * random.uniform(0.5, 1.5) * random.direction();
    for (const int vertex : {a, b}) {
      scene.particles.masses[vertex] = std::pow(10.0, random.uniform(-2.0, 2.0));
      scene.initial_velocities.row(vertex) = speed * random.uniform() * random.direction();
    }
    model::PositionConstraint spring;
    spring.vertices = {a, b, -1, -1};
    spring.rest_value = (scene.particles.rest_positions.row(b) - scene.particles.rest_positions.row(a)).norm() /
                        (1.0 + random.uniform(-strain, strain));
    spring.compliance = 1.0 / p.real("stiffness_n_per_m");
    scene.constraints.push_back(spring);
    if (i % 4 == 3) {
      held.push_back(a);
      scene.initial_velocities.row(a).setZero();
    }
  }
  if (!held.empty()) hold_particles(scene, held);
  return scene;
}

}  // namespace

SceneDescriptor spring_pairs() {
  return {
      "spring_pairs", "Separate springs in space whose ends fly in any direction.",
      particle_parameters(Vector3::Zero(), 0.01,
                          {count_parameter("springs", 100, 1, "How many; of every fourth the first vertex is held."),
                           positive_parameter("length_m", "m", 0.1, "Start lengths are 0.5 to 1.5 times this."),
                           non_negative_parameter("speed_m_s", "m/s", 1.0, "Of the fastest vertex at the start."),
                           non_negative_parameter("largest_strain", "1", 0.3,
                                                  "Strains at the start are within ± this, which is below 1."),
                           positive_parameter("stiffness_n_per_m", "N/m", 1e-3, "Of every spring."),
                           seed_parameter("Seed of everything random.")}),
      build_spring_pairs};
}

}  // namespace deformbench::scenes
