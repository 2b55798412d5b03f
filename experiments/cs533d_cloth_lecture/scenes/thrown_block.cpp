// SPDX-License-Identifier: BSD-3-Clause
// A free block of tetrahedra that flies against the floor y = 0, flat or tilted.
#include <Eigen/Geometry>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_thrown_block(const Parameters& p) {
  Scene scene = build_block("thrown_block", p, BlockPlace::CentredAtOrigin);
  const Matrix3 turn = (Eigen::AngleAxisd(radians(p.real("tilt_deg")), Vector3::UnitZ()) *
                        Eigen::AngleAxisd(radians(p.real("roll_deg")), Vector3::UnitX()))
                           .toRotationMatrix();
  scene.initial_positions = scene.rest_positions() * turn.transpose();
  scene.initial_positions.col(1).array() -= scene.initial_positions.col(1).minCoeff();
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  scene.initial_velocities.col(0).setConstant(p.real("slide_m_s"));
  scene.initial_velocities.col(1).setConstant(-p.real("speed_m_s"));
  model::PlaneCollider floor;
  floor.restitution = p.real("restitution");
  scene.colliders.push_back(floor);
  return scene;
}

}  // namespace

SceneDescriptor thrown_block() {
  BlockDefaults defaults;
  defaults.length = 1.0;
  defaults.side = 1.0;
  defaults.poisson_ratio = 0.3;
  ParameterInfo restitution = non_negative_parameter("restitution", "1", 0.0, "Of a vertex on the floor.");
  restitution.maximum = 1.0;
  return {
      "thrown_block", "A free block that flies against a floor.",
      block_parameters(defaults, {non_negative_parameter("speed_m_s", "m/s", 0.1, "Towards the floor."),
                                  real_parameter("slide_m_s", "m/s", 0.0, "Along the floor."),
                                  real_parameter("tilt_deg", "deg", 0.0, "About z."),
                                  real_parameter("roll_deg", "deg", 0.0, "About x, before the tilt."), restitution}),
      build_thrown_block};
}

}  // namespace deformbench::scenes
