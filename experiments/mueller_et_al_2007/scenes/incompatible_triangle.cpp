// SPDX-License-Identifier: BSD-3-Clause
// Three particles with incompatible distance constraints: by default 1, 1 and 3. [MHHR07] §3.2
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_incompatible_triangle(const Parameters& p) {
  Scene scene = particle_scene("incompatible_triangle", p, 3);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  const Vector3 line = random.direction();
  for (int i = 0; i < 3; ++i)
    scene.particles.rest_positions.row(i) = p.flag("collinear") ? Vector3(random.normal() * line) : random.direction();
  for (int i = 0; i < 3; ++i) {
    add_link(scene, p, i, (i + 1) % 3);
    scene.constraints.back().rest_value = p.list("lengths_m").at(std::size_t(i));
  }
  return scene;
}

}  // namespace

SceneDescriptor incompatible_triangle() {
  ParameterInfo lengths{"lengths_m", "m", std::vector<double>{1.0, 1.0, 3.0},
                        "Asked for between particles 0 and 1, 1 and 2, 2 and 0."};
  lengths.length = 3;
  lengths.minimum = 0.0;
  return {"incompatible_triangle", "Three particles whose distances cannot be met together.",
          particle_parameters(
              Vector3::Zero(), 0.01,
              link_parameters({lengths,
                               {"collinear", "", true,
                                "Whether they start on a line, where the distances go to their cycle geometrically."},
                               seed_parameter("Seed of the start.")})),
          build_incompatible_triangle};
}

}  // namespace deformbench::scenes
