// SPDX-License-Identifier: BSD-3-Clause
// A block under stress with a closed surface inside, a sphere or a torus: the surface must be cut with the block and
// stay closed ([MG04] §5.2). Random velocities give every seed a different fracture. The paper's assumptions can be
// violated on purpose: the surface may stick out of the mesh, have a hole or a fin, or be inside out.
#include "experiments/mueller_gross_2004/scenes/flaws.hpp"
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/boundary_surface.hpp"

namespace deformbench::scenes {
namespace {

/// Adds a third triangle to an edge, with a new vertex inside the surface.
void add_fin(model::TriangleMesh& mesh) {
  const Eigen::Index vertex = mesh.vertex_count(), triangle = mesh.triangle_count();
  const Eigen::RowVector3i base = mesh.triangles.row(0);
  const Eigen::RowVector3d middle = 0.5 * (mesh.positions.row(base[0]) + mesh.positions.row(base[1]));
  mesh.positions.conservativeResize(vertex + 1, Eigen::NoChange);
  mesh.positions.row(vertex) = 0.9 * middle + 0.1 * mesh.positions.topRows(vertex).colwise().mean();
  mesh.triangles.conservativeResize(triangle + 1, Eigen::NoChange);
  mesh.triangles.row(triangle) << base[0], base[1], int(vertex);
}

model::TriangleMesh skin_of(const Parameters& p, const model::TetMesh& block) {
  if (p.text("skin") == "block") return model::boundary_surface(block).surface;
  const double radius = p.real("skin_radius_m");
  const int level = int(p.integer("skin_level"));
  model::TriangleMesh mesh =
      p.text("skin") == "sphere"
          ? icosphere(radius, level)
          : torus(radius - p.real("tube_radius_m"), p.real("tube_radius_m"), 9 << (level - 1), 9 << (level - 2));
  if (p.flag("skin_open")) mesh.triangles = mesh.triangles.topRows(mesh.triangles.rows() - 1).eval();
  if (p.flag("skin_fin")) add_fin(mesh);
  if (p.flag("skin_inside_out")) mesh.triangles.col(1).swap(mesh.triangles.col(2));
  mesh.positions.rowwise() += vector_of(p, "skin_offset_m").transpose();
  return mesh;
}

}  // namespace

SceneDescriptor skinned_block() {
  BlockDefaults defaults;
  defaults.side = 1.0;
  defaults.cells_across = 4;
  defaults.split = "kuhn_six";
  ParameterInfo level{"skin_level", "1", 4LL, "Fineness n: about 20·4ⁿ triangles."};
  level.minimum = 2;
  level.maximum = 7;
  ParameterSpec own = stress_parameters();
  own.push_back(choice_parameter("skin", "sphere", {"sphere", "torus", "block"},
                                 "Surface in the middle of the block, or the block's own boundary."));
  own.push_back(level);
  own.push_back(positive_parameter("skin_radius_m", "m", 0.45, "Largest distance of the surface from its centre."));
  own.push_back(positive_parameter("tube_radius_m", "m", 0.14, "Radius of the tube of a torus."));
  own.push_back(vector_parameter("skin_offset_m", "m", {0, 0, 0}, "Shift of the surface; it may then leave the mesh."));
  own.push_back({"skin_open", "", false, "Leave out one triangle of the surface."});
  own.push_back({"skin_fin", "", false, "Put a third triangle on one edge of the surface."});
  own.push_back({"skin_inside_out", "", false, "Turn every triangle of the surface round."});
  own.push_back(
      non_negative_parameter("random_velocity_m_s", "m/s", 0.0, "Standard deviation of every velocity component."));
  return {"skinned_block", "A free block under stress with a sphere or a torus embedded in it.",
          block_parameters(defaults, std::move(own)), [](const Parameters& p) {
            Scene scene = build_block("skinned_block", p, BlockPlace::CentredAtOrigin);
            scene.skin = skin_of(p, scene.tet_mesh);
            if (p.real("random_velocity_m_s") > 0)
              scene.initial_velocities =
                  normal_points(p, 1, scene.tet_mesh.vertex_count(), p.real("random_velocity_m_s"));
            stress_faces(scene, p, 0.0);
            return scene;
          }};
}

}  // namespace deformbench::scenes
