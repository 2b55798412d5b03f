// SPDX-License-Identifier: BSD-3-Clause
// The scenes of a declaration's cells: one, or those of the files that a sweep or --set names. Internal to the
// expansion.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/cells/sweep.hpp"

namespace deformbench::harness {

/// `descriptor` is registered, or that of `file`.
struct SceneInUse {
  const SceneDescriptor* descriptor = nullptr;
  std::optional<SceneFile> file = {};
};

/// By the path of the file as the declaration has it; the key is "" for a scene by name.
using ScenesInUse = std::map<std::string, SceneInUse>;

/// What the section "scene" is read with.
struct SceneSource {
  const std::string& where;             ///< in front of messages
  const std::filesystem::path& folder;  ///< what paths are relative to
  const SceneRegistry& registered;
};

/// Files of `set` count before those of the axes, and these before the one in the section, whose "name" and "content"
/// then do not apply and are removed. Throws InputError.
ScenesInUse scenes_in_use(nlohmann::json& section, const std::vector<Axis>& axes,
                          const std::vector<std::pair<std::string, nlohmann::json>>& set, const SceneSource& source);

/// The scene of a cell with these coordinates.
const SceneInUse& scene_at(const ScenesInUse& scenes, const nlohmann::json& coordinates);

}  // namespace deformbench::harness
