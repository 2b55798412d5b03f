// SPDX-License-Identifier: BSD-3-Clause
// A free square cloth, level just above a resting ball, that falls over it.
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Bending springs between vertices two apart along and across, as explicit distance constraints of the scene, so
/// that all methods get the same ones.
void add_bend_springs(const Parameters& p, int n, Scene& scene) {
  const double stiffness = p.real("bend_spring_n_per_m");
  if (stiffness == 0.0) return;
  const auto add = [&](int a, int b) {
    model::PositionConstraint spring;
    spring.vertices = {a, b, -1, -1};
    spring.rest_value = (scene.cloth.rest_positions.row(a) - scene.cloth.rest_positions.row(b)).norm();
    spring.compliance = 1.0 / stiffness;
    spring.stiffness = p.real("bend_spring_share");
    scene.constraints.push_back(spring);
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i + 2 < n; ++i) {
      add(j * n + i, j * n + i + 2);
      add(i * n + j, (i + 2) * n + j);
    }
}

Scene build_draped_cloth(const Parameters& p) {
  Scene scene = empty_cloth_scene("draped_cloth", p);
  const int n = int(p.integer("vertices_across"));
  const double side = p.real("side_m"), half = 0.5 * side;
  add_cloth(scene, cloth_grid(n, n, {-half, p.real("gap_m"), half}, {side, 0, 0}, {0, 0, -side}));
  add_bend_springs(p, n, scene);
  model::RigidBody ball;  // its top at the origin
  ball.name = "ball";
  ball.shape.kind = model::ShapeKind::Sphere;
  ball.shape.radius = p.real("radius_m");
  ball.start.position = {0.0, -ball.shape.radius, 0.0};
  ball.friction = p.real("friction");
  scene.rigid_bodies.push_back(ball);
  disturb_start(scene, p);
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor draped_cloth() {
  ClothDefaults defaults;
  defaults.friction = 0.3;
  ParameterInfo share =
      non_negative_parameter("bend_spring_share", "1", 1.0, "k of these springs, of methods that know no stiffness.");
  share.maximum = 1.0;
  return {"draped_cloth", "A square cloth that falls over a ball.",
          square_parameters(defaults, 25,
                            {positive_parameter("radius_m", "m", 0.25, "Of the ball."),
                             positive_parameter("gap_m", "m", 0.01, "Between ball and cloth at the start."),
                             non_negative_parameter("bend_spring_n_per_m", "N/m", 0.0,
                                                    "Stiffness of springs between vertices two apart along the sides."),
                             share}),
          build_draped_cloth};
}

}  // namespace deformbench::scenes
