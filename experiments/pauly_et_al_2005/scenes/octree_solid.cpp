// SPDX-License-Identifier: BSD-3-Clause
// A solid sampled by the nodes of an octree. [PKAGDG05] §4
#include "experiments/pauly_et_al_2005/scenes/sampled_solids.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// Nodes in the first and last tenth of the length along x.
void set_ends(Scene& scene) {
  const auto x = scene.particles.rest_positions.col(0);
  const double low = scene.skin.positions.col(0).minCoeff(), high = scene.skin.positions.col(0).maxCoeff();
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (x[i] < low + 0.1 * (high - low)) scene.vertex_sets["root"].push_back(int(i));
    if (x[i] > high - 0.1 * (high - low)) scene.vertex_sets["tip"].push_back(int(i));
  }
}

Scene build_octree_solid(const Parameters& parameters) {
  Scene scene;
  scene.name = "octree_solid";
  scene.gravity = vector_of(parameters, "gravity_m_s2");
  scene.materials = {material_of(parameters)};
  scene.time_step = parameters.real("time_step_s");
  scene.skin = sampled_body(parameters.text("body"), parameters.real("length_m"), parameters.real("thickness_ratio"));
  const Matrix3 turn = parameters.flag("turned")
                           ? numerics::RandomStream(std::uint64_t(parameters.integer("seed"))).rotation()
                           : Matrix3(Matrix3::Identity());
  sample_skin(sampling_options(parameters), turn, scene.materials[0].density, scene);
  set_ends(scene);
  return scene;
}

}  // namespace

SceneDescriptor octree_solid() {
  ParameterSpec spec = {
      choice_parameter("body", "block", sampled_bodies(), "Which body."),
      positive_parameter("length_m", "m", 1.0, "Its longest extent."),
      positive_parameter("thickness_ratio", "1", 0.25,
                         "Thickness of slab and rod, diameter of the base of the spike and of the tube of the torus, "
                         "over the length."),
      ParameterInfo{"turned", "", true, "Whether the octree stands askew to the body, by a rotation from the seed."},
      seed_parameter("Seed of the rotation."),
      vector_parameter("gravity_m_s2", "m/s^2", Vector3::Zero(), "Acceleration of gravity."),
      positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."),
      poisson_parameter(0.33),
      positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
      positive_parameter("time_step_s", "s", 1e-3, "Time step."),
  };
  for (ParameterInfo& info : sampling_parameters()) spec.push_back(std::move(info));
  return {"octree_solid", "A free solid whose nodes are in the cells of an octree, fine at the surface.",
          std::move(spec), build_octree_solid};
}

}  // namespace deformbench::scenes
