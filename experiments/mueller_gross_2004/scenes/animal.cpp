// SPDX-License-Identifier: BSD-3-Clause
// An animal held at one end, standing on the ground, pulled apart, or passed by a hot ball: the scenes of [MG04] Fig.
// 8 and 9 and Table 1. Ends are given by fractions of the mesh's extent along an axis, because files have no named
// parts.
#include <fmt/format.h>

#include "experiments/scenes/animal_models.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {
namespace {

/// Vertices with relative position along the axis (0 lowest, 1 highest) in [from, to].
std::vector<int> between(const Points& rest, int axis, double from, double to) {
  const double low = rest.col(axis).minCoeff(), extent = rest.col(axis).maxCoeff() - low;
  std::vector<int> chosen;
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    const double place = (rest(i, axis) - low) / extent;
    if (place >= from && place <= to) chosen.push_back(int(i));
  }
  return chosen;
}

void hold_ends(Scene& scene, const Parameters& p) {
  const double low = p.real("low_fraction"), high = p.real("high_fraction");
  const std::string& ends = p.text("ends");
  if (low + high >= 1.0)
    throw InputError(
        fmt::format("scene animal: low_fraction {} and high_fraction {}, expected free vertices between", low, high));
  const int axis = p.text("axis")[0] - 'x';
  const Points& rest = scene.tet_mesh.rest_positions;
  if (low > 0) scene.vertex_sets["root"] = between(rest, axis, -1.0, low);
  if (high > 0) scene.vertex_sets["tip"] = between(rest, axis, 1.0 - high, 2.0);
  const auto require = [&](const char* set) {
    if (!scene.vertex_sets.count(set) || scene.vertex_sets.at(set).empty())
      throw InputError(
          fmt::format("scene animal: ends '{}', but no vertex at the {} end, expected a larger {}_fraction", ends,
                      set[0] == 'r' ? "low" : "high", set[0] == 'r' ? "low" : "high"));
  };
  if (ends == "low" || ends == "both") {
    require("root");
    hold(scene, "root");
  }
  if (ends == "high" || ends == "both") {
    require("tip");
    model::PrescribedMotion motion;
    motion.vertices = scene.vertex_sets.at("tip");
    motion.translation = vector_of(p, "pull_m");
    motion.ramp = ramp_over(p.real("pull_s"));
    scene.prescribed.push_back(std::move(motion));
  }
}

void heat(Scene& scene, const Parameters& p) {
  if (p.real("heat_radius_m") == 0.0) return;
  model::HeatSource source;
  source.from = vector_of(p, "heat_from_m");
  source.to = vector_of(p, "heat_to_m");
  source.ramp = {p.real("heat_start_s"), p.real("heat_start_s") + p.real("heat_travel_s")};
  source.radius = p.real("heat_radius_m");
  source.stiffness_factor = p.real("heat_stiffness_factor");
  source.plastic_yield = p.real("heat_plastic_yield");
  source.plastic_creep = p.real("heat_plastic_creep_per_s");
  source.plastic_max = p.real("heat_plastic_max");
  source.cools = p.flag("heat_cools");
  scene.heat_sources.push_back(source);
}

Scene build_animal(const Parameters& p) {
  Scene scene = animal_scene(
      "animal", p,
      animal_surface(p.text("model"), int(p.integer("triangles")), p.real("length_m"), p.flag("strict"), "animal"));
  hold_ends(scene, p);
  if (p.flag("ground")) {
    model::PlaneCollider plane;
    plane.normal = Vector3::UnitY();
    plane.offset = scene.tet_mesh.rest_positions.col(1).minCoeff() - p.real("ground_distance_m");
    plane.friction = p.real("friction");
    scene.colliders.push_back(plane);
  }
  heat(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor animal() {
  ParameterSpec spec = animal_parameters("dragon");
  ParameterInfo low = non_negative_parameter("low_fraction", "1", 0.1, "Part of the extent that is the low end.");
  ParameterInfo high = non_negative_parameter("high_fraction", "1", 0.1, "Part of the extent that is the high end.");
  low.maximum = high.maximum = 1.0;
  for (auto&& own : ParameterSpec{
           choice_parameter("ends", "none", {"none", "low", "high", "both"},
                            "Which ends are held; the high one may be pulled."),
           choice_parameter("axis", "x", {"x", "y", "z"}, "Axis along which the ends lie; heads are at high x."),
           low,
           high,
           vector_parameter("pull_m", "m", {0, 0, 0}, "Way of the high end."),
           non_negative_parameter("pull_s", "s", 0.0, "Time over which it is pulled; 0: at once."),
           {"ground", "", false, "A plane below, normal to y."},
           non_negative_parameter("ground_distance_m", "m", 0.0, "Its distance below the lowest vertex."),
           non_negative_parameter("friction", "1", 0.5, "Coulomb's coefficient of the plane."),
           non_negative_parameter("heat_radius_m", "m", 0.0, "Radius of a hot ball; 0: none."),
           vector_parameter("heat_from_m", "m", {0, 0, 0}, "Where its centre starts."),
           vector_parameter("heat_to_m", "m", {0, 0, 0}, "Where its centre ends."),
           non_negative_parameter("heat_start_s", "s", 0.0, "When it sets out."),
           non_negative_parameter("heat_travel_s", "s", 1.0, "How long it travels."),
           positive_parameter("heat_stiffness_factor", "1", 0.3, "Factor on Young's modulus of heated elements."),
           non_negative_parameter("heat_plastic_yield", "1", 0.01, "Yield of heated elements."),
           non_negative_parameter("heat_plastic_creep_per_s", "1/s", 50.0, "Creep of heated elements."),
           non_negative_parameter("heat_plastic_max", "1", 1.0, "Cap of heated elements."),
           {"heat_cools", "", false, "Elements are as before when the ball has left them."}})
    spec.push_back(std::move(own));
  for (auto&& shared : animal_material_parameters()) spec.push_back(std::move(shared));
  return {"animal", "An animal with its surface: held, pulled, on the ground, passed by a hot ball.", spec,
          build_animal};
}

}  // namespace deformbench::scenes
