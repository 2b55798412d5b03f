// SPDX-License-Identifier: BSD-3-Clause
// Adjacent patches of a cylinder, a sphere or a saddle. Each maps the same flat mesh, turned by another angle,
// conformally to the surface: hinges with zero rest angle then measure its bending.
#include <cmath>
#include <numbers>

#include "experiments/cs533d_cloth_lecture/scenes/flat_meshes.hpp"
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Principal curvatures (1/R, 0); (1/R, 1/R) by stereographic projection; ±1/R at the centre of Enneper's minimal
/// surface.
Vector3 on_surface(const std::string& surface, double u, double v, double radius) {
  if (surface == "cylinder") return {radius * std::sin(u / radius), v, radius * (1.0 - std::cos(u / radius))};
  const double scale = 2.0 * radius, p = u / scale, q = v / scale;
  if (surface == "sphere") {
    const double squared = p * p + q * q;
    return {u / (1.0 + squared), v / (1.0 + squared), scale * squared / (1.0 + squared)};
  }
  return {scale * (p - p * p * p / 3.0 + p * q * q), scale * (q - q * q * q / 3.0 + q * p * p),
          scale * (p * p - q * q)};
}

Scene build_curved_patches(const Parameters& p) {
  Scene scene;
  scene.name = "curved_patches";
  const double spacing = p.real("spacing_m"), radius = p.real("radius_m");
  const int side = int(p.integer("vertices_along")), count = int(p.integer("patches"));
  for (int patch = 0; patch < count; ++patch) {
    model::TriangleMesh mesh =
        flat_mesh(p.text("mesh"), side, side, spacing, std::uint64_t(p.integer("seed")) * 1000 + std::uint64_t(patch));
    const double angle = std::numbers::pi * patch / count, c = std::cos(angle), s = std::sin(angle);
    for (Eigen::Index i = 0; i < mesh.positions.rows(); ++i) {
      const double u = mesh.positions(i, 0), v = mesh.positions(i, 1);
      const Vector3 place = on_surface(p.text("surface"), c * u - s * v, s * u + c * v, radius);
      mesh.positions.row(i) = place.transpose() + Eigen::RowVector3d(p.real("apart_m") * patch, 0, 0);
    }
    add_cloth(scene, mesh);
  }
  scene.cloth.area_density = p.real("area_density_kg_m2");
  scene.time_step = p.real("time_step_s");
  return scene;
}

}  // namespace

SceneDescriptor curved_patches() {
  return {"curved_patches",
          "Patches of a curved surface with a mesh that is turned from one to the next.",
          {choice_parameter("surface", "cylinder", {"cylinder", "sphere", "saddle"}, "What they are patches of."),
           choice_parameter("mesh", "equilateral", {"equilateral", "right", "jittered", "delaunay"},
                            "Of the plane, before it is mapped."),
           positive_parameter("spacing_m", "m", 0.02, "Distance of neighbours in the plane."),
           positive_parameter("radius_m", "m", 1.0, "Of curvature; of a saddle in its middle."),
           count_parameter("vertices_along", 40, 3, "Vertices along a side."),
           count_parameter("patches", 12, 1, "Patches; the mesh of patch k is turned by k/n of half a turn."),
           positive_parameter("apart_m", "m", 10.0, "Distance of the patches' middles along x."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 1.0, "Mass per area."),
           positive_parameter("time_step_s", "s", 1e-9, "Time step."), seed_parameter("Seed of irregular meshes.")},
          build_curved_patches};
}

}  // namespace deformbench::scenes
