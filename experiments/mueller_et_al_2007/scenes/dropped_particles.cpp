// SPDX-License-Identifier: BSD-3-Clause
// Particles dropped from rest onto a plane from different heights, so that they arrive at all fractions of a time
// step.
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_dropped_particles(const Parameters& p) {
  const auto count = Eigen::Index(p.integer("particles"));
  Scene scene = particle_scene("dropped_particles", p, count);
  const double low = p.real("lowest_m"), high = p.real("highest_m");
  for (Eigen::Index i = 0; i < count; ++i)
    scene.particles.rest_positions.row(i) << 0.1 * double(i),
        low + (count == 1 ? 0.0 : (high - low) * double(i) / double(count - 1)), 0.0;
  model::PlaneCollider floor;
  floor.restitution = p.real("restitution");
  scene.colliders.push_back(floor);
  return scene;
}

}  // namespace

SceneDescriptor dropped_particles() {
  ParameterInfo restitution = non_negative_parameter("restitution", "1", 0.5, "Coefficient of the plane.");
  restitution.maximum = 1.0;
  return {"dropped_particles", "Particles dropped onto a plane, each from another height.",
          particle_parameters({0, -9.81, 0}, 0.01,
                              {count_parameter("particles", 401, 1, "How many heights."),
                               positive_parameter("lowest_m", "m", 0.5, "Lowest height."),
                               positive_parameter("highest_m", "m", 1.5, "Highest height."), restitution}),
          build_dropped_particles};
}

}  // namespace deformbench::scenes
