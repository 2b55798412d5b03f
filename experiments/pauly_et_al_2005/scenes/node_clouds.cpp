// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"

#include <algorithm>
#include <cmath>

#include "methods/model/rigid_body.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {

ParameterSpec cloud_parameters(const CloudDefaults& defaults) {
  ParameterInfo across{"nodes_across", "1", static_cast<long long>(defaults.nodes_across),
                       "Nodes along y and along z; as many along x as keep the cells nearest to cubes."};
  across.minimum = 1;
  ParameterInfo jitter = non_negative_parameter(
      "jitter", "1", defaults.jitter, "Largest random displacement of a node along each axis, in node spacings.");
  jitter.maximum = 0.5;
  return {
      positive_parameter("length_m", "m", defaults.length, "Extent along x."),
      positive_parameter("side_m", "m", defaults.side, "Extent along y and z."),
      across,
      jitter,
      seed_parameter("Seed of everything random in the scene."),
      positive_parameter("support_ratio", "1", 2.2, "Support h of a node over the node spacing."),
      vector_parameter("gravity_m_s2", "m/s^2", Vector3::Zero(), "Acceleration of gravity."),
      positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."),
      poisson_parameter(0.33),
      positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
      positive_parameter("time_step_s", "s", defaults.time_step, "Time step."),
  };
}

model::TriangleMesh box_surface(const Vector3& low, const Vector3& high) {
  model::TriangleMesh box;
  box.positions.resize(8, 3);
  for (int k = 0; k < 8; ++k)
    for (int c = 0; c < 3; ++c) box.positions(k, c) = (k >> c & 1) != 0 ? high[c] : low[c];
  box.triangles.resize(12, 3);
  box.triangles << 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3,
      7, 5;
  return box;
}

Scene build_node_block(const std::string& name, const Parameters& parameters) {
  const double length = parameters.real("length_m"), side = parameters.real("side_m");
  const auto across = int(parameters.integer("nodes_across"));
  const int along = std::max(1, int(std::lround(length / side * across)));
  const Vector3 spacing(length / along, side / across, side / across), low(0.0, -0.5 * side, -0.5 * side);

  Scene scene;
  scene.name = name;
  scene.gravity = vector_of(parameters, "gravity_m_s2");
  scene.materials = {material_of(parameters)};
  scene.time_step = parameters.real("time_step_s");
  scene.skin = box_surface(low, low + Vector3(length, side, side));

  const Eigen::Index count = Eigen::Index(along) * across * across;
  auto& nodes = scene.particles;
  nodes.rest_positions.resize(count, 3);
  numerics::RandomStream random(std::uint64_t(parameters.integer("seed")));
  const double jitter = parameters.real("jitter");
  Eigen::Index row = 0;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j)
      for (int k = 0; k < across; ++k, ++row) {
        const Vector3 cell(i + 0.5, j + 0.5, k + 0.5);
        for (int c = 0; c < 3; ++c)
          nodes.rest_positions(row, c) = low[c] + spacing[c] * (cell[c] + jitter * random.uniform(-1.0, 1.0));
        if (i == 0) scene.vertex_sets["root"].push_back(int(row));
        if (i == along - 1) scene.vertex_sets["tip"].push_back(int(row));
      }
  nodes.masses.setConstant(count, scene.materials[0].density * length * side * side / double(count));
  nodes.supports.setConstant(count, parameters.real("support_ratio") * spacing.maxCoeff());
  return scene;
}

}  // namespace deformbench::scenes
