// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/scenes_in_use.hpp"

#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

SceneFile checked_scene_file(const json& section, const SceneSource& source) {
  const std::string name = section["file"];
  SceneFile file = load_scene_file(source.folder / name);
  if (section.contains("name") && section["name"] != file.descriptor.id)
    throw InputError(source.where + "/scene/name: got " + shown(section["name"]) + ", expected \"" +
                     file.descriptor.id + "\", the name in " + name + ", or none");
  if (section.contains("content") && section["content"] != file.digest)
    throw InputError(source.where + "/scene/content: got " + shown(section["content"]) + ", expected \"" + file.digest +
                     "\", the digest of the scene file and its meshes, which have changed, or none");
  return file;
}

const SceneDescriptor& registered_scene(const json& section, const SceneSource& source) {
  if (section.contains("content"))
    throw InputError(source.where + "/scene/content: belongs to a scene file, expected \"file\" beside it");
  if (!section.contains("name"))
    throw InputError(source.where + "/scene: missing key \"name\", or \"file\" for a scene file");
  const std::string name = section.at("name");
  std::vector<std::string> known;
  for (const SceneDescriptor& scene : source.registered.all()) {
    if (scene.id == name) return scene;
    known.push_back(scene.id);
  }
  throw InputError(source.where + "/scene/name: unknown scene \"" + name + "\"" +
                   suggestion(name, known, "deformbench list scenes"));
}

/// Scene files of sweeps and --set, each with its location.
std::vector<std::pair<std::string, json>> named_files(const std::vector<Axis>& axes,
                                                      const std::vector<std::pair<std::string, json>>& set) {
  std::vector<std::pair<std::string, json>> files;
  for (const auto& [path, value] : set)
    if (path == kSceneFile) files = {{"--set " + path, value}};  // the last one counts
  if (!files.empty()) return files;
  for (const Axis& axis : axes)
    for (const auto& [path, values] : axis.paths)
      for (std::size_t i = 0; path == kSceneFile && i < values.size(); ++i)
        files.emplace_back(axis.pointer + "/" + std::to_string(i), values[i]);
  return files;
}

}  // namespace

ScenesInUse scenes_in_use(json& section, const std::vector<Axis>& axes,
                          const std::vector<std::pair<std::string, json>>& set, const SceneSource& source) {
  std::vector<std::pair<std::string, json>> files = named_files(axes, set);
  if (!files.empty())
    for (const char* of_another : {"name", "content"}) section.erase(of_another);
  if (files.empty() && section.contains("file")) files.emplace_back("/scene/file", section["file"]);
  ScenesInUse scenes;
  if (files.empty()) scenes[""].descriptor = &registered_scene(section, source);
  for (const auto& [pointer, value] : files) {
    if (!value.is_string())
      throw InputError(source.where + pointer + ": got " + shown(value) + ", expected the path of a scene file");
    section["file"] = value;
    SceneInUse& scene = scenes[value.get<std::string>()];
    scene.file = checked_scene_file(section, source);
    scene.descriptor = &scene.file->descriptor;
  }
  return scenes;
}

const SceneInUse& scene_at(const ScenesInUse& scenes, const json& coordinates) {
  if (scenes.size() == 1) return scenes.begin()->second;
  return scenes.at(coordinates.at(kSceneFile).get<std::string>());
}

}  // namespace deformbench::harness
