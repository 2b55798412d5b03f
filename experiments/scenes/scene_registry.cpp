// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/scene_registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "methods/model/error.hpp"

namespace deformbench {

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

}  // namespace deformbench
