// SPDX-License-Identifier: BSD-3-Clause
// A free block that starts in rigid motion v + ω × x. For linear FEM the spin is a straight-line motion that
// costs no energy, V/V0 = 1 + (ωt)² (references C.3).
#include <Eigen/Geometry>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_list.hpp"

namespace deformbench::scenes {

harness::SceneDescriptor spinning_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 0.2;
  return {"spinning_block", "A free block that starts to spin about its centre, without gravity.",
          block_parameters(
              defaults,
              {vector_parameter("angular_velocity_rad_s", "rad/s", {0, 0, 5}, "Initial angular velocity."),
               vector_parameter("velocity_m_s", "m/s", {0, 0, 0}, "Initial velocity of the centre.")}),
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
            return scene;
          }};
}

}  // namespace deformbench::scenes
