// SPDX-License-Identifier: BSD-3-Clause
// The smallest cloth that bends: two triangles on an edge, flat or folded at rest, that start with in-plane strains,
// another fold, or both. [MHHR07] §4.1, Fig. 4
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// Edge (0, 1) along x from the origin; triangles (0, 2, 1), (0, 1, 3) with these feet and heights, folded by `fold`.
Points pair(double edge, double foot2, double height2, double foot3, double height3, double fold) {
  Points x(4, 3);
  x << 0, 0, 0, edge, 0, 0, foot2, height2, 0, foot3, -height3 * std::cos(fold), height3 * std::sin(fold);
  return x;
}

Scene build_triangle_pair(const Parameters& p) {
  Scene scene;
  scene.name = "triangle_pair";
  scene.time_step = p.real("time_step_s");
  scene.gravity = vector_of(p, "gravity_m_s2");
  scene.cloth.area_density = p.real("area_density_kg_m2");
  const double edge = p.real("edge_m"), height = p.real("height_m"), fold = p.real("rest_fold_rad");
  scene.cloth.rest_positions = pair(edge, edge / 2, height, edge / 2, height, fold);
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 2, 1, 0, 1, 3;
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  const double strain = p.real("in_plane_strain");
  const auto factor = [&] { return std::exp(random.uniform(-strain, strain)); };
  const double along = factor(), h2 = height * factor(), h3 = height * factor();
  const double shear2 = height * random.uniform(-strain, strain), shear3 = height * random.uniform(-strain, strain);
  scene.initial_positions = pair(along * edge, along * edge / 2 + shear2, h2, along * edge / 2 + shear3, h3,
                                 fold + p.real("fold_change_rad"));
  const Matrix3 turn = random.rotation();
  scene.initial_positions = scene.initial_positions * turn.transpose();
  if (p.flag("diagonal")) {
    model::PositionConstraint diagonal;
    diagonal.vertices = {2, 3, -1, -1};
    diagonal.rest_value = (scene.cloth.rest_positions.row(3) - scene.cloth.rest_positions.row(2)).norm();
    scene.constraints.push_back(diagonal);
  }
  return scene;
}

}  // namespace

SceneDescriptor triangle_pair() {
  return {"triangle_pair", "Two triangles of cloth across an edge, strained in their planes or folded at the start.",
          particle_parameters(
              Vector3::Zero(), 0.01,
              {positive_parameter("edge_m", "m", 0.1, "Shared edge."),
               positive_parameter("height_m", "m", 0.1, "Of both triangles over it."),
               positive_parameter("area_density_kg_m2", "kg/m^2", 0.2, "Mass per area."),
               real_parameter("rest_fold_rad", "rad", 0.0, "Dihedral angle at rest; 0 is flat."),
               real_parameter("fold_change_rad", "rad", 0.0, "Added to it at the start."),
               non_negative_parameter("in_plane_strain", "1", 0.0,
                                      "Largest log strain and shear, random, of each triangle in its plane."),
               {"diagonal", "", false,
                "A distance constraint between the vertices opposite to the edge, as other programs bend cloth."},
               seed_parameter("Seed of strain and orientation.")}),
          build_triangle_pair};
}

}  // namespace deformbench::scenes
