// SPDX-License-Identifier: BSD-3-Clause
// A free block with an irregular mesh: graded along each axis, two densities at random, vertices, elements and
// corners in random order. An element omitted from or counted twice in a sum shows at a vertex.
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/irregular_mesh.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
SceneDescriptor graded_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 1.0;
  defaults.cells_across = 4;
  defaults.jitter = 0.2;
  ParameterInfo grading = real_parameter("grading", "1", 6.0, "Largest over smallest spacing along each axis.");
  grading.minimum = 1.0;
  return {"graded_block",
          "A free block of an irregular mesh: small and large elements, two densities, everything in random order.",
          block_parameters(
              defaults, {grading,
                         positive_parameter("density_ratio", "1", 1.0,
                                            "Density of a random half of the elements over that of the others."),
                         vector_parameter("gravity_m_s2", "m/s^2", {0, 0, 0}, "Acceleration of gravity."),
                         vector_parameter("rest_offset_m", "m", {0, 0, 0}, "Where the root's centre lies at rest.")}),
          [](const Parameters& p) {
            Scene scene = build_block("graded_block", p);
            const auto seed = std::uint64_t(p.integer("seed"));
            grade(scene.tet_mesh.rest_positions, p.real("grading"));
            renumber(scene, seed);
            scene.tet_mesh.rest_positions.rowwise() += vector_of(p, "rest_offset_m").transpose();
            scene.gravity = vector_of(p, "gravity_m_s2");
            if (const double ratio = p.real("density_ratio"); ratio != 1.0) {
              scene.materials.push_back(scene.materials[0]);
              scene.materials[1].density *= ratio;
              numerics::RandomStream random(seed, kDensity);
              for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e)
                scene.element_material.push_back(int(random.below(2)));
            }
            return scene;
          }};
}

}  // namespace deformbench::scenes
