// SPDX-License-Identifier: BSD-3-Clause
// Declared, checked parameters of methods and scenes. One declaration feeds the check of a file, the schema,
// `deformbench describe` and the documentation. No JSON here: the harness converts.
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
  std::string name;  ///< snake_case, the unit as suffix where it has one: young_modulus_pa
  std::string unit;  ///< SI symbol, "1" if dimensionless, "" for choices and flags
  ParameterValue default_value;
  std::string doc;                     ///< one sentence, with the source equation where there is one
  std::optional<double> minimum = {};  ///< inclusive; for numbers and each entry of a list
  std::optional<double> maximum = {};
  std::vector<std::string> choices = {};  ///< for text: the only values allowed
  bool minimum_is_exclusive = false;
  bool maximum_is_exclusive = false;
  std::optional<std::size_t> length = {};  ///< for lists: the exact number of entries
};

using ParameterSpec = std::vector<ParameterInfo>;

// Parameters of one kind each, for the lists of methods and scenes. Bounds are inclusive, but that of `positive`.
ParameterInfo real_parameter(std::string name, std::string unit, double default_value, std::string doc);
ParameterInfo positive_parameter(std::string name, std::string unit, double default_value, std::string doc);
ParameterInfo non_negative_parameter(std::string name, std::string unit, double default_value, std::string doc);
ParameterInfo real_parameter(std::string name, std::string unit, double default_value, double minimum, double maximum,
                             std::string doc);
ParameterInfo count_parameter(std::string name, long long default_value, long long minimum, std::string doc);
ParameterInfo flag_parameter(std::string name, bool default_value, std::string doc);
ParameterInfo choice_parameter(std::string name, std::string default_value, std::vector<std::string> choices,
                               std::string doc);

/// Values for every parameter of a spec: defaults overlaid with what was set.
class Parameters {
 public:
  Parameters() = default;
  /// Throws InputError "parameter 'x' of <owner>: got …, expected …" on an unknown name, type or range.
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
