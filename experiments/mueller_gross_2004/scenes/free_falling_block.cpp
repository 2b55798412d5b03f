// SPDX-License-Identifier: BSD-3-Clause
// A free block under gravity, at rest or with random velocities: only gravity may change the momentum (erratum
// B-IVM-15). Optionally above a plane.
#include <Eigen/Geometry>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor free_falling_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 0.2;
  defaults.cells_across = 4;
  return {
      "free_falling_block", "A free block under gravity, with random initial velocities if wanted.",
      block_parameters(
          defaults, {vector_parameter("gravity_m_s2", "m/s^2", {0, -9.81, 0}, "Acceleration of gravity."),
                     vector_parameter("velocity_m_s", "m/s", {0, 0, 0}, "Initial velocity of every vertex."),
                     non_negative_parameter("random_velocity_m_s", "m/s", 0.0,
                                            "Standard deviation of a random velocity added to every component."),
                     choice_parameter("ground", "none", {"none", "plane"}, "Whether there is a plane below the block."),
                     non_negative_parameter("ground_distance_m", "m", 0.5, "Distance of the plane below the block."),
                     real_parameter("ground_tilt_deg", "deg", 0.0, "Tilt of plane and block about z."),
                     non_negative_parameter("friction", "1", 0.0, "Coulomb's coefficient of the plane.")}),
      [](const Parameters& p) {
        Scene scene = build_block("free_falling_block", p, BlockPlace::CentredAtOrigin);
        scene.gravity = vector_of(p, "gravity_m_s2");
        const Eigen::Index vertices = scene.tet_mesh.vertex_count();
        scene.initial_velocities = normal_points(p, 1, vertices, p.real("random_velocity_m_s"));
        scene.initial_velocities.rowwise() += vector_of(p, "velocity_m_s").transpose();
        if (p.text("ground") == "plane") {
          const Matrix3 tilt =
              Eigen::AngleAxisd(radians(p.real("ground_tilt_deg")), Vector3::UnitZ()).toRotationMatrix();
          scene.tet_mesh.rest_positions *= tilt.transpose();
          model::PlaneCollider ground;
          ground.normal = tilt * Vector3::UnitY();
          ground.offset = -0.5 * p.real("side_m") - p.real("ground_distance_m");
          ground.friction = p.real("friction");
          scene.colliders.push_back(ground);
        }
        return scene;
      }};
}

}  // namespace deformbench::scenes
