// SPDX-License-Identifier: BSD-3-Clause
// A square cloth that starts level and swings down from two corners of one side, which may be jerked upwards.
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_jerked_cloth(const Parameters& p) {
  Scene scene = cloth_hung_by_corners("jerked_cloth", p);
  // Both corners move alike, so that their momentum transfer determines their work.
  model::PrescribedMotion& jerk = scene.prescribed.back();
  jerk.translation = {0.0, p.real("jerk_m"), 0.0};
  jerk.ramp.start = p.real("jerk_start_s");
  jerk.ramp.end = jerk.ramp.start + p.real("jerk_duration_s");
  disturb_start(scene, p);
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor jerked_cloth() {
  ClothDefaults defaults;
  defaults.friction = 0.0;
  defaults.start_noise = 0.0;
  return {"jerked_cloth", "A square cloth that swings down from two corners, which may be jerked upwards.",
          square_parameters(defaults, 20,
                            {real_parameter("jerk_m", "m", 0.0, "Way of both corners, upwards."),
                             non_negative_parameter("jerk_start_s", "s", 0.8, "When it begins."),
                             positive_parameter("jerk_duration_s", "s", 0.1, "How long it takes.")}),
          build_jerked_cloth};
}

}  // namespace deformbench::scenes
