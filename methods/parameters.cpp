// SPDX-License-Identifier: BSD-3-Clause
#include "methods/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "methods/model/error.hpp"

namespace deformbench {

ParameterInfo real_parameter(std::string name, std::string unit, double default_value, std::string doc) {
  return {std::move(name), std::move(unit), default_value, std::move(doc)};
}

ParameterInfo positive_parameter(std::string name, std::string unit, double default_value, std::string doc) {
  ParameterInfo info = real_parameter(std::move(name), std::move(unit), default_value, std::move(doc));
  info.minimum = 0.0;
  info.minimum_is_exclusive = true;
  return info;
}

ParameterInfo non_negative_parameter(std::string name, std::string unit, double default_value, std::string doc) {
  ParameterInfo info = real_parameter(std::move(name), std::move(unit), default_value, std::move(doc));
  info.minimum = 0.0;
  return info;
}

ParameterInfo real_parameter(std::string name, std::string unit, double default_value, double minimum, double maximum,
                             std::string doc) {
  ParameterInfo info = real_parameter(std::move(name), std::move(unit), default_value, std::move(doc));
  info.minimum = minimum, info.maximum = maximum;
  return info;
}

ParameterInfo count_parameter(std::string name, long long default_value, long long minimum, std::string doc) {
  ParameterInfo info{std::move(name), "1", default_value, std::move(doc)};
  info.minimum = double(minimum);
  return info;
}

ParameterInfo flag_parameter(std::string name, bool default_value, std::string doc) {
  return {std::move(name), "", default_value, std::move(doc)};
}

ParameterInfo choice_parameter(std::string name, std::string default_value, std::vector<std::string> choices,
                               std::string doc) {
  ParameterInfo info{std::move(name), "", std::move(default_value), std::move(doc)};
  info.choices = std::move(choices);
  return info;
}

namespace {

struct Printer {
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(long long v) const { return std::to_string(v); }
  std::string operator()(double v) const { return fmt::format("{}", v); }
  std::string operator()(const std::string& v) const { return "'" + v + "'"; }
  std::string operator()(const std::vector<double>& v) const { return fmt::format("[{}]", fmt::join(v, ", ")); }
};

const char* type_name(const ParameterValue& value) {
  static constexpr const char* kNames[] = {"true or false", "an integer", "a number", "a text", "a list of numbers"};
  return kNames[value.index()];
}

std::string range_text(const ParameterInfo& info) {
  std::string text;
  if (info.minimum) text += fmt::format(" {} {}", info.minimum_is_exclusive ? ">" : "≥", *info.minimum);
  if (info.maximum)
    text += fmt::format("{} {} {}", text.empty() ? "" : " and", info.maximum_is_exclusive ? "<" : "≤", *info.maximum);
  return text;
}

bool in_range(const ParameterInfo& info, double value) {
  if (!std::isfinite(value)) return false;
  if (info.minimum && (value < *info.minimum || (info.minimum_is_exclusive && value == *info.minimum))) return false;
  if (info.maximum && (value > *info.maximum || (info.maximum_is_exclusive && value == *info.maximum))) return false;
  return true;
}

/// Scenes and methods count with int, so an integer without a maximum must fit int; seeds need not.
bool fits_int(const ParameterInfo& info, long long value) {
  return info.maximum || info.name == "seed" ||
         (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max());
}

[[noreturn]] void refuse_value(const std::string& owner, const ParameterInfo& info, const ParameterValue& got,
                               const std::string& expected) {
  throw InputError(
      fmt::format("parameter '{}' of {}: got {}, expected {}", info.name, owner, std::visit(Printer{}, got), expected));
}

ParameterValue checked(const ParameterInfo& info, ParameterValue value, const std::string& owner) {
  const ParameterValue given = value;
  if (std::holds_alternative<double>(info.default_value) && std::holds_alternative<long long>(value))
    value = double(std::get<long long>(value));
  if (value.index() != info.default_value.index())
    refuse_value(owner, info, given, type_name(info.default_value) + range_text(info));
  if (const auto* real = std::get_if<double>(&value); real && !in_range(info, *real))
    refuse_value(owner, info, given, "a finite number" + range_text(info));
  if (const auto* integer = std::get_if<long long>(&value); integer && !in_range(info, double(*integer)))
    refuse_value(owner, info, given, "an integer" + range_text(info));
  if (const auto* integer = std::get_if<long long>(&value); integer && !fits_int(info, *integer))
    refuse_value(owner, info, given,
                 fmt::format("an integer{}, of at most {}", range_text(info), std::numeric_limits<int>::max()));
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    if (info.length && list->size() != *info.length)
      refuse_value(owner, info, given, fmt::format("a list of {} numbers", *info.length));
    for (const double entry : *list)
      if (!in_range(info, entry)) refuse_value(owner, info, given, "finite numbers" + range_text(info));
  }
  if (const auto* text = std::get_if<std::string>(&value);
      text && !info.choices.empty() && std::find(info.choices.begin(), info.choices.end(), *text) == info.choices.end())
    refuse_value(owner, info, given, fmt::format("one of {}", fmt::join(info.choices, ", ")));
  return value;
}

template <class T>
const T& get(const std::map<std::string, ParameterValue>& values, const std::string& name) {
  const auto found = values.find(name);
  // Asking for an undeclared parameter or another type is a defect of the method, not of the input.
  if (found == values.end()) throw std::logic_error("parameter '" + name + "' is not declared");
  if (const T* value = std::get_if<T>(&found->second)) return *value;
  throw std::logic_error("parameter '" + name + "' is declared with another type");
}

}  // namespace

Parameters::Parameters(const ParameterSpec& spec, const std::map<std::string, ParameterValue>& set,
                       const std::string& owner) {
  for (const auto& info : spec) values_[info.name] = info.default_value;
  for (const auto& [name, value] : set) {
    const auto info =
        std::find_if(spec.begin(), spec.end(), [&wanted = name](const auto& i) { return i.name == wanted; });
    if (info == spec.end()) {
      std::vector<std::string> known;
      for (const auto& i : spec) known.push_back(i.name);
      throw InputError(
          fmt::format("parameter '{}' of {}: unknown, expected one of {}", name, owner, fmt::join(known, ", ")));
    }
    values_[name] = checked(*info, value, owner);
  }
}

bool Parameters::flag(const std::string& name) const {
  return get<bool>(values_, name);
}
long long Parameters::integer(const std::string& name) const {
  return get<long long>(values_, name);
}
double Parameters::real(const std::string& name) const {
  return get<double>(values_, name);
}
const std::string& Parameters::text(const std::string& name) const {
  return get<std::string>(values_, name);
}
const std::vector<double>& Parameters::list(const std::string& name) const {
  return get<std::vector<double>>(values_, name);
}

}  // namespace deformbench
