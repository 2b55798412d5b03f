// SPDX-License-Identifier: BSD-3-Clause
// A free block with a tangled start: scaled, and every vertex displaced at random, so that about half of the elements
// are inverted. An unconditionally stable method in the sense of [MG04] must recover (erratum B-IVM-14).
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor tangled_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 0.2;
  return {"tangled_block", "A free block that starts scaled and with random, inverted elements.",
          block_parameters(
              defaults, {vector_parameter("initial_scale", "1", {1, 1, 1}, "Factor on the coordinates at the start."),
                         non_negative_parameter("noise_m", "m", 0.15,
                                                "Standard deviation of the displacement of every coordinate."),
                         choice_parameter("held", "none", {"none", "root"}, "Which end face is fixed.")}),
          [](const Parameters& p) {
            Scene scene = build_block("tangled_block", p, BlockPlace::CentredAtOrigin);
            const auto& rest = scene.tet_mesh.rest_positions;
            scene.initial_positions = rest * vector_of(p, "initial_scale").asDiagonal();
            scene.initial_positions += normal_points(p, 1, rest.rows(), p.real("noise_m"));
            if (p.text("held") == "root") {
              hold(scene, "root");
              for (const int v : scene.vertex_sets.at("root")) scene.initial_positions.row(v) = rest.row(v);
            }
            return scene;
          }};
}

}  // namespace deformbench::scenes
