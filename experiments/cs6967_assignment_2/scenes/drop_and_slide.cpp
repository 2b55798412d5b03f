// SPDX-License-Identifier: BSD-3-Clause
// A free block, axis-aligned or turned at random, dropped on a plane, a ball or a box, which may move, or set on a
// slope (gravity is tilted, not the plane): contact of [CS6967] §2.4. The obstacle's highest point starts at the
// origin.
#include <utility>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

void add_obstacle(Scene& scene, const Parameters& p) {
  const std::string kind = p.text("obstacle");
  if (kind == "none") return;
  if (kind == "plane") {
    model::PlaneCollider plane;
    plane.friction = p.real("friction");
    scene.colliders.push_back(plane);
    return;
  }
  model::RigidBody body;
  body.name = kind;
  body.velocity = vector_of(p, "obstacle_velocity_m_s");
  body.friction = p.real("friction");
  const double radius = p.real("obstacle_size_m");
  body.start.position = {0, -radius, 0};
  if (kind == "ball") body.shape.radius = radius;
  if (kind == "box") {
    body.shape.kind = model::ShapeKind::Box;
    body.shape.half_extents.setConstant(radius);
  }
  scene.rigid_bodies.push_back(std::move(body));
}

}  // namespace

SceneDescriptor drop_and_slide() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 0.2;
  return {"drop_and_slide", "A free block dropped on a plane, a ball or a box that may move, or set on a slope.",
          block_parameters(
              defaults,
              {vector_parameter("gravity_m_s2", "m/s^2", {0, -9.81, 0}, "Acceleration of gravity; tilted for a slope."),
               vector_parameter("velocity_m_s", "m/s", {0, 0, 0}, "Initial velocity of every vertex."),
               non_negative_parameter("height_m", "m", 0.1, "Of the lowest vertex above the obstacle at the start."),
               choice_parameter("turned", "none", {"none", "random"}, "Whether the block is turned at random first."),
               choice_parameter("obstacle", "plane", {"none", "plane", "ball", "box"},
                                "Its highest point is the origin, its upper side, if it is flat, is level."),
               positive_parameter("obstacle_size_m", "m", 0.5, "Radius of the ball, half an edge of the box."),
               vector_parameter("obstacle_velocity_m_s", "m/s", {0, 0, 0}, "Of the ball or box; planes stand still."),
               non_negative_parameter("friction", "1", 0.0, "Coulomb's coefficient of the obstacle.")}),
          [](const Parameters& p) {
            Scene scene = build_block("drop_and_slide", p, BlockPlace::CentredAtOrigin);
            scene.gravity = vector_of(p, "gravity_m_s2");
            Points& start = scene.initial_positions = scene.tet_mesh.rest_positions;
            if (p.text("turned") == "random")
              start *= numerics::RandomStream(std::uint64_t(p.integer("seed")), 2).rotation().transpose();
            start.col(1).array() += p.real("height_m") - start.col(1).minCoeff();
            scene.initial_velocities = vector_of(p, "velocity_m_s").transpose().replicate(start.rows(), 1);
            add_obstacle(scene, p);
            return scene;
          }};
}

}  // namespace deformbench::scenes
