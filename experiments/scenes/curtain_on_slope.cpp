// SPDX-License-Identifier: BSD-3-Clause
// A square cloth that starts level, held at two corners of its upper side, and swings down onto a slope with friction.
#include <cmath>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_curtain_on_slope(const Parameters& p) {
  Scene scene = cloth_hung_by_corners("curtain_on_slope", p);
  const double slope = radians(p.real("slope_deg"));
  model::PlaneCollider plane;  // slopes down towards −z, `gap` below the held corners
  plane.normal = {0.0, std::cos(slope), -std::sin(slope)};
  plane.offset = -p.real("gap_m") * std::cos(slope);
  plane.friction = p.real("friction");
  scene.colliders.push_back(plane);
  disturb_start(scene, p);
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor curtain_on_slope() {
  ClothDefaults defaults;
  defaults.friction = 0.3;
  defaults.start_noise = 0.0;
  ParameterInfo slope = non_negative_parameter("slope_deg", "deg", 40.0, "Angle of the plane.");
  slope.maximum = 89.0;
  return {
      "curtain_on_slope", "A square cloth, held at two corners, that swings down onto a slope.",
      square_parameters(defaults, 20,
                        {slope, positive_parameter("gap_m", "m", 0.02, "Height of the held corners above the plane.")}),
      build_curtain_on_slope};
}

}  // namespace deformbench::scenes
