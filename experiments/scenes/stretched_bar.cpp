// SPDX-License-Identifier: BSD-3-Clause
// A bar in homogeneous stretch: both end faces held at their homogeneous positions, which the interior then follows,
// or on rollers along x, with free lateral contraction. Nominal stress against the closed form `uniaxial_linear`.
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor stretched_bar() {
  return {
      "stretched_bar", "A bar stretched along x by its end faces, which also contract across.",
      block_parameters({}, {positive_parameter("stretch", "1", 1.2, "Ratio of the lengths."),
                            positive_parameter("lateral_stretch", "1", 1.0, "Ratio of the sides of the held faces."),
                            choice_parameter("faces", "held", {"held", "rollers"},
                                             "The end faces are held, or along x only and free across."),
                            choice_parameter("start", "rest", {"rest", "stretched"},
                                             "Free vertices start at rest, or in the homogeneous state.")}),
      [](const Parameters& p) {
        Scene scene = build_block("stretched_bar", p);
        const auto& rest = scene.tet_mesh.rest_positions;
        const Vector3 factors(p.real("stretch"), p.real("lateral_stretch"), p.real("lateral_stretch"));
        const Points stretched = rest * factors.asDiagonal();
        for (const char* end : {"root", "tip"}) {
          model::PrescribedMotion held;
          held.vertices = scene.vertex_sets.at(end);
          held.targets = stretched(held.vertices, Eigen::all);
          if (p.text("faces") == "rollers") held.components = {true, false, false};
          scene.prescribed.push_back(std::move(held));
        }
        if (p.text("start") == "stretched") scene.initial_positions = stretched;
        return scene;
      }};
}

}  // namespace deformbench::scenes
