// SPDX-License-Identifier: BSD-3-Clause
// Converts a scene document to a Scene (docs/scenes.md).
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::harness {

struct ReadScene {
  Scene scene;                                    ///< checked
  std::vector<std::string> material_ids;          ///< in the order of `scene.materials`
  std::vector<std::filesystem::path> mesh_files;  ///< all referenced files, in document order
};

/// Throws InputError `<where>: <JSON pointer>: got <value>, expected <what>`. Files are relative to `folder`.
ReadScene read_scene(const nlohmann::json& document, const std::string& where, const std::filesystem::path& folder);

}  // namespace deformbench::harness
