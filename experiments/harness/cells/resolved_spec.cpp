// SPDX-License-Identifier: BSD-3-Clause
// Restores a cell from its resolved spec, as printed by `run --dry-run --json` and stored in traces.
#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/schema_check.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

using nlohmann::json;

Cell cell_of_resolved_spec(const json& spec, const std::string& where, const Selection& selection,
                           const Registry& registry, const SceneRegistry& scenes, const std::filesystem::path& folder) {
  for (const char* key : {"experiment", "scene", "method", "schedule"}) {
    if (!spec.contains(key)) throw InputError(where + ": /: missing key \"" + std::string(key) + "\"");
  }
  if (spec.contains("tier") && !spec["tier"].is_string())
    throw InputError(where + ": /tier: got " + shown(spec["tier"]) + ", expected text");
  if (spec.contains("coordinates") && !spec["coordinates"].is_object())
    throw InputError(where + ": /coordinates: got " + shown(spec["coordinates"]) + ", expected an object");
  json document = {{"doc", "A resolved cell."}, {"tiers", {{"smoke", json::object()}, {"paper", json::object()}}}};
  for (const auto& [key, value] : spec.items()) {
    if (key == "experiment") {
      document["id"] = value;
    } else if (key == "method") {
      if (!value.is_object() || !value.contains("id")) throw InputError(where + ": /method: missing key \"id\"");
      json entry = value;
      entry["method"] = value["id"];
      entry.erase("id");
      document["methods"] = json::array({entry});
    } else if (key == "expect") {
      if (!value.is_object()) throw InputError(where + ": /expect: got " + shown(value) + ", expected an object");
      json entry = value;
      if (!entry.contains("because")) entry["because"] = "as resolved";
      document["expect"] = json::array({entry});
    } else if (key != "format" && key != "tier" && key != "coordinates") {
      document[key] = value;
    }
  }
  check_declaration_schema(document, where);
  Selection only_cell = selection;
  only_cell.tier = "paper";
  std::vector<Cell> cells = expand({document["id"], where, document, folder}, only_cell, registry, scenes);
  Cell cell = std::move(cells.at(0));
  if (spec.contains("tier")) cell.spec["tier"] = spec["tier"];
  cell.spec["coordinates"] = spec.value("coordinates", json::object());
  for (const auto& [path, value] : selection.set) cell.spec["coordinates"].erase(path);
  if (spec.contains("expect") && cell.is_built) cell.spec["expect"] = spec["expect"];
  cell.id = cell_id(cell.spec, method_fingerprint(cell.spec["method"]["id"].get<std::string>()));
  return cell;
}

}  // namespace deformbench::harness
