// SPDX-License-Identifier: BSD-3-Clause
// export-scene: writes a registered scene or a scene file as a scene file of plain lists.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/parameter_json.hpp"
#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/cells/scene_file/scene_writer.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "experiments/harness/files/ordinary_file.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

SceneDescriptor scene_to_export(const std::string& name, const SceneRegistry& scenes) {
  if (name.ends_with(".json")) return load_scene_file(name).descriptor;
  std::vector<std::string> known;
  for (const SceneDescriptor& scene : scenes.all()) {
    if (scene.id == name) return scene;
    known.push_back(scene.id);
  }
  throw InputError("export-scene: unknown scene \"" + name + "\"" + suggestion(name, known, "deformbench list scenes"));
}

}  // namespace

int export_scene_command(const ExportSceneArguments& arguments, const Context& context) {
  const SceneDescriptor descriptor = scene_to_export(arguments.scene, context.scenes);
  nlohmann::json set = nlohmann::json::object();
  for (const std::string& text : arguments.set) {
    const auto [path, value] = parse_assignment(text);
    const std::string prefix = "scene.parameters.";
    set[path.starts_with(prefix) ? path.substr(prefix.size()) : path] = value;
  }
  const std::string owner = "scene " + descriptor.id;
  const nlohmann::json values = resolved_parameters(descriptor.parameters, set, owner, "--set");
  const std::string text =
      scene_json(descriptor.build(Parameters(descriptor.parameters, parameter_values(values, owner), owner)));
  if (arguments.to.empty()) {
    std::cout << text;
    return 0;
  }
  require_no_waiting(arguments.to);
  std::ofstream stream(arguments.to, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw InputError("--to " + arguments.to + ": cannot be written, expected a file that can be made");
  return 0;
}

}  // namespace deformbench::harness
