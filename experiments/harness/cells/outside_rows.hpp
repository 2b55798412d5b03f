// SPDX-License-Identifier: BSD-3-Clause
// Rows of a declaration that bring their method along, by "plugin" or "program" (docs/declarations.md): what they say,
// and what stands for a method that is not there. Loading is in experiments/harness/outside.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/method.hpp"

namespace deformbench::harness {

/// The words of a command as a shell splits them, without variables, patterns and commands. InputError.
std::vector<std::string> words_of(const std::string& command);

/// What the row `entry` says of "plugin" and "program", with absolute paths: a plug-in without a folder is one of this
/// deformbench, other paths are relative to `folder`, and {python} is the Python of the analysis. An empty object for a
/// row of a built-in method. InputError for a command that cannot be split.
nlohmann::json resolved_source(const nlohmann::json& entry, const std::filesystem::path& folder);

/// The same for a person: "program python3 mine.py".
std::string source_text(const nlohmann::json& source);

/// A method that stands for one that is not there: it takes the parameters that the rows of its id give, and supports
/// no scene.
MethodDescriptor not_built_method(const nlohmann::json& entries, const std::string& id, const std::string& reason);

}  // namespace deformbench::harness
