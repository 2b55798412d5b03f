// SPDX-License-Identifier: BSD-3-Clause
// Declared, checked parameters of methods and scenes. One declaration drives validation, the schema,
// `deformbench describe` and the documentation. The harness converts from JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace deformbench {

/// bool | integer | real | text | list of reals. Choices are text.
using ParameterValue = std::variant<bool, long long, double, std::string, std::vector<double>>;

struct ParameterInfo {
  std::string name;  ///< snake_case, with the unit as suffix if any: young_modulus_pa
  std::string unit;  ///< SI symbol, "1" if dimensionless, "" for choices and flags
  ParameterValue default_value;
  std::string doc;                     ///< one sentence, with the source equation where there is one
  std::optional<double> minimum = {};  ///< of a number or list entry; usually inclusive
  std::optional<double> maximum = {};
  std::vector<std::string> choices = {};  ///< for text: the only values allowed
  bool minimum_is_exclusive = false;
  bool maximum_is_exclusive = false;
  std::optional<std::size_t> length = {};  ///< for lists: the exact number of entries
};

using ParameterSpec = std::vector<ParameterInfo>;

// Make one parameter each, for lists of methods and scenes. Bounds are inclusive, except in positive_parameter.
ParameterInfo real_parameter(std::string name, std::string unit, double default_value, std::string doc);
ParameterInfo positive_parameter(std::string name, std::string unit, double default_value, std::string doc);
ParameterInfo non_negative_parameter(std::string name, std::string unit, double default_value, std::string doc);
ParameterInfo real_parameter(std::string name, std::string unit, double default_value, double minimum, double maximum,
                             std::string doc);
ParameterInfo count_parameter(std::string name, long long default_value, long long minimum, std::string doc);
ParameterInfo flag_parameter(std::string name, bool default_value, std::string doc);
ParameterInfo choice_parameter(std::string name, std::string default_value, std::vector<std::string> choices,
                               std::string doc);

/// A value for every parameter of a spec: as set, or the default.
class Parameters {
 public:
  Parameters() = default;
  /// Throws InputError "parameter 'x' of <owner>: …, expected …" on a wrong name, type or value.
  /// An integer is accepted for a real.
  Parameters(const ParameterSpec& spec, const std::map<std::string, ParameterValue>& set, const std::string& owner);

  bool flag(const std::string& name) const;
  long long integer(const std::string& name) const;
  double real(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const std::vector<double>& list(const std::string& name) const;
  const std::map<std::string, ParameterValue>& values() const { return values_; }

 private:
  std::map<std::string, ParameterValue> values_;
};

}  // namespace deformbench
