// SPDX-License-Identifier: BSD-3-Clause
// A free block under a uniform stress: every face of its box bears the traction σ N, so that forces and torques
// cancel and the stress is σ everywhere in an elastic block without flaw. For yield, fracture, and crack paths
// ([MG04] §3, §4). Cracks start at a slit, a hole or a disc.
#include <fmt/format.h>

#include "experiments/mueller_gross_2004/scenes/flaws.hpp"
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {

SceneDescriptor stressed_block() {
  BlockDefaults defaults;
  defaults.side = 0.2;
  ParameterSpec own = stress_parameters();
  own.push_back(real_parameter("turn_deg", "deg", 0.0, "Angle about z by which the block and its loads start turned."));
  own.push_back(
      choice_parameter("flaw", "none", {"none", "slit", "hole", "disc"},
                       "A slit in the middle across x, open at the largest y; elements missing in the middle, in "
                       "a ball or in a disc one cell thick across the largest principal stress."));
  own.push_back(non_negative_parameter("flaw_size_m", "m", 0.0, "Depth of the slit, or radius of ball or disc."));
  own.push_back(non_negative_parameter("pull_m", "m", 0.0,
                                       "What the faces at both ends of x are taken apart by over ramp_s, half of it "
                                       "each, free across; then held there."));
  return {"stressed_block", "A free block under a uniform stress on all its faces, with a flaw if wanted.",
          block_parameters(defaults, std::move(own)), [](const Parameters& p) {
            Scene scene = build_block("stressed_block", p, BlockPlace::CentredAtOrigin);
            const Vector3 half(0.5 * p.real("length_m"), 0.5 * p.real("side_m"), 0.5 * p.real("side_m"));
            if (p.text("flaw") == "slit") {
              if (p.real("jitter") > 0)
                throw InputError("scene stressed_block: a slit in a jittered block, expected jitter 0 or another flaw");
              cut_slit(scene, half.y() - p.real("flaw_size_m"));
            }
            if (p.text("flaw") == "hole") remove_ball(scene, Vector3::Zero(), p.real("flaw_size_m"));
            if (p.text("flaw") == "disc")
              remove_disc(scene, Vector3::Zero(), principal_direction(p), p.real("flaw_size_m"),
                          p.real("side_m") / double(p.integer("cells_across")));
            stress_faces(scene, p, radians(p.real("turn_deg")));
            if (p.real("pull_m") > 0)
              for (const auto& [face, side] : {std::pair{"root", -0.5}, std::pair{"tip", 0.5}}) {
                model::PrescribedMotion motion;
                motion.vertices = scene.vertex_sets.at(face);
                motion.translation = side * p.real("pull_m") * Vector3::UnitX();
                motion.ramp.end = p.real("ramp_s");
                motion.components = {true, false, false};
                scene.prescribed.push_back(std::move(motion));
              }
            return scene;
          }};
}

}  // namespace deformbench::scenes
