// SPDX-License-Identifier: BSD-3-Clause
// Declaration rows with "plugin" or "program" (docs/declarations.md): their content, and the stand-in for a missing
// method. Loading is in experiments/harness/outside.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/method.hpp"

namespace deformbench::harness {

/// Words of a command, split as by a shell without expansions. InputError: no words, unclosed quote.
std::vector<std::string> words_of(const std::string& command);

/// "plugin" and "program" of the row `entry` with absolute paths: a plug-in name without folder and ".so"
/// is one installed here, files are relative to `folder`, {python} is python_of_analysis(). Empty object for a
/// built-in method. InputError if the command cannot be split.
nlohmann::json resolved_source(const nlohmann::json& entry, const std::filesystem::path& folder);

/// Human-readable form: "program python3 mine.py".
std::string source_text(const nlohmann::json& source);

/// Stand-in for a missing method: accepts the parameters of all rows with its id and supports no scene.
MethodDescriptor not_built_method(const nlohmann::json& entries, const std::string& id, const std::string& reason);

}  // namespace deformbench::harness
