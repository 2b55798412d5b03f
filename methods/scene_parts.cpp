// SPDX-License-Identifier: BSD-3-Clause
#include "methods/scene_parts.hpp"

#include <algorithm>

namespace deformbench {

Support takes_scene(const Scene& scene, const std::vector<std::string_view>& takes, std::string_view who) {
  if (scene.vertex_count() == 0) return Support::no("the scene has no vertices to move");
  const bool has_rollers = std::ranges::any_of(scene.prescribed, [](const auto& m) { return !m.is_whole(); });
  const bool has[kSceneParts.size()] = {scene.tet_mesh.element_count() > 0,
                                        scene.cloth.triangle_count() > 0,
                                        scene.particles.rest_positions.rows() > 0 && !scene.particles.is_solid(),
                                        scene.particles.is_solid(),
                                        !scene.colliders.empty(),
                                        has_rollers,
                                        !scene.constraints.empty(),
                                        !scene.rigid_bodies.empty(),
                                        !scene.attachments.empty(),
                                        !scene.heat_sources.empty(),
                                        !scene.cracks.empty()};
  for (std::size_t i = 0; i < kSceneParts.size(); ++i)
    if (has[i] && std::ranges::find(takes, kSceneParts[i]) == takes.end())
      return Support::no(std::string(who) + " takes no " + std::string(kSceneParts[i]));
  return Support::yes();
}

}  // namespace deformbench
