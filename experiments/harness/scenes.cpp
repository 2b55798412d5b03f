// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/scenes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/scenes/scene_list.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

void SceneRegistry::add(SceneDescriptor descriptor) {
  const bool taken = std::any_of(scenes_.begin(), scenes_.end(), [&](const auto& s) { return s.id == descriptor.id; });
  if (taken) throw InputError(fmt::format("scene '{}': the id is taken, expected a new one", descriptor.id));
  if (descriptor.id.empty() || !descriptor.build)
    throw InputError(fmt::format("scene '{}': expected an id and a builder", descriptor.id));
  scenes_.push_back(std::move(descriptor));
}

const SceneDescriptor& SceneRegistry::at(const std::string& id) const {
  const auto found = std::find_if(scenes_.begin(), scenes_.end(), [&](const auto& s) { return s.id == id; });
  if (found != scenes_.end()) return *found;
  std::vector<std::string> known;
  for (const auto& scene : scenes_) known.push_back(scene.id);
  throw InputError(fmt::format("scene '{}': unknown, expected one of {}", id, fmt::join(known, ", ")));
}

SceneRegistry builtin_scenes() {
  SceneRegistry registry;
  registry.add(scenes::animal());
  registry.add(scenes::balloon());
  registry.add(scenes::bar());
  registry.add(scenes::barrel());
  registry.add(scenes::beam());
  registry.add(scenes::box_on_net());
  registry.add(scenes::clamped_strip());
  registry.add(scenes::cloth_bag());
  registry.add(scenes::constraint_samples());
  registry.add(scenes::crossed_sheets());
  registry.add(scenes::dropped_particles());
  registry.add(scenes::falling_net());
  registry.add(scenes::folded_cloth());
  registry.add(scenes::free_falling_block());
  registry.add(scenes::gears());
  registry.add(scenes::hanging_cloth());
  registry.add(scenes::held_tetrahedron());
  registry.add(scenes::hung_chain());
  registry.add(scenes::inclined_plane());
  registry.add(scenes::incompatible_triangle());
  registry.add(scenes::level());
  registry.add(scenes::loaded_tetrahedron());
  registry.add(scenes::particle_chain());
  registry.add(scenes::particle_cloud());
  registry.add(scenes::patch_block());
  registry.add(scenes::pendulum());
  registry.add(scenes::posed_animal());
  registry.add(scenes::root_rotated_bar());
  registry.add(scenes::shot_particles());
  registry.add(scenes::single_tetrahedron());
  registry.add(scenes::skinned_block());
  registry.add(scenes::spinning_block());
  registry.add(scenes::spinning_ring());
  registry.add(scenes::step_load_bar());
  registry.add(scenes::stressed_block());
  registry.add(scenes::stretched_bar());
  registry.add(scenes::stripes());
  registry.add(scenes::tangled_block());
  registry.add(scenes::tearing_cloth());
  registry.add(scenes::triangle_pair());
  registry.add(scenes::twisted_bar());
  return registry;
}

}  // namespace deformbench::harness
