// SPDX-License-Identifier: BSD-3-Clause
// Methods from outside that a row of a declaration brings along, by "plugin" or "program" (docs/declarations.md).
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// The rows of a declaration, and those of its tier. InputError where the tier's violate the schema.
nlohmann::json rows_at(const Declaration& declaration, const std::string& tier);

/// The row of a resolved cell, as a list of one; empty where the spec has no method to look for.
nlohmann::json row_of_spec(const nlohmann::json& spec);

/// Whether a declaration in this folder came with this deformbench. Code that another one names is started by a run
/// alone: who looks at a foreign paper does not expect it.
bool is_of_the_tree(const std::filesystem::path& folder);

enum class Starting {
  All,     ///< whatever a declaration names
  OfTree,  ///< what declarations of the tree name
};

/// Loads what rows bring along, each once.
class DeclaredMethods {
 public:
  DeclaredMethods(const Registry& registry, Starting starting) : registry_(registry), starting_(starting) {}

  /// The registry with the methods of these rows. A method whose id is there already is left alone: that of the command
  /// line stands for the declared one. What cannot be loaded is there as not built, with the reason. With `wanted`,
  /// rows of other names and ids are left out. InputError where two declarations bring different methods of one id.
  Registry with(const nlohmann::json& entries, const std::filesystem::path& folder,
                const std::vector<std::string>& wanted = {});

  /// Ids of methods that were not started, so that neither their parameters nor the ids of their cells are known, and
  /// what would be started.
  const std::map<std::string, std::string>& not_started() const { return not_started_; }

 private:
  Registry registry_;
  Starting starting_;
  std::map<std::string, std::string> not_started_;
  std::map<std::string, std::string> source_of_;  ///< of the ids that were loaded
  std::map<std::string, std::string> why_not_;    ///< of sources that could not be
};

}  // namespace deformbench::harness
