// SPDX-License-Identifier: BSD-3-Clause
// A scene file as a scene that experiments can use: its parameters, its builder, and a digest of its content.
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
  /// XXH3-128 over the document (without how it is laid out) and the bytes of the mesh files it refers to.
  std::string digest;
  /// `id` is the scene's name. Parameters: time_step_s, gravity_m_s2, area_density_kg_m2 of a cloth, and what materials
  /// have: young_modulus_pa, poisson_ratio, density_kg_m3, each with "<id>_" in front where there are several
  /// materials. Defaults are those of the file.
  SceneDescriptor descriptor;
};

/// Throws InputError `<file>: <JSON pointer>: got <value>, expected <what>`.
SceneFile load_scene_file(const std::filesystem::path& file);

/// A JSON file with as many values as a scene may have. InputError.
nlohmann::json load_scene_document(const std::filesystem::path& file);

/// Whether a document says that it is a scene ("format": "deformbench-scene").
bool is_scene_document(const nlohmann::json& document);

/// The scenes that a resolved spec can name: those registered, or the one of its scene file. Throws InputError where
/// the file's content is not that of the spec.
SceneRegistry scenes_of_spec(const nlohmann::json& resolved_spec, const SceneRegistry& registered);

}  // namespace deformbench::harness
