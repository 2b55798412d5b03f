// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/parameter_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// 2⁵³: other JSON readers use double, which is not exact above it.
constexpr double kLargestSeed = 9007199254740992.0;

std::string number(double value) {
  return json(value).dump();
}

bool in_range(const ParameterInfo& info, double value) {
  if (!std::isfinite(value)) return false;
  if (info.minimum && (info.minimum_is_exclusive ? value <= *info.minimum : value < *info.minimum)) return false;
  if (info.maximum && (info.maximum_is_exclusive ? value >= *info.maximum : value > *info.maximum)) return false;
  return true;
}

/// Scenes and methods use int, so an integer without a declared maximum must fit int; seeds are exempt.
bool fits_int(const ParameterInfo& info, const json& value) {
  const double real = value.get<double>();
  if (info.name == "seed") return real <= kLargestSeed;
  return info.maximum || (real >= std::numeric_limits<int>::min() && real <= std::numeric_limits<int>::max());
}

/// The value in canonical form, or null if `info` does not accept it.
json accepted(const ParameterInfo& info, const json& value) {
  if (std::holds_alternative<bool>(info.default_value)) {
    if (value.is_boolean()) return value;
  } else if (std::holds_alternative<long long>(info.default_value)) {
    if (value.is_number_integer() && in_range(info, value.get<double>()) && fits_int(info, value))
      return value.get<long long>();
  } else if (std::holds_alternative<double>(info.default_value)) {
    if (value.is_number() && in_range(info, value.get<double>())) return value.get<double>();
  } else if (std::holds_alternative<std::string>(info.default_value)) {
    const auto& choices = info.choices;
    if (value.is_string() &&
        (choices.empty() || std::find(choices.begin(), choices.end(), value.get<std::string>()) != choices.end())) {
      return value;
    }
  } else if (value.is_array() && (!info.length || value.size() == *info.length)) {
    json list = json::array();
    for (const json& entry : value) {
      if (!entry.is_number() || !in_range(info, entry.get<double>())) return nullptr;
      list.push_back(entry.get<double>());
    }
    return list;
  }
  return nullptr;
}

}  // namespace

std::string expected_of(const ParameterInfo& info) {
  std::string text;
  if (std::holds_alternative<bool>(info.default_value)) return "true or false";
  if (std::holds_alternative<std::string>(info.default_value)) {
    if (info.choices.empty()) return "text";
    for (const std::string& choice : info.choices) text += (text.empty() ? "one of " : " | ") + choice;
    return text;
  }
  if (std::holds_alternative<long long>(info.default_value)) text = "integer";
  if (std::holds_alternative<double>(info.default_value)) text = "real";
  if (std::holds_alternative<std::vector<double>>(info.default_value)) {
    text = info.length ? "list of " + std::to_string(*info.length) + " reals" : "list of reals";
  }
  if (info.minimum) text += (info.minimum_is_exclusive ? " > " : " >= ") + number(*info.minimum);
  if (info.maximum) text += (info.maximum_is_exclusive ? " < " : " <= ") + number(*info.maximum);
  if (!info.unit.empty() && info.unit != "1") text += ", " + info.unit;
  return text;
}

json to_json(const ParameterValue& value) {
  return std::visit([](const auto& v) { return json(v); }, value);
}

const ParameterInfo* find_parameter(const ParameterSpec& spec, const std::string& name) {
  for (const ParameterInfo& info : spec) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

json checked_parameter(const ParameterInfo& info, const json& value, const std::string& pointer) {
  json result = accepted(info, value);
  if (!result.is_null()) return result;
  const bool is_too_large = value.is_number_integer() && in_range(info, value.get<double>()) && !fits_int(info, value);
  throw InputError(pointer + ": got " + shown(value) + ", expected " + expected_of(info) +
                   (is_too_large ? info.name == "seed" ? ", of at most 2^53" : ", of at most 2147483647" : ""));
}

json resolved_parameters(const ParameterSpec& spec, const json& set, const std::string& owner,
                         const std::string& pointer) {
  json result = json::object();
  for (const ParameterInfo& info : spec) result[info.name] = to_json(info.default_value);
  for (const auto& [name, value] : set.items()) {
    const ParameterInfo* info = find_parameter(spec, name);
    if (info == nullptr) {
      std::vector<std::string> known;
      for (const ParameterInfo& entry : spec) known.push_back(entry.name);
      throw InputError(pointer + "/" + name + ": " + owner + " has no parameter \"" + name + "\"" +
                       suggestion(name, known));
    }
    result[name] = checked_parameter(*info, value, pointer + "/" + name);
  }
  return result;
}

}  // namespace deformbench::harness
