// SPDX-License-Identifier: BSD-3-Clause
// A bar fixed at x = 0, its free end suddenly loaded along x: a stress wave runs to the wall and is doubled there
// (closed form `step_load_on_bar`).
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor step_load_bar() {
  BlockDefaults defaults;
  defaults.side = 0.04;
  defaults.poisson_ratio = 0.0;
  defaults.time_step = 0.001;
  return {"step_load_bar", "A bar fixed at x = 0 with a sudden axial traction on the other end, released if wanted.",
          block_parameters(
              defaults,
              {real_parameter("traction_pa", "Pa", 1000.0, "Axial traction on the tip face, pulling if positive."),
               non_negative_parameter("ramp_s", "s", 0.0, "Time over which it grows; 0: at once."),
               non_negative_parameter("hold_s", "s", 0.0, "Steps that end by then feel it; 0: all do.")}),
          [](const Parameters& p) {
            Scene scene = build_block("step_load_bar", p);
            hold(scene, "root");
            const double area = p.real("side_m") * p.real("side_m");
            load_tip(scene, p, Vector3(p.real("traction_pa") * area, 0, 0), p.real("ramp_s"), p.real("hold_s"));
            return scene;
          }};
}

}  // namespace deformbench::scenes
