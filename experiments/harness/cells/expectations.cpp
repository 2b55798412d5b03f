// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/expectations.hpp"

#include <algorithm>
#include <limits>

#include "experiments/harness/cells/sweep.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The value at a dotted path of a cell's spec, or null.
json value_at(const json& spec, const std::string& path) {
  const json::json_pointer pointer = pointer_of_path(path);
  return spec.contains(pointer) ? spec.at(pointer) : json();
}

bool agrees(const json& value, const json& wanted) {
  if (wanted.is_array() && !value.is_array()) return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  if (wanted.is_object() && value.is_number()) {
    return value.get<double>() >= wanted.value("min", -kInfinity) &&
           value.get<double>() <= wanted.value("max", kInfinity);
  }
  return value == wanted;
}

void check_bounds(const json& wanted, const std::string& at) {
  if (!wanted.is_object()) return;
  for (const auto& [key, bound] : wanted.items()) {
    if ((key != "min" && key != "max") || !bound.is_number()) {
      throw InputError(at + ": got " + shown(wanted) +
                       ", expected a value, a list of values, or {\"min\": a, \"max\": b}");
    }
  }
  if (wanted.value("min", -kInfinity) > wanted.value("max", kInfinity)) {
    throw InputError(at + ": got " + shown(wanted) + ", expected \"min\" at most \"max\": no value lies between");
  }
}

}  // namespace

void apply_expectations(const json& expectations, std::vector<Cell>& cells, const std::string& where,
                        bool may_lack_paths) {
  for (std::size_t i = expectations.size(); i-- > 0;) {  // backwards, so that the first match is written last
    const json& entry = expectations[i];
    const json conditions = entry.value("where", json::object());
    for (const auto& [path, wanted] : conditions.items()) {
      const std::string at = where + "/expect/" + std::to_string(i) + "/where/" + path;
      check_bounds(wanted, at);
      const auto has_path = [&path = path](const Cell& cell) { return !value_at(cell.spec, path).is_null(); };
      if (!cells.empty() && !may_lack_paths && std::none_of(cells.begin(), cells.end(), has_path)) {
        throw InputError(at +
                         ": got a path that no cell has, expected one such as method.name, method.id, "
                         "method.parameters.<name> or scene.parameters.<name>");
      }
    }
    for (Cell& cell : cells) {
      bool matches = true;
      for (const auto& [path, wanted] : conditions.items())
        matches = matches && agrees(value_at(cell.spec, path), wanted);
      if (matches) cell.spec["expect"] = {{"status", entry["status"]}, {"because", entry["because"]}};
    }
  }
}

void expect_not_built(Cell& cell, const MethodDescriptor& method) {
  cell.is_built = method.not_built.empty();
  if (cell.is_built) return;
  cell.spec["expect"] = {{"status", "unsupported"}, {"because", "not built: " + method.not_built}};
}

}  // namespace deformbench::harness
