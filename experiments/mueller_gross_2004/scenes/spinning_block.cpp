// SPDX-License-Identifier: BSD-3-Clause
// A free block that starts in rigid motion v + ω × x. For linear FEM the spin is a straight-line motion that
// costs no energy, V/V0 = 1 + (ωt)² (closed form `free_spin_of_linear_fem`). With a held face and gravity: a block
// thrown at its support, or loaded suddenly by its weight; only gravity does work.
#include <Eigen/Geometry>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor spinning_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 0.2;
  return {"spinning_block", "A block that starts to spin about its centre or to fly; free, or held by a face.",
          block_parameters(defaults,
                           {vector_parameter("angular_velocity_rad_s", "rad/s", {0, 0, 5}, "Initial angular velocity."),
                            vector_parameter("velocity_m_s", "m/s", {0, 0, 0}, "Initial velocity of the centre."),
                            vector_parameter("gravity_m_s2", "m/s^2", {0, 0, 0}, "Acceleration of gravity."),
                            choice_parameter("held", "none", {"none", "root"}, "Which end face is fixed.")}),
          [](const Parameters& p) {
            Scene scene = build_block("spinning_block", p, BlockPlace::CentredAtOrigin);
            const Vector3 spin = vector_of(p, "angular_velocity_rad_s");
            const Vector3 velocity = vector_of(p, "velocity_m_s");
            const auto& rest = scene.tet_mesh.rest_positions;
            scene.initial_velocities.resize(rest.rows(), 3);
            for (Eigen::Index i = 0; i < rest.rows(); ++i) {
              const Vector3 x = rest.row(i);
              scene.initial_velocities.row(i) = velocity + spin.cross(x);
            }
            scene.gravity = vector_of(p, "gravity_m_s2");
            if (p.text("held") == "root") {
              hold(scene, "root");
              for (const int v : scene.vertex_sets.at("root")) scene.initial_velocities.row(v).setZero();
            }
            return scene;
          }};
}

}  // namespace deformbench::scenes
