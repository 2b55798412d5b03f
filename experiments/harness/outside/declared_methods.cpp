// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/declared_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/outside_rows.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/files/schema_check.hpp"
#include "experiments/harness/outside/outside_methods.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

namespace fs = std::filesystem;
using nlohmann::json;

json rows_at(const Declaration& declaration, const std::string& tier) {
  json rows = declaration.document.at("methods");
  const json tiers = declaration.document.at("tiers");
  if (!tiers.contains(tier) || !tiers[tier].is_object() || !tiers[tier].contains("methods")) return rows;
  json patched = declaration.document;  // checks the tier's rows, too
  patched["methods"] = tiers[tier]["methods"];
  check_declaration_schema(patched, declaration.where + " (tier " + tier + ")");
  for (const json& row : patched["methods"]) rows.push_back(row);
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

bool is_of_the_tree(const fs::path& folder) {
  if (folder.empty()) return false;  // a resolved cell of unknown origin
  std::error_code error;
  const fs::path tree = fs::weakly_canonical(data_directory() / "experiments", error);
  const fs::path inside = fs::weakly_canonical(folder, error).lexically_relative(tree);
  return !inside.empty() && *inside.begin() != "..";
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
    if (starting_ == Starting::OfTree && !is_of_the_tree(folder)) {
      not_started_[id] = source_text(source);
      missing.push_back(not_built_method(entries, id, "not started to look"));
      continue;
    }
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
