// SPDX-License-Identifier: BSD-3-Clause
// Expands a declaration file to cells (docs/declarations.md). All errors in a declaration are found here, before
// anything runs; messages give file, JSON pointer, value and the expected value.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/files/json_text.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// Valid against the schema; expand() checks parameters.
struct Declaration {
  std::string id;
  std::string where;  ///< file name for messages
  nlohmann::json document;
  std::filesystem::path folder = {};  ///< base of relative scene paths
};

/// One run: method × parameters × sweep point, everything resolved.
struct Cell {
  std::string id;       ///< XXH3-128 of the identifying part of the spec and the method's fingerprint
  nlohmann::json spec;  ///< format "deformbench-cell"
  std::vector<std::filesystem::path> scene_files = {};  ///< files of the scene; empty for a named scene
  bool is_built = true;  ///< false: this build lacks the method; the expected end is `unsupported`

  std::string experiment() const { return spec.at("experiment"); }
  std::string method_name() const { return spec.at("method").at("name"); }
  std::string expected_status() const { return spec.at("expect").at("status"); }
  std::string claimed_by() const {
    return spec.at("method").value("claimed_by", "");
  }                           ///< who recommends the settings; may be empty
  std::string label() const;  ///< "warped, angle_deg=30", with claimed_by in parentheses
};

/// Selections and overrides from the command line.
struct Selection {
  std::string tier = "paper";
  std::vector<std::string> methods;                         ///< names or ids of method entries; empty = all
  std::vector<std::pair<std::string, nlohmann::json>> set;  ///< path (as in a sweep), value; replaces a sweep axis

  bool changes_declaration() const { return !methods.empty() || !set.empty(); }
};

/// InputError: missing file, invalid JSON, repeated key, schema violation, id unlike file name.
Declaration load_declaration(const std::filesystem::path& file);
Declaration parse_declaration(const nlohmann::json& document, const std::string& where,
                              const std::filesystem::path& folder = {});

/// Whether the document has format "deformbench-cell".
bool is_resolved_spec(const nlohmann::json& document);

/// The cells of a declaration at a tier, in the order of its methods within each sweep point. Checks parameters,
/// channels, sweep paths and expectations. Throws InputError.
std::vector<Cell> expand(const Declaration& declaration, const Selection& selection, const Registry& registry,
                         const SceneRegistry& scenes);

/// A resolved spec as one cell: checked and completed with defaults like a declaration. Its scene file may be
/// relative to `folder`. InputError.
Cell cell_of_resolved_spec(const nlohmann::json& spec, const std::string& where, const Selection& selection,
                           const Registry& registry, const SceneRegistry& scenes,
                           const std::filesystem::path& folder = {});

/// Id of a cell; `fingerprint` is that of its method.
std::string cell_id(const nlohmann::json& resolved_spec, const std::string& fingerprint);

/// "path=value", value JSON or else UTF-8 text. InputError without path or '='.
std::pair<std::string, nlohmann::json> parse_assignment(const std::string& text);

}  // namespace deformbench::harness
