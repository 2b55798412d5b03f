// SPDX-License-Identifier: BSD-3-Clause
// A block of nodes pulled and twisted at its ends, with or without fracture. [PKAGDG05] §6
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_strained_block(const Parameters& parameters) {
  Scene scene = build_node_block("strained_block", parameters);
  const double pull = parameters.real("pull_m"), twist = parameters.real("twist_rad");
  const auto move = [&](const char* set, double side) {
    model::PrescribedMotion motion;
    motion.vertices = scene.vertex_sets.at(set);
    motion.translation = 0.5 * side * pull * Vector3::UnitX();
    motion.axis = Vector3::UnitX();
    motion.angle = 0.5 * side * twist;
    motion.ramp.end = parameters.real("ramp_end_s");
    scene.prescribed.push_back(motion);
  };
  move("root", -1.0);
  move("tip", 1.0);
  if (!parameters.flag("is_at_rest")) {
    // Initial velocities of a uniform strain rate between the held layers, so that no waves start at the ends.
    const Points& nodes = scene.particles.rest_positions;
    const auto layer = Eigen::Index(scene.vertex_sets.at("root").size());
    const double first = nodes.col(0).head(layer).mean(), last = nodes.col(0).tail(layer).mean();
    const double duration = parameters.real("ramp_end_s");
    scene.initial_velocities.resize(nodes.rows(), 3);
    for (Eigen::Index i = 0; i < nodes.rows(); ++i) {
      const Vector3 x = nodes.row(i);
      const double share = (x[0] - first) / (last - first) - 0.5;
      scene.initial_velocities.row(i) = share / duration * Vector3(pull, -twist * x[2], twist * x[1]);
    }
  }
  return scene;
}

}  // namespace

SceneDescriptor strained_block() {
  ParameterSpec spec = cloud_parameters({.length = 3.0, .nodes_across = 6, .jitter = 0.3, .time_step = 1e-3});
  spec.push_back({"pull_m", "m", 0.3, "What the ends are taken apart by along x, half of it each."});
  spec.push_back({"twist_rad", "rad", 0.0, "What the ends are turned against each other by about x."});
  spec.push_back(positive_parameter("ramp_end_s", "s", 0.1, "When they have arrived."));
  spec.push_back({"is_at_rest", "", false, "Whether nodes start at rest, or with the even strain rate of the ends."});
  return {"strained_block", "A block of nodes whose end layers are pulled apart along x and turned about it.",
          std::move(spec), build_strained_block};
}

}  // namespace deformbench::scenes
