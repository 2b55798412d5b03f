// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/cell_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

ParameterValue parameter_value(const json& value, const std::string& name, const std::string& owner) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<long long>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  const bool is_list =
      value.is_array() && std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_number(); });
  if (is_list) return value.get<std::vector<double>>();
  throw InputError(
      fmt::format("parameter '{}' of {}: got {}, expected true or false, a number, a text or a list of "
                  "numbers",
                  name, owner, value.dump()));
}

const json& member(const json& object, const char* key, const char* where) {
  if (!object.is_object() || !object.contains(key))
    throw InputError(
        fmt::format("resolved spec: no '{}' in {}, expected a cell as `run --dry-run --json` prints it", key, where));
  return object.at(key);
}

json parameters_of(const json& object) {
  return object.value("parameters", json::object());
}

bool asks_for(const json& spec, const char* channel) {
  const json clocks = spec.value("channels", json::object());
  return std::any_of(clocks.begin(), clocks.end(), [&](const json& clock) {
    const json names = clock.value("names", json::array());
    return std::find(names.begin(), names.end(), channel) != names.end();
  });
}

bool has_seed(const SceneDescriptor& scene) {
  return std::any_of(scene.parameters.begin(), scene.parameters.end(),
                     [](const ParameterInfo& info) { return info.name == "seed"; });
}

}  // namespace

std::map<std::string, ParameterValue> parameter_values(const json& object, const std::string& owner) {
  std::map<std::string, ParameterValue> values;
  for (const auto& [name, value] : object.items()) values[name] = parameter_value(value, name, owner);
  return values;
}

bool has_ensemble(const json& spec) {
  return spec.contains("ensemble") && spec["ensemble"].is_object() && spec["ensemble"].contains("seeds") &&
         !spec["ensemble"]["seeds"].empty();
}

std::vector<std::uint64_t> member_seeds(const json& spec) {
  if (has_ensemble(spec)) return spec["ensemble"]["seeds"].get<std::vector<std::uint64_t>>();
  return {spec.value("seed", std::uint64_t{1})};
}

std::optional<std::string> missed_tolerance(const StepReport& report) {
  if (report.converged.value_or(true) || report.may_miss_tolerance) return std::nullopt;
  const std::string who = report.is_nonlinear
                              ? fmt::format("the nonlinear solve stopped after {} linear {}", report.solves,
                                            report.solves == 1 ? "system" : "systems")
                              : fmt::format("the linear solver stopped after {} iterations", report.iterations);
  return fmt::format("{} at a relative residual of {:.3g}, expected at most {:.3g}", who, report.residual,
                     report.tolerance);
}

CellSetup prepare_cell(const json& spec, const Registry& registry, const SceneRegistry& scenes, std::uint64_t seed) {
  const json& scene_spec = member(spec, "scene", "the cell");
  const json& method_spec = member(spec, "method", "the cell");
  CellSetup setup;
  setup.method = &registry.at(member(method_spec, "id", "method").get<std::string>());
  setup.scene_descriptor = &scenes.at(member(scene_spec, "name", "scene").get<std::string>());

  const std::string method_owner = "method " + setup.method->id;
  setup.method_parameters =
      Parameters(setup.method->parameters, parameter_values(parameters_of(method_spec), method_owner), method_owner);
  const std::string scene_owner = "scene " + setup.scene_descriptor->id;
  auto scene_values = parameter_values(parameters_of(scene_spec), scene_owner);
  // Only an ensemble overrides the scene's seed: it is the only difference between members.
  if (has_ensemble(spec) && has_seed(*setup.scene_descriptor)) scene_values["seed"] = static_cast<long long>(seed);
  setup.scene_parameters = Parameters(setup.scene_descriptor->parameters, scene_values, scene_owner);

  setup.context.seed = seed;
  setup.context.threads = spec.value("threads", 1);
  setup.context.check_residual = asks_for(spec, "solver_true_residual");
  setup.scene = setup.scene_descriptor->build(setup.scene_parameters);
  check_scene(setup.scene);
  setup.support = setup.method->supports(setup.scene, setup.method_parameters);
  return setup;
}

}  // namespace deformbench::harness
