// SPDX-License-Identifier: BSD-3-Clause
// A randomly turned sheet of cloth or block of tetrahedra that touches a ball with one vertex and flies against it.
#include <cmath>
#include <limits>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// Fall distance until the first vertex touches a ball at the origin, below the body.
double way_down(const Points& x, double radius) {
  double way = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double left = radius * radius - x(i, 0) * x(i, 0) - x(i, 2) * x(i, 2);
    if (left > 0.0) way = std::min(way, x(i, 1) - std::sqrt(left));
  }
  return way;
}

Scene build_thrown_at_ball(const Parameters& p) {
  Scene scene;
  scene.name = "thrown_at_ball";
  scene.time_step = p.real("time_step_s");
  const int cells = int(p.integer("cells"));
  const double side = p.real("side_m"), radius = p.real("radius_m"), half = 0.5 * side;
  if (p.text("body") == "sheet") {
    add_cloth(scene, cloth_grid(cells + 1, cells + 1, {-half, -half, 0}, {side, 0, 0}, {0, side, 0}));
    scene.cloth.area_density = p.real("area_density_kg_m2");
  } else {
    scene.tet_mesh = model::make_block({cells, cells, cells}, Vector3::Constant(-half), Vector3::Constant(side),
                                       model::BlockSplit::AlternatingFive);
    scene.materials = {material_of(p)};
  }
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  scene.initial_positions = scene.rest_positions() * random.rotation().transpose();
  scene.initial_positions.col(1).array() += radius + side;
  scene.initial_positions.col(1).array() -= way_down(scene.initial_positions, radius);
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  scene.initial_velocities.col(1).setConstant(-p.real("speed_m_s"));
  model::RigidBody ball;
  ball.name = "ball";
  ball.shape.kind = model::ShapeKind::Sphere;
  ball.shape.radius = radius;
  scene.rigid_bodies.push_back(ball);
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor thrown_at_ball() {
  return {"thrown_at_ball",
          "A sheet or a block, turned at random, that touches a ball with a vertex and flies against it.",
          {choice_parameter("body", "sheet", {"sheet", "block"}, "Square cloth, or a cube of tetrahedra."),
           count_parameter("cells", 59, 1, "Cells along a side."),
           positive_parameter("side_m", "m", 1.0, "Side of the body."),
           positive_parameter("radius_m", "m", 0.3, "Of the ball, whose middle is the origin."),
           positive_parameter("speed_m_s", "m/s", 0.01, "Downwards."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area of a sheet."),
           positive_parameter("young_modulus_pa", "Pa", 1e-6, "Of a block."), poisson_parameter(0.33),
           positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Of a block."),
           positive_parameter("time_step_s", "s", 0.01, "Time step."), bounded_parameter(),
           seed_parameter("Seed of the rotation.")},
          build_thrown_at_ball};
}

}  // namespace deformbench::scenes
