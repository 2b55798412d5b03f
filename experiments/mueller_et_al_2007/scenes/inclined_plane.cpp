// SPDX-License-Identifier: BSD-3-Clause
// A particle on a slope with friction, at rest or sliding down: along (cos α, −sin α, 0) from the origin.
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_inclined_plane(const Parameters& p) {
  Scene scene = particle_scene("inclined_plane", p, 1);
  const double slope = radians(p.real("slope_deg"));
  scene.initial_velocities.resize(1, 3);
  scene.initial_velocities << p.real("speed_m_s") * std::cos(slope), -p.real("speed_m_s") * std::sin(slope), 0.0;
  model::PlaneCollider plane;
  plane.normal = {std::sin(slope), std::cos(slope), 0.0};
  plane.friction = p.real("friction");
  scene.colliders.push_back(plane);
  return scene;
}

}  // namespace

SceneDescriptor inclined_plane() {
  ParameterInfo slope = non_negative_parameter("slope_deg", "deg", 30.0, "Angle of the plane.");
  slope.maximum = 89.0;
  return {"inclined_plane", "A particle on a slope with friction.",
          particle_parameters({0, -9.81, 0}, 0.01,
                              {slope, non_negative_parameter("friction", "1", 0.5, "Coefficient of the plane."),
                               real_parameter("speed_m_s", "m/s", 0.0, "At the start, downhill.")}),
          build_inclined_plane};
}

}  // namespace deformbench::scenes
