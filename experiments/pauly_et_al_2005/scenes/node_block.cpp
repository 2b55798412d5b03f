// SPDX-License-Identifier: BSD-3-Clause
// A block sampled by randomly displaced nodes at the centres of cubic cells. [PKAGDG05] §2
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor node_block() {
  ParameterSpec spec = cloud_parameters({.nodes_across = 8, .jitter = 0.3, .time_step = 1e-3});
  return {"node_block", "A free block of nodes on a jittered cubic lattice, in the centres of its cells.",
          std::move(spec), [](const Parameters& p) { return build_node_block("node_block", p); }};
}

}  // namespace deformbench::scenes
