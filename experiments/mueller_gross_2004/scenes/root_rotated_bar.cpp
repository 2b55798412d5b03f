// SPDX-License-Identifier: BSD-3-Clause
// [MG04] Fig. 1 reduced to its cause: the root face is turned by an angle and the rest follows freely.
// Linear FEM then swells by 1 + sin²θ far from the root (closed form `volume_of_rotated_linear_fem`).
#include <Eigen/Geometry>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor root_rotated_bar() {
  BlockDefaults defaults;
  defaults.length = 0.8;
  return {"root_rotated_bar", "A bar whose root face is turned about its own centre; the rest is free.",
          block_parameters(
              defaults, {real_parameter("angle_deg", "deg", 90.0, "Angle of the root face."),
                         vector_parameter("axis", "1", {0, 0, 1}, "Axis of the rotation; its length does not matter."),
                         non_negative_parameter("ramp_s", "s", 0.0, "Time over which the root turns; 0: at once."),
                         choice_parameter("start", "rest", {"rest", "rotated"},
                                          "Start from the rest shape, or from the whole bar turned rigidly.")}),
          [](const Parameters& p) {
            Scene scene = build_block("root_rotated_bar", p);
            model::PrescribedMotion turned;
            turned.vertices = scene.vertex_sets.at("root");
            turned.axis = vector_of(p, "axis").normalized();
            turned.angle = radians(p.real("angle_deg"));
            turned.ramp = ramp_over(p.real("ramp_s"));
            if (p.text("start") == "rotated") {
              const Matrix3 rotation = Eigen::AngleAxisd(turned.angle, turned.axis).toRotationMatrix();
              scene.initial_positions = scene.tet_mesh.rest_positions * rotation.transpose();
            }
            scene.prescribed.push_back(std::move(turned));
            return scene;
          }};
}

}  // namespace deformbench::scenes
