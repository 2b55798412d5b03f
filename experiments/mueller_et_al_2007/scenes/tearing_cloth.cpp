// SPDX-License-Identifier: BSD-3-Clause
// A hanging cloth of 52 × 82 vertices and 8262 triangles, torn open by an attached falling cube and then hit by a
// ball: [MHHR07] Figure 10. The threshold is a parameter of the method. Sizes, masses and times are our choice.
#include <fmt/format.h>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {
namespace {

Scene build_tearing_cloth(const Parameters& p) {
  Scene scene = empty_cloth_scene("tearing_cloth", p);
  const int columns = int(p.integer("columns")), rows = int(p.integer("rows"));
  const double edge = p.real("edge_m"), width = edge * (columns - 1), height = edge * (rows - 1);
  const double friction = p.real("friction"), gap = p.real("gap_m");
  const double bottom = p.real("height_m");
  // Upright in the plane z = 0.
  add_cloth(scene, cloth_grid(columns, rows, {-0.5 * width, bottom, 0}, {width, 0, 0}, {0, height, 0}));
  const Points& x = scene.cloth.rest_positions;
  std::vector<int> top;
  for (int i = 0; i < columns; ++i) top.push_back((rows - 1) * columns + i);
  hold_vertices(scene, "held", top);

  if (p.real("cube_mass_kg") > 0) {
    const double half = 0.5 * p.real("cube_side_m");
    model::RigidBody cube;
    cube.name = "cube";
    cube.shape.kind = model::ShapeKind::Box;
    cube.shape.half_extents.setConstant(half);
    cube.mass = p.real("cube_mass_kg");
    cube.start.position = Vector3(p.real("cube_x_m"), bottom + p.real("cube_place") * height, half + gap);
    cube.start_time = p.real("cube_start_s");
    cube.friction = friction;
    const int index = int(scene.rigid_bodies.size());
    scene.rigid_bodies.push_back(cube);
    std::vector<int> attached;
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if ((x.row(i).transpose() - cube.start.position).head<2>().cwiseAbs().maxCoeff() < 0.8 * half) {
        scene.attachments.push_back({int(i), index, true});
        attached.push_back(int(i));
      }
    if (attached.empty())
      throw InputError(
          fmt::format("scene tearing_cloth: no vertex behind the cube of side {} m, expected a larger one", 2 * half));
    scene.vertex_sets["attached"] = attached;
  }
  if (p.real("ball_mass_kg") > 0) {
    model::RigidBody ball;
    ball.name = "ball";
    ball.shape.kind = model::ShapeKind::Sphere;
    ball.shape.radius = p.real("ball_radius_m");
    ball.mass = p.real("ball_mass_kg");
    ball.start.position = vector_of(p, "ball_from_m");
    ball.velocity = vector_of(p, "ball_velocity_m_s");
    ball.start_time = p.real("ball_start_s");
    ball.friction = friction;
    scene.rigid_bodies.push_back(ball);
  }
  scene.colliders.push_back(floor_at(0.0, friction));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor tearing_cloth() {
  ClothDefaults defaults;
  return {
      "tearing_cloth", "A hanging cloth torn by a falling cube and a thrown ball ([MHHR07] Fig. 10).",
      cloth_parameters(
          defaults, {count_parameter("columns", 82, 2, "Vertices across."),
                     count_parameter("rows", 52, 2, "Vertices from bottom to top; the top row is held."),
                     positive_parameter("edge_m", "m", 0.02, "Length of the sides of the triangles along and across."),
                     positive_parameter("height_m", "m", 0.6, "Height of the lower border above the floor."),
                     non_negative_parameter("gap_m", "m", 0.005, "Distance of cloth and cube at the start."),
                     non_negative_parameter("cube_mass_kg", "kg", 2.0, "Mass of the attached cube; 0: none."),
                     positive_parameter("cube_side_m", "m", 0.2, "Its side."),
                     real_parameter("cube_x_m", "m", -0.3, "Its place across the cloth, from the middle."),
                     real_parameter("cube_place", "1", 0.7, "Its place from the lower border (0) to the upper (1)."),
                     non_negative_parameter("cube_start_s", "s", 0.3, "When it is let go."),
                     non_negative_parameter("ball_mass_kg", "kg", 3.0, "Mass of the thrown ball; 0: none."),
                     positive_parameter("ball_radius_m", "m", 0.12, "Its radius."),
                     vector_parameter("ball_from_m", "m", {0.4, 0.9, 2.0}, "Where it is thrown from."),
                     vector_parameter("ball_velocity_m_s", "m/s", {0, 1.5, -10}, "How it is thrown."),
                     non_negative_parameter("ball_start_s", "s", 1.5, "When it is thrown.")}),
      build_tearing_cloth};
}

}  // namespace deformbench::scenes
