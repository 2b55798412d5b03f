// SPDX-License-Identifier: BSD-3-Clause
// JSON parameters: checked against their specification, completed with defaults.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "methods/parameters.hpp"

namespace deformbench::harness {

/// Throws InputError `<pointer>: got <value>, expected …` unless `info` accepts `value`; returns the canonical form
/// (an integer given for a real becomes a real, so that 1 and 1.0 give the same cell).
nlohmann::json checked_parameter(const ParameterInfo& info, const nlohmann::json& value, const std::string& pointer);

/// The defaults of `spec`, overridden by `set`. Throws InputError for unknown names (with the nearest) or bad
/// values; `owner` is e.g. "method linear_fem", `pointer` locates `set`.
nlohmann::json resolved_parameters(const ParameterSpec& spec, const nlohmann::json& set, const std::string& owner,
                                   const std::string& pointer);

nlohmann::json to_json(const ParameterValue& value);
const ParameterInfo* find_parameter(const ParameterSpec& spec, const std::string& name);

/// "real > 0, Pa", "one of cg | direct", "list of 3 reals" …
std::string expected_of(const ParameterInfo& info);

}  // namespace deformbench::harness
