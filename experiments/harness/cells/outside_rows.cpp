// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/outside_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/harness/cells/sweep.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kMethodParameterPath = "method.parameters.";

/// Folder of the plug-ins built and installed with this executable.
fs::path folder_of_plugins() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return executable.parent_path().parent_path() / "lib" / "deformbench" / "plugins";
}

/// Inverse of words_of.
std::string escaped(const std::string& word) {
  std::string text;
  for (const char c : word) {
    if (c == ' ' || c == '\t' || c == '"' || c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text.empty() ? "''" : text;
}

std::string resolved_command(const std::string& command, const fs::path& folder) {
  std::string text;
  for (std::string word : words_of(command)) {
    std::error_code error;
    if (word == "{python}")
      word = python_of_analysis();
    else if (const fs::path file = folder / word; fs::is_regular_file(file, error))
      word = fs::absolute(file).lexically_normal().string();
    text += (text.empty() ? "" : " ") + escaped(word);
  }
  return text;
}

ParameterInfo parameter_as_given(const std::string& name, const json& value) {
  ParameterInfo info;
  info.name = name;
  info.unit = "1";
  info.doc = "Of a method that is not built.";
  info.default_value = parameter_values({{name, value}}, "a method that is not built").at(name);
  return info;
}

}  // namespace

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool has_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      has_word = true;
    } else if (quote != '\'' && c == '\\' && i + 1 < command.size()) {
      word += command[++i];
      has_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (has_word) words.push_back(word);
      word.clear();
      has_word = false;
    } else {
      word += c;
      has_word = true;
    }
  }
  if (quote != 0) throw InputError(fmt::format("--program {}: a {} that is not closed", command, quote));
  if (has_word) words.push_back(word);
  if (words.empty()) throw InputError("--program: got nothing, expected a command, as \"python3 mine.py\"");
  return words;
}

json resolved_source(const json& entry, const fs::path& folder) {
  json source = json::object();
  if (entry.contains("plugin")) {
    const fs::path name = entry["plugin"].get<std::string>();
    const bool is_ours = !name.has_parent_path() && name.extension() != ".so";
    const fs::path file = is_ours ? folder_of_plugins() / (name.string() + ".so") : fs::absolute(folder / name);
    source["plugin"] = file.lexically_normal().string();
  }
  if (entry.contains("program")) source["program"] = resolved_command(entry["program"].get<std::string>(), folder);
  return source;
}

std::string source_text(const json& source) {
  std::string text;
  for (const auto& [kind, value] : source.items())
    text += (text.empty() ? "" : ", ") + kind + " " + value.get<std::string>();
  return text;
}

MethodDescriptor not_built_method(const json& entries, const std::string& id, const std::string& reason) {
  MethodDescriptor method;
  method.id = id;
  method.summary = "Not there: " + reason;
  method.paper = {"none", "not known"};
  method.not_built = reason;
  const auto add = [&](const std::string& name, const json& value) {
    if (std::ranges::none_of(method.parameters, [&](const ParameterInfo& info) { return info.name == name; }))
      method.parameters.push_back(parameter_as_given(name, value));
  };
  for (const json& entry : entries) {
    if (entry.at("method") != id) continue;
    const json given = entry.value("parameters", json::object());
    for (const auto& [name, value] : given.items()) add(name, value);
    for (const Axis& axis : read_axes(entry.value("sweep", json::object()), id, "/sweep"))
      for (const auto& [path, values] : axis.paths)
        if (path.starts_with(kMethodParameterPath)) add(path.substr(kMethodParameterPath.size()), values.front());
  }
  return method;
}

}  // namespace deformbench::harness
