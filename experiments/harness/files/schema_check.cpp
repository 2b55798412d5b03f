// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/files/schema_check.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// A schema of experiments/harness/schema, read once.
struct SchemaFile {
  json document;
  valijson::Schema schema;

  explicit SchemaFile(const char* name) {
    const auto file = data_directory() / "experiments" / "harness" / "schema" / name;
    std::ifstream in(file);
    document = json::parse(in, nullptr, false);
    if (document.is_discarded()) throw InputError(file.string() + ": is not JSON");
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
  }
};

/// The schema node for the value under `pointer`, or null.
const json* schema_at(const json& root, const json::json_pointer& pointer) {
  std::vector<std::string> keys;
  for (json::json_pointer at = pointer; !at.empty(); at.pop_back()) keys.insert(keys.begin(), at.back());
  const json* node = &root;
  for (const std::string& key : keys) {
    const json* next = nullptr;
    if (node->contains("properties") && (*node)["properties"].contains(key)) {
      next = &(*node)["properties"][key];
    } else if (node->contains("items")) {
      next = &(*node)["items"];
    } else if (node->contains("additionalProperties") && (*node)["additionalProperties"].is_object()) {
      next = &(*node)["additionalProperties"];
    }
    if (next == nullptr) return nullptr;
    if (next->contains("$ref")) {
      next = &root.at(json::json_pointer((*next)["$ref"].get<std::string>().substr(1)));
    }
    node = next;
  }
  return node;
}

std::string list_of(const json& values) {
  std::string text;
  for (const json& value : values)
    text += (text.empty() ? "" : " | ") + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

/// The schema's expectation of a value, in words.
std::string expectation(const json& schema) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (schema.contains("enum")) add("one of " + list_of(schema["enum"]));
  if (schema.contains("type")) {
    add(schema["type"].is_array() ? list_of(schema["type"]) : schema["type"].get<std::string>());
  }
  for (const auto& [key, words] : {std::pair{"minimum", "at least "},
                                   {"maximum", "at most "},
                                   {"exclusiveMinimum", "greater than "},
                                   {"exclusiveMaximum", "less than "},
                                   {"minItems", "entries at least "},
                                   {"maxItems", "entries at most "},
                                   {"minLength", "length at least "},
                                   {"minProperties", "keys at least "},
                                   {"maxProperties", "keys at most "},
                                   {"pattern", "matching "}}) {
    if (schema.contains(key))
      add(words + (schema[key].is_string() ? schema[key].get<std::string>() : schema[key].dump()));
  }
  if (schema.value("uniqueItems", false)) add("without repetition");
  if (schema.contains("description")) text += " (" + schema["description"].get<std::string>() + ")";
  return text;
}

/// The first unknown or missing key, in words; empty if the keys are right.
std::string key_complaint(const json& value, const json& schema) {
  if (!value.is_object()) return "";
  std::vector<std::string> known;
  if (schema.contains("properties")) {
    for (const auto& [key, ignored] : schema["properties"].items()) known.push_back(key);
  }
  if (schema.contains("additionalProperties") && schema["additionalProperties"] == false) {
    for (const auto& [key, ignored] : value.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        return "unknown key " + shown(key) + suggestion(key, known);
      }
    }
  }
  if (schema.contains("required")) {
    for (const json& key : schema["required"]) {
      if (!value.contains(key.get<std::string>())) return "missing key \"" + key.get<std::string>() + "\"";
    }
  }
  return "";
}

json::json_pointer pointer_of(const std::vector<std::string>& context) {
  json::json_pointer pointer;
  for (const std::string& entry : context) {
    if (entry == "<root>") continue;
    pointer.push_back(entry.size() >= 2 && entry.front() == '[' ? entry.substr(1, entry.size() - 2) : entry);
  }
  return pointer;
}

/// Runs before the schema check, which compares every pair of list entries.
void check_lengths(const json& value, const json::json_pointer& pointer, const std::string& where) {
  if (!value.is_structured()) return;
  if (value.size() > kLongestJsonList) {
    throw InputError(where + ": " + shown_pointer(pointer.to_string()) + ": has " + std::to_string(value.size()) +
                     " entries, expected at most " + std::to_string(kLongestJsonList));
  }
  for (const auto& [key, entry] : value.items()) {
    if (entry.is_structured()) check_lengths(entry, pointer / key, where);
  }
}

/// Rejects duplicate seeds, which would give identical members (draft 7 compares lists only as a whole).
void check_seeds(const json& document, const std::string& where) {
  const json::json_pointer pointer("/ensemble/seeds");
  if (!document.contains(pointer)) return;
  std::set<std::uint64_t> seen;
  for (const json& seed : document.at(pointer)) {
    if (seen.insert(seed.get<std::uint64_t>()).second) continue;
    throw InputError(where + ": " + pointer.to_string() + ": " + seed.dump() +
                     " is listed twice, expected every seed once");
  }
}

void check_against(const SchemaFile& file, const json& document, const std::string& where) {
  valijson::Validator validator;
  valijson::ValidationResults results;
  const valijson::adapters::NlohmannJsonAdapter target(document);
  if (validator.validate(file.schema, target, &results)) return;

  // The deepest violation is the cause; the others are its parents'.
  std::vector<std::string> context;
  std::string description;
  for (const auto& error : results) {
    if (description.empty() || error.context.size() > context.size()) {
      context = error.context;
      description = error.description;
    }
  }
  const json::json_pointer pointer = pointer_of(context);
  const std::string at = where + ": " + shown_pointer(pointer.to_string()) + ": ";
  const json* value = document.contains(pointer) || pointer.empty() ? &document.at(pointer) : nullptr;
  const json* governing = schema_at(file.document, pointer);
  if (value == nullptr || governing == nullptr) throw InputError(at + description);
  const std::string complaint = key_complaint(*value, *governing);
  if (!complaint.empty()) throw InputError(at + complaint);
  throw InputError(at + "got " + shown(*value) + ", expected " + expectation(*governing));
}

}  // namespace

void check_declaration_schema(const json& document, const std::string& where) {
  static const SchemaFile file("declaration.schema.json");
  check_lengths(document, json::json_pointer(), where);
  check_against(file, document, where);
  check_seeds(document, where);
}

void check_scene_schema(const json& document, const std::string& where) {
  static const SchemaFile file("scene.schema.json");
  check_against(file, document, where);
}

}  // namespace deformbench::harness
