// SPDX-License-Identifier: BSD-3-Clause
// From a resolved spec to a scene and a method: what the run loop and the timing pass share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// JSON object -> values for Parameters. Throws InputError naming `owner` and the key for a value that is no
/// bool, number, text or list of numbers.
std::map<std::string, ParameterValue> parameter_values(const nlohmann::json& object, const std::string& owner);

/// Everything a run needs, checked.
struct CellSetup {
  const MethodDescriptor* method;
  const SceneDescriptor* scene_descriptor;
  Parameters method_parameters;
  Parameters scene_parameters;  ///< in an ensemble the member's seed is in `seed`, if there is one
  RunContext context;
  Scene scene;  ///< checked by check_scene
  Support support;
};

/// Builds the scene for `seed` and asks the method whether it supports it. Throws InputError.
CellSetup prepare_cell(const nlohmann::json& resolved_spec, const Registry& registry, const SceneRegistry& scenes,
                       std::uint64_t seed);

/// What fails a run: a solve that did not meet its tolerance, in words; nothing when it did, when none was asked for,
/// or when the method's parameters allow to miss it.
std::optional<std::string> missed_tolerance(const StepReport& report);

/// Seeds of the members: `ensemble.seeds`, or the spec's `seed` alone.
std::vector<std::uint64_t> member_seeds(const nlohmann::json& resolved_spec);
bool has_ensemble(const nlohmann::json& resolved_spec);

}  // namespace deformbench::harness
