// SPDX-License-Identifier: BSD-3-Clause
// A closed cloth inflated by overpressure: [MHHR07] Figure 7. The pressure is a parameter of the method.
#include "experiments/mueller_et_al_2007/scenes/characters.hpp"
#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

model::TriangleMesh shape_of(const Parameters& p) {
  const double length = p.real("length_m");
  const std::string& shape = p.text("shape");
  const int level = int(p.integer("level"));
  if (shape == "sphere") return icosphere(0.5 * length, level);
  if (shape == "torus") return torus(0.3 * length, 0.2 * length, 9 << (level - 1), 6 << (level - 1));
  return character_surface(shape, int(p.integer("triangles")), length, "balloon");
}

Scene build_balloon(const Parameters& p) {
  Scene scene = empty_cloth_scene("balloon", p);
  model::TriangleMesh mesh = shape_of(p);
  mesh.positions.col(1).array() += p.real("height_m") - mesh.positions.col(1).minCoeff();
  add_cloth(scene, mesh);
  if (p.flag("floor")) scene.colliders.push_back(floor_at(0.0, p.real("friction")));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor balloon() {
  ParameterInfo level = count_parameter("level", 3, 1, "Fineness of a sphere, 10·4ⁿ + 2 vertices, or torus.");
  level.maximum = 7;
  ClothDefaults defaults;
  defaults.start_noise = 0.0;
  ParameterSpec spec = cloth_parameters(
      defaults,
      {{"shape", "", std::string("sphere"),
        "sphere, torus, bear, quadruped, or a surface file (in the folder DEFORMBENCH_MODELS)."},
       level,
       count_parameter("triangles", 3000, 0, "Triangles of bear or quadruped."),
       positive_parameter("length_m", "m", 1.0, "Longest extent."),
       {"floor", "", false, "A plane below."},
       non_negative_parameter("height_m", "m", 0.1, "Height of the lowest vertex above y = 0, where the plane is.")});
  for (auto& info : spec)
    if (info.name == "gravity_m_s2") info.default_value = std::vector<double>{0, 0, 0};
  return {"balloon", "A closed cloth for overpressure ([MHHR07] Fig. 7).", spec, build_balloon};
}

}  // namespace deformbench::scenes
