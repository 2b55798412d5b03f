// SPDX-License-Identifier: BSD-3-Clause
// Two methods and a scene with parameters of every type, and the smallest declaration: nothing here is ever run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/harness/cells/declaration.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness::test {

using nlohmann::json;

inline ParameterInfo positive(const std::string& name, const std::string& unit, double value) {
  ParameterInfo info{name, unit, value, "A positive number.", 0.0};
  info.minimum_is_exclusive = true;
  return info;
}

inline Registry small_registry() {
  Registry registry;
  MethodDescriptor method;
  method.summary = "For tests";
  method.paper = {"T", "none"};
  method.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  method.create = [](const Scene&, const Parameters&, const RunContext&) { return std::unique_ptr<Simulation>(); };
  method.id = "exact_fem";
  ParameterInfo solver{"solver", "", std::string("cg"), "Which."};
  solver.choices = {"cg", "direct"};
  ParameterInfo axis{"axis", "1", std::vector<double>{0, 0, 1}, "A vector."};
  axis.length = 3;
  method.parameters = {solver,
                       positive("tolerance", "1", 1e-10),
                       {"iterations", "1", 0LL, "How many.", 0.0},
                       axis,
                       {"is_fast", "", false, "A flag."}};
  registry.add(method);
  method.id = "plain_fem";
  method.parameters = {};
  registry.add(method);
  return registry;
}

inline SceneRegistry small_scenes() {
  SceneRegistry scenes;
  scenes.add(
      {"cube",
       "For tests",
       {positive("length_m", "m", 1.0), {"angle_deg", "deg", 0.0, "An angle."}, positive("time_step_s", "s", 0.01)},
       [](const Parameters&) { return Scene{}; }});
  return scenes;
}

inline json small_declaration() {
  return json::parse(R"({
    "id": "tests/turning_cube", "doc": "A cube that turns.",
    "scene": {"name": "cube"},
    "methods": [{"name": "exact", "method": "exact_fem"}, {"name": "plain", "method": "plain_fem"}],
    "schedule": {"steps": 10},
    "tiers": {"smoke": {"schedule": {"steps": 2}}, "paper": {}}})");
}

inline Selection at_tier(const std::string& tier) {
  Selection selection;
  selection.tier = tier;
  return selection;
}
inline Selection only_method(const std::string& name) {
  Selection selection;
  selection.methods = {name};
  return selection;
}

inline std::vector<Cell> cells_of(const json& declaration, const Selection& selection = {}) {
  return expand(parse_declaration(declaration, "turning_cube.json"), selection, small_registry(), small_scenes());
}

/// What the InputError says; "accepted" when there is none.
inline std::string complaint_about(const json& declaration, const Selection& selection = {}) {
  try {
    cells_of(declaration, selection);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace deformbench::harness::test
