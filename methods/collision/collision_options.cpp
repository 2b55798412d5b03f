// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/collisions.hpp"

namespace deformbench::collision {
ParameterSpec collision_parameters() {
  const CollisionOptions defaults;
  return {
      choice_parameter(
          "collision_detection", "none", {"none", "proximity", "point_face", "edge_edge", "both"},
          "Which pairs of the surface are kept from meeting: none; those near each other at the start of a step, "
          "by repulsions alone; points and faces, edges and edges, or both along the way. [B05] §10"),
      {"collision_sweeps", "1", (long long)defaults.sweeps, "Sweeps of impulses in a step at most. [B05] §12", 0.0},
      choice_parameter("impact_zones", "rigid", {"none", "rigid", "affine"},
                       "Motion of regions whose collisions the sweeps have left. [B05] §12"),
      choice_parameter("collision_order", "forward", {"forward", "backward"},
                       "In which a sweep goes through the pairs."),
      {"repulsion_thickness_m", "m", defaults.thickness, "Below which layers repel each other; 0: never. [B05] §13",
       0.0},
      {"repulsion_thickness_errors", "1", defaults.thickness_errors,
       "More of that thickness, over the surface's error of geometry at the first step: the largest sagitta of an arc "
       "through two neighbouring triangles, h²/8R on a cylinder. [B05] §13",
       0.0},
      {"repulsion_stiffness_n_per_m", "N/m", defaults.stiffness, "Of the repulsions.", 0.0},
      {"collision_friction", "1", defaults.friction, "Coulomb's coefficient between layers.", 0.0}};
}

CollisionOptions collision_options(const Parameters& parameters) {
  CollisionOptions options;
  const std::string& detection = parameters.text("collision_detection");
  options.detection = detection == "none"         ? Detection::None
                      : detection == "proximity"  ? Detection::Proximity
                      : detection == "point_face" ? Detection::PointFace
                      : detection == "edge_edge"  ? Detection::EdgeEdge
                                                  : Detection::Both;
  options.sweeps = int(parameters.integer("collision_sweeps"));
  const std::string& zones = parameters.text("impact_zones");
  options.zones = zones == "none" ? ZoneMotion::None : zones == "rigid" ? ZoneMotion::Rigid : ZoneMotion::Affine;
  options.goes_backward = parameters.text("collision_order") == "backward";
  options.thickness = parameters.real("repulsion_thickness_m");
  options.thickness_errors = parameters.real("repulsion_thickness_errors");
  options.stiffness = parameters.real("repulsion_stiffness_n_per_m");
  options.friction = parameters.real("collision_friction");
  return options;
}

}  // namespace deformbench::collision
