// SPDX-License-Identifier: BSD-3-Clause
// A scene file as a scene of experiments: parameters, builder, and digest of the content.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::harness {

struct SceneFile {
  std::filesystem::path path;                ///< absolute
  std::vector<std::filesystem::path> files;  ///< absolute: the scene file, then the mesh files it refers to
  /// XXH3-128 over the document (independent of layout) and the bytes of its mesh files.
  std::string digest;
  /// `id` is the scene's name. Parameters: time_step_s, gravity_m_s2, area_density_kg_m2 (cloth), and per material
  /// young_modulus_pa, poisson_ratio, density_kg_m3, prefixed by "<id>_" if there are several materials. Defaults are
  /// the values of the file.
  SceneDescriptor descriptor;
};

/// Throws InputError `<file>: <JSON pointer>: got <value>, expected <what>`.
SceneFile load_scene_file(const std::filesystem::path& file);

/// Reads JSON with the size limit of scenes. InputError.
nlohmann::json load_scene_document(const std::filesystem::path& file);

/// Whether the document has "format": "deformbench-scene".
bool is_scene_document(const nlohmann::json& document);

/// Scenes for a resolved spec: the registered ones, or the one of its scene file. Throws InputError if the file's
/// content differs from the spec.
SceneRegistry scenes_of_spec(const nlohmann::json& resolved_spec, const SceneRegistry& registered);

}  // namespace deformbench::harness
