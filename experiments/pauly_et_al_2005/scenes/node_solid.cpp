// SPDX-License-Identifier: BSD-3-Clause
// A cube and round solids, some with a hole or a cavity, sampled by nodes on a cubic lattice, for crack tests.
// [PKAGDG05]
#include <cmath>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// Approximate signed distance to the surface, m, negative inside.
double distance(const std::string& shape, double radius, double inner, const Vector3& x) {
  if (shape == "cube") return x.cwiseAbs().maxCoeff() - radius;
  if (shape == "torus") return std::hypot(std::hypot(x[0], x[1]) - radius, x[2]) - inner;
  if (shape == "shell") return std::max(x.norm() - radius, inner - x.norm());
  return x.norm() - radius;
}

model::TriangleMesh surface(const std::string& shape, double radius, double inner) {
  if (shape == "cube") return box_surface(Vector3::Constant(-radius), Vector3::Constant(radius));
  if (shape == "torus") return torus(radius, inner, 96, 48);
  model::TriangleMesh outer = icosphere(radius, 4);
  if (shape != "shell") return outer;
  model::TriangleMesh cavity = icosphere(inner, 4);
  cavity.triangles.col(1).swap(cavity.triangles.col(2));
  const Eigen::Index n = outer.positions.rows(), m = outer.triangles.rows();
  outer.positions.conservativeResize(n + cavity.positions.rows(), 3);
  outer.positions.bottomRows(cavity.positions.rows()) = cavity.positions;
  outer.triangles.conservativeResize(m + cavity.triangles.rows(), 3);
  outer.triangles.bottomRows(cavity.triangles.rows()) = cavity.triangles.array() + int(n);
  return outer;
}

Scene build(const Parameters& p) {
  const std::string& shape = p.text("shape");
  const double radius = p.real("radius_m"), inner = p.real("inner_radius_m"), spacing = p.real("spacing_m");
  if ((shape == "torus" || shape == "shell") && inner >= radius)
    throw InputError("scene node_solid: inner_radius_m must be less than radius_m");
  Scene scene;
  scene.name = "node_solid";
  scene.materials = {material_of(p)};
  scene.time_step = p.real("time_step_s");
  scene.skin = surface(shape, radius, inner);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  const double jitter = p.real("jitter"), reach = shape == "torus" ? radius + inner : radius;
  const int half = int(std::ceil(reach / spacing));
  std::vector<Vector3> nodes;
  for (int i = -half; i < half; ++i)
    for (int j = -half; j < half; ++j)
      for (int k = -half; k < half; ++k) {
        const Vector3 centre = spacing * Vector3(i + 0.5, j + 0.5, k + 0.5);
        Vector3 x = centre;
        for (int c = 0; c < 3; ++c) x[c] += jitter * spacing * random.uniform(-1.0, 1.0);
        // The same number of nodes for every seed, with clearance to the surface: nodes that would leave the body
        // stay in place.
        const double margin = -0.05 * spacing;
        if (distance(shape, radius, inner, centre) > margin) continue;
        nodes.push_back(distance(shape, radius, inner, x) > margin ? centre : x);
      }
  const auto count = Eigen::Index(nodes.size());
  scene.particles.rest_positions.resize(count, 3);
  for (Eigen::Index i = 0; i < count; ++i) scene.particles.rest_positions.row(i) = nodes[std::size_t(i)];
  scene.particles.masses.setConstant(count, scene.materials[0].density * spacing * spacing * spacing);
  scene.particles.supports.setConstant(count, p.real("support_ratio") * spacing);
  scene.initial_velocities = p.real("expansion_1_s") * scene.particles.rest_positions;
  return scene;
}

}  // namespace

SceneDescriptor node_solid() {
  return {
      "node_solid",
      "A ball, a cube, a torus or a hollow ball of nodes on a jittered cubic lattice, with its surface as skin.",
      {
          {.name = "shape",
           .unit = "",
           .default_value = std::string("ball"),
           .doc = "The solid; a shell is a hollow ball.",
           .choices = {"ball", "cube", "torus", "shell"}},
          positive_parameter(
              "radius_m", "m", 0.5,
              "Radius of the ball; half the side of the cube; radius of the circle in the middle of a torus."),
          positive_parameter("inner_radius_m", "m", 0.2, "Radius of the cavity of a shell, or of the tube of a torus."),
          positive_parameter("spacing_m", "m", 0.1, "Node spacing."),
          non_negative_parameter("jitter", "1", 0.3,
                                 "Largest random displacement of a node along each axis, in spacings."),
          seed_parameter("Seed of the displacements."),
          positive_parameter("support_ratio", "1", 2.2, "Support h of a node over the spacing."),
          positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."),
          poisson_parameter(0.33),
          positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
          positive_parameter("time_step_s", "s", 1e-3, "Time step."),
          {"expansion_1_s", "1/s", 0.0, "Velocity at the start over the distance from the centre, outwards."},
      },
      build};
}

}  // namespace deformbench::scenes
