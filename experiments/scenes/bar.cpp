// SPDX-License-Identifier: BSD-3-Clause
// A bar held at its ends under gravity and a dead load on the tip. The defaults are the bar of [MG04] Fig. 7 as timed
// by the declarations: 4 m × 1 m × 1 m of 4n × n × n cubes, the end x = 0 fixed.
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor bar() {
  BlockDefaults defaults;
  defaults.length = 4.0;
  defaults.side = 1.0;
  return {"bar", "A bar held at x = 0 (or at both ends) under gravity and a dead load on the tip.",
          block_parameters(
              defaults,
              {vector_parameter("gravity_m_s2", "m/s^2", {0, -9.81, 0}, "Acceleration of gravity."),
               choice_parameter("held", "root", {"root", "both", "none"}, "Which end faces are fixed."),
               vector_parameter("tip_force_n", "N", {0, 0, 0}, "Dead force, spread evenly over the tip face."),
               non_negative_parameter("tip_ramp_s", "s", 0.0, "Time over which the tip force grows; 0: at once."),
               vector_parameter("tip_vertex_force_n", "N", {0, 0, 0}, "Dead force on every vertex of the tip face."),
               vector_parameter("rest_offset_m", "m", {0, 0, 0}, "Where the root's centre lies at rest.")}),
          [](const Parameters& p) {
            Scene scene = build_block("bar", p);
            scene.tet_mesh.rest_positions.rowwise() += vector_of(p, "rest_offset_m").transpose();
            scene.gravity = vector_of(p, "gravity_m_s2");
            if (p.text("held") != "none") hold(scene, "root");
            if (p.text("held") == "both") hold(scene, "tip");
            load_tip(scene, p, vector_of(p, "tip_force_n"), p.real("tip_ramp_s"));
            if (const Vector3 force = vector_of(p, "tip_vertex_force_n"); !force.isZero(0.0))
              for (const int v : scene.vertex_sets.at("tip"))
                scene.point_loads.push_back({v, force, ramp_over(p.real("tip_ramp_s"))});
            return scene;
          }};
}

}  // namespace deformbench::scenes
