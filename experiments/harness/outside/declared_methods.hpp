// SPDX-License-Identifier: BSD-3-Clause
// Methods from outside that a row of a declaration brings along, by "plugin" or "program" (docs/declarations.md).
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/registry.hpp"

namespace deformbench::harness {

/// What the row `entry` says of "plugin" and "program", with absolute paths: a plug-in without a folder is one of this
/// deformbench, other paths are relative to `folder`, and {python} is the Python of the analysis. An empty object for a
/// row of a built-in method. InputError for a command that cannot be split.
nlohmann::json resolved_source(const nlohmann::json& entry, const std::filesystem::path& folder);

/// A method that stands for one that is not there: it takes the parameters that the rows of its id give, and supports
/// no scene.
MethodDescriptor not_built_method(const nlohmann::json& entries, const std::string& id, const std::string& reason);

/// The rows of a declaration, and those of its tier.
nlohmann::json rows_at(const nlohmann::json& declaration, const std::string& tier);

/// The row of a resolved cell, as a list of one; empty where the spec has no method to look for.
nlohmann::json row_of_spec(const nlohmann::json& spec);

/// Loads what rows bring along, each once.
class DeclaredMethods {
 public:
  explicit DeclaredMethods(const Registry& registry) : registry_(registry) {}

  /// The registry with the methods of these rows. A method whose id is there already is left alone: that of the command
  /// line stands for the declared one. What cannot be loaded is there as not built, with the reason. With `wanted`,
  /// rows of other names and ids are left out. InputError where two declarations bring different methods of one id.
  Registry with(const nlohmann::json& entries, const std::filesystem::path& folder,
                const std::vector<std::string>& wanted = {});

 private:
  Registry registry_;
  std::map<std::string, std::string> source_of_;  ///< of the ids that were loaded
  std::map<std::string, std::string> why_not_;    ///< of sources that could not be
};

}  // namespace deformbench::harness
