// SPDX-License-Identifier: BSD-3-Clause
// Free particles with unequal masses and random velocities: damping must preserve rigid motion. [MHHR07] §3.5
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_particle_cloud(const Parameters& p) {
  const auto count = Eigen::Index(p.integer("particles"));
  Scene scene = particle_scene("particle_cloud", p, count);
  scene.particles.rest_positions = normal_points(p, 1, count, 0.5);
  scene.initial_velocities = normal_points(p, 2, count, 1.0);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")), 3);
  const Matrix3 turn = random.rotation();
  // 0.1 … 2 kg, spread by the golden ratio; equal for all seeds, because a trace stores the masses of one scene.
  for (Eigen::Index i = 0; i < count; ++i)
    scene.particles.masses[i] = 0.1 + 1.9 * std::fmod(0.6180339887498949 * double(i + 1), 1.0);
  Vector3 kept = Vector3::Ones();
  if (p.text("arrangement") == "plane") kept.z() = 0.0;
  if (p.text("arrangement") == "line") kept.y() = kept.z() = 0.0;
  if (p.text("arrangement") == "point") kept.setZero();
  scene.particles.rest_positions = scene.particles.rest_positions * kept.asDiagonal() * turn.transpose();
  scene.particles.rest_positions.rowwise() += Vector3(0.3, -0.2, 0.5).transpose();
  return scene;
}

}  // namespace

SceneDescriptor particle_cloud() {
  return {"particle_cloud", "Free particles with unequal masses and random velocities.",
          particle_parameters(Vector3::Zero(), 0.01,
                              {count_parameter("particles", 20, 1, "How many."),
                               choice_parameter("arrangement", "volume", {"volume", "plane", "line", "point"},
                                                "Where they are spread."),
                               seed_parameter("Seed of everything random.")}),
          build_particle_cloud};
}

}  // namespace deformbench::scenes
