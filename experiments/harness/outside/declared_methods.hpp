// SPDX-License-Identifier: BSD-3-Clause
// External methods of declaration rows with "plugin" or "program" (docs/declarations.md).
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// The rows of a declaration and of its tier. InputError if the rows of the tier violate the schema.
nlohmann::json rows_at(const Declaration& declaration, const std::string& tier);

/// The row of a resolved cell as a one-element list; empty if the spec names no method.
nlohmann::json row_of_spec(const nlohmann::json& spec);

/// Whether `folder` is in data_directory()/experiments. Code named by other declarations is started only by a run:
/// listing a foreign paper must not run code.
bool is_of_the_tree(const std::filesystem::path& folder);

enum class Starting {
  All,     ///< of any declaration
  OfTree,  ///< of declarations in the tree
};

/// Loads the external methods of rows, each once.
class DeclaredMethods {
 public:
  DeclaredMethods(const Registry& registry, Starting starting) : registry_(registry), starting_(starting) {}

  /// The registry extended by the methods of these rows. Registered ids are kept: a method of the command line
  /// replaces the declared one. Methods that cannot be loaded are registered as not built, with the reason. `wanted`
  /// restricts the rows by name or id. InputError if two declarations give different methods the same id.
  Registry with(const nlohmann::json& entries, const std::filesystem::path& folder,
                const std::vector<std::string>& wanted = {});

  /// Ids of methods that were not started, with their sources. Their parameters and cell ids are unknown.
  const std::map<std::string, std::string>& not_started() const { return not_started_; }

 private:
  Registry registry_;
  Starting starting_;
  std::map<std::string, std::string> not_started_;
  std::map<std::string, std::string> source_of_;  ///< sources of the loaded ids
  std::map<std::string, std::string> why_not_;    ///< sources that failed to load, with the reason
};

}  // namespace deformbench::harness
