// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/declaration.hpp"

#include <algorithm>

#include "experiments/harness/cells/sweep.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/files/schema_check.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// Last part of a dotted path, for labels.
std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// A text in a label: its first line, shortened if long.
std::string first_words(const std::string& text) {
  constexpr std::size_t kMost = 60;
  std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  if (end == text.size() && end <= kMost) return text;
  end = std::min(end, kMost);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;  // do not split a UTF-8 character
  return text.substr(0, end) + "…";
}

}  // namespace

std::string Cell::label() const {
  std::string text = method_name();
  for (const auto& [path, value] : spec.at("coordinates").items()) {
    text += ", " + last_part(path) + "=" + (value.is_string() ? first_words(value.get<std::string>()) : value.dump());
  }
  if (const std::string who = claimed_by(); !who.empty()) text += " (" + who + ")";
  return text;
}

bool is_resolved_spec(const json& document) {
  return document.is_object() && document.value("format", json()) == "deformbench-cell";
}

Declaration parse_declaration(const json& document, const std::string& where, const std::filesystem::path& folder) {
  check_declaration_schema(document, where);
  return {document.at("id"), where, document, folder};
}

Declaration load_declaration(const std::filesystem::path& file) {
  Declaration declaration = parse_declaration(load_json(file), file.filename().string(), file.parent_path());
  const std::string name = file.stem().string();
  if (declaration.id.substr(declaration.id.find('/') + 1) != name) {
    throw InputError(declaration.where + ": /id: got \"" + declaration.id + "\", expected <folder>/" + name +
                     ", as the file is called");
  }
  return declaration;
}

std::string cell_id(const json& resolved_spec, const std::string& fingerprint) {
  json identifying = resolved_spec;
  // The trace does not depend on how a cell is selected, judged or timed.
  for (const char* key : {"experiment", "tier", "expect", "timing", "time_limit_s"}) identifying.erase(key);
  // Nor on who recommends a method's settings, nor on the path of an external method: its bytes are fingerprinted.
  if (identifying.contains("method") && identifying["method"].is_object())
    for (const char* key : {"claimed_by", "plugin", "program"}) identifying["method"].erase(key);
  // Nor on the path of a scene file: its content is identified.
  if (identifying.contains("coordinates") && identifying["coordinates"].is_object())
    identifying["coordinates"].erase(kSceneFile);
  if (identifying.contains("scene") && identifying["scene"].is_object()) identifying["scene"].erase("file");
  return xxh3_128(canonical_json(identifying) + "\n" + fingerprint);
}

std::pair<std::string, json> parse_assignment(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError("--set " + text + ": expected path=value, such as scene.parameters.length_m=2");
  }
  const std::string value = text.substr(equals + 1), where = "--set " + shortened(text.substr(0, equals));
  if (json::accept(value)) return {text.substr(0, equals), parse_json(value, where)};
  const json plain(value);
  try {
    static_cast<void>(plain.dump());
  } catch (const json::type_error&) {
    throw InputError(where + ": got " + shown(plain) + ", expected JSON or text in UTF-8");
  }
  return {text.substr(0, equals), plain};
}

}  // namespace deformbench::harness
