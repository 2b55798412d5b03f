// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/scene_file/scene_file.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/harness/cells/scene_file/scene_reader.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/schema_check.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// Room for some two million tetrahedra. Larger bodies belong in a mesh file.
constexpr std::size_t kMostSceneValues = 20'000'000;

std::string prefix_of_material(const ReadScene& read, std::size_t index) {
  return read.material_ids.size() == 1 ? "" : read.material_ids[index] + "_";
}

ParameterSpec parameters_of_file(const ReadScene& read) {
  ParameterSpec spec{
      positive_parameter("time_step_s", "s", read.scene.time_step, "Time step."),
      scenes::vector_parameter("gravity_m_s2", "m/s^2", read.scene.gravity, "Gravity."),
  };
  if (read.scene.cloth.vertex_count() > 0)
    spec.push_back(positive_parameter("area_density_kg_m2", "kg/m^2", read.scene.cloth.area_density,
                                      "Mass of the cloth per area."));
  for (std::size_t k = 0; k < read.scene.materials.size(); ++k) {
    const auto& material = read.scene.materials[k];
    const std::string prefix = prefix_of_material(read, k);
    spec.push_back(positive_parameter(prefix + "young_modulus_pa", "Pa", material.young_modulus, "Young's modulus."));
    spec.push_back(scenes::poisson_parameter(material.poisson_ratio));
    spec.back().name = prefix + spec.back().name;
    spec.push_back(positive_parameter(prefix + "density_kg_m3", "kg/m^3", material.density, "Density."));
  }
  return spec;
}

Scene with_parameters(const ReadScene& read, const Parameters& parameters) {
  Scene scene = read.scene;
  scene.time_step = parameters.real("time_step_s");
  scene.gravity = scenes::vector_of(parameters, "gravity_m_s2");
  if (scene.cloth.vertex_count() > 0) scene.cloth.area_density = parameters.real("area_density_kg_m2");
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const std::string prefix = prefix_of_material(read, k);
    scene.materials[k] = {parameters.real(prefix + "young_modulus_pa"), parameters.real(prefix + "poisson_ratio"),
                          parameters.real(prefix + "density_kg_m3")};
  }
  return scene;
}

}  // namespace

json load_scene_document(const std::filesystem::path& file) {
  return load_json(file, kMostSceneValues);
}

bool is_scene_document(const json& document) {
  return document.is_object() && document.contains("format") && document["format"] == "deformbench-scene";
}

SceneFile load_scene_file(const std::filesystem::path& file) {
  const json document = load_scene_document(file);
  const std::string where = file.filename().string();
  if (!is_scene_document(document))
    throw InputError(where + ": /format: expected \"deformbench-scene\" of a scene file");
  check_scene_schema(document, where);
  const auto read = std::make_shared<const ReadScene>(read_scene(document, where, file.parent_path()));
  std::string content = canonical_json(document);
  for (const auto& mesh : read->mesh_files) content += "\n" + xxh3_128_of_file(mesh);
  SceneFile result;
  result.path = std::filesystem::absolute(file).lexically_normal();
  result.files = {result.path};
  for (const auto& mesh : read->mesh_files) {
    const auto path = std::filesystem::absolute(mesh).lexically_normal();
    if (std::find(result.files.begin(), result.files.end(), path) == result.files.end()) result.files.push_back(path);
  }
  result.digest = xxh3_128(content);
  result.descriptor = {read->scene.name, document.value("doc", "Scene of " + where + "."), parameters_of_file(*read),
                       [read](const Parameters& parameters) { return with_parameters(*read, parameters); }};
  return result;
}

SceneRegistry scenes_of_spec(const json& resolved_spec, const SceneRegistry& registered) {
  const json scene = resolved_spec.value("scene", json::object());
  if (!scene.is_object() || !scene.contains("file")) return registered;
  SceneFile file = load_scene_file(scene["file"].get<std::string>());
  if (scene.value("content", "") != file.digest)
    throw InputError(file.path.string() + ": its content is " + file.digest + ", expected " +
                     scene.value("content", "") + " as when the cell was resolved");
  SceneRegistry one;
  one.add(std::move(file.descriptor));
  return one;
}

}  // namespace deformbench::harness
