// SPDX-License-Identifier: BSD-3-Clause
// Converts a resolved spec to a scene and a method; shared by the run loop and the timing pass.
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

/// JSON object -> values for Parameters. Throws InputError naming `owner` and the key for a value other than a bool,
/// number, text or list of numbers.
std::map<std::string, ParameterValue> parameter_values(const nlohmann::json& object, const std::string& owner);

/// Validated input of a run.
struct CellSetup {
  const MethodDescriptor* method;
  const SceneDescriptor* scene_descriptor;
  Parameters method_parameters;
  Parameters scene_parameters;  ///< in an ensemble `seed`, if present, is the member's
  RunContext context;
  Scene scene;  ///< checked by check_scene
  Support support;
};

/// Builds the scene for `seed` and stores whether the method supports it. InputError.
CellSetup prepare_cell(const nlohmann::json& resolved_spec, const Registry& registry, const SceneRegistry& scenes,
                       std::uint64_t seed);

/// Description of a missed solver tolerance, which fails the run; nothing if it was met, not requested, or if the
/// method's parameters allow missing it.
std::optional<std::string> missed_tolerance(const StepReport& report);

/// Seeds of the members: `ensemble.seeds`, or the spec's `seed` alone.
std::vector<std::uint64_t> member_seeds(const nlohmann::json& resolved_spec);
bool has_ensemble(const nlohmann::json& resolved_spec);

}  // namespace deformbench::harness
