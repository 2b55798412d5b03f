// SPDX-License-Identifier: BSD-3-Clause
// Scenes of a declaration's cells: one, or one per file of a sweep. Internal to the expansion into cells.
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

/// `descriptor` is registered or belongs to `file`.
struct SceneInUse {
  const SceneDescriptor* descriptor = nullptr;
  std::optional<SceneFile> file = {};
};

/// Keyed by the file path as declared; "" for a named scene.
using ScenesInUse = std::map<std::string, SceneInUse>;

/// Context for reading the section "scene".
struct SceneSource {
  const std::string& where;             ///< prefix of messages
  const std::filesystem::path& folder;  ///< base of relative paths
  const SceneRegistry& registered;
};

/// Files in `set` override those of the axes; either override the section's and remove its "name" and
/// "content". Throws InputError.
ScenesInUse scenes_in_use(nlohmann::json& section, const std::vector<Axis>& axes,
                          const std::vector<std::pair<std::string, nlohmann::json>>& set, const SceneSource& source);

/// The scene of a cell with these coordinates.
const SceneInUse& scene_at(const ScenesInUse& scenes, const nlohmann::json& coordinates);

}  // namespace deformbench::harness
