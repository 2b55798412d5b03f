// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/declared_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/hash.hpp"
#include "experiments/harness/cells/sweep.hpp"
#include "experiments/harness/outside/outside_methods.hpp"
#include "experiments/harness/outside/program_process.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kMethodParameterPath = "method.parameters.";

/// Where the plug-ins are that are built and installed with this executable.
fs::path folder_of_plugins() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return executable.parent_path().parent_path() / "lib" / "deformbench" / "plugins";
}

std::string python_of_analysis() {
  const char* set = std::getenv("DEFORMBENCH_PYTHON");
  return set != nullptr && *set != '\0' ? set : "/usr/bin/python3";
}

/// As words_of reads it back.
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

json rows_at(const json& declaration, const std::string& tier) {
  json rows = declaration.value("methods", json::array());
  const json of_tier = declaration.value("tiers", json::object()).value(tier, json::object());
  for (const json& row : of_tier.value("methods", json::array())) rows.push_back(row);
  return rows;
}

json row_of_spec(const json& spec) {
  const json method = spec.value("method", json::object());
  if (!method.is_object() || !method.contains("id") || !method["id"].is_string()) return json::array();
  json row = {{"method", method["id"]}};
  for (const char* key : {"plugin", "program"})
    if (method.contains(key) && method[key].is_string()) row[key] = method[key];
  if (method.contains("parameters") && method["parameters"].is_object()) row["parameters"] = method["parameters"];
  return json::array({row});
}

Registry DeclaredMethods::with(const json& entries, const fs::path& folder, const std::vector<std::string>& wanted) {
  std::vector<MethodDescriptor> missing;
  for (const json& entry : entries) {
    const json source = resolved_source(entry, folder);
    if (source.empty()) continue;
    const std::string id = entry.at("method");
    const auto is_wanted = [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); };
    if (!wanted.empty() && !is_wanted(id) && !is_wanted(entry.value("name", id))) continue;
    const std::string text = source.dump();
    if (const auto loaded = source_of_.find(id); loaded != source_of_.end()) {
      if (loaded->second != text)
        throw InputError(fmt::format("method {}: one declaration brings {}, another {}; expected the same, or two runs",
                                     id, loaded->second, text));
      continue;
    }
    if (registry_.contains(id)) continue;
    auto why = why_not_.find(text);
    if (why == why_not_.end()) {
      OutsideMethods outside;
      if (source.contains("plugin")) outside.plugins.push_back(source["plugin"]);
      if (source.contains("program")) outside.programs.push_back(id + "=" + source["program"].get<std::string>());
      try {
        Registry extended = with_outside_methods(registry_, outside);
        if (!extended.contains(id)) throw InputError(fmt::format("{}: has no method {}", text, id));
        registry_ = std::move(extended);
        source_of_[id] = text;
        continue;
      } catch (const InputError& error) {
        why = why_not_.emplace(text, error.what()).first;
      }
    }
    declare_fingerprint(id, xxh3_128("not built: " + why->second));
    missing.push_back(not_built_method(entries, id, why->second));
  }
  Registry result = registry_;
  for (MethodDescriptor& method : missing)
    if (!result.contains(method.id)) result.add(std::move(method));
  return result;
}

}  // namespace deformbench::harness
