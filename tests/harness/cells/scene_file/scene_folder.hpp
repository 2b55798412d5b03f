// SPDX-License-Identifier: BSD-3-Clause
// A folder with a scene file and a mesh file, for a test.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness::test {

/// Two unit cubes of six tetrahedra each, side by side along x, regions 1 and 2: MEDIT. Of its faces, group 5 is the
/// side x = 0, and group 6 one triangle between the cubes.
inline std::string two_cubes() {
  std::string text = "MeshVersionFormatted 2\nDimension 3\nVertices\n12\n";
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z)
        text += std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + " 0\n";
  text += "Triangles\n3\n1 3 4 5\n2 1 4 5\n5 7 8 6\n";
  text += "Tetrahedra\n12\n";
  const int paths[6][2] = {{4, 2}, {4, 1}, {2, 4}, {2, 1}, {1, 4}, {1, 2}};  // steps along the edges of a cube
  for (int cube = 0; cube < 2; ++cube)
    for (int p = 0; p < 6; ++p) {
      const int first = 4 * cube + 1, second = first + paths[p][0], third = second + paths[p][1], last = first + 7;
      const bool is_even = p == 0 || p == 3 || p == 4;
      text += std::to_string(first) + " " + std::to_string(is_even ? second : third) + " " +
              std::to_string(is_even ? third : second) + " " + std::to_string(last) + " " + std::to_string(cube + 1) +
              "\n";
    }
  return text + "End\n";
}

class SceneFolder : public testing::Test {
 protected:
  SceneFolder() {
    folder_ = std::filesystem::path(testing::TempDir()) / ("scene_folder_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    write("cubes.mesh", two_cubes());
  }
  ~SceneFolder() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  /// The two cubes of one material, with `patch` (RFC 7386) on top.
  static nlohmann::json cubes(const char* patch = "{}") {
    nlohmann::json document = nlohmann::json::parse(R"({
      "format": "deformbench-scene", "format_version": 1, "name": "cubes", "time_step_s": 0.01,
      "body": {"kind": "tetrahedra", "meshes": [{"id": "pair", "file": "cubes.mesh"}]},
      "materials": [{"id": "one", "young_modulus_pa": 1e5, "poisson_ratio": 0.3, "density_kg_m3": 1000}]})");
    document.merge_patch(nlohmann::json::parse(patch));
    return document;
  }

  Scene scene_of(const nlohmann::json& document) const {
    const SceneDescriptor descriptor = load_scene_file(write("s.json", document.dump())).descriptor;
    return descriptor.build(Parameters(descriptor.parameters, {}, "scene"));
  }
  Scene scene_of(const char* patch) const { return scene_of(cubes(patch)); }
  std::string digest_of(const nlohmann::json& document) const {
    return load_scene_file(write("s.json", document.dump())).digest;
  }
  /// What reading the text is refused with; "" when it is not.
  std::string refusal(const std::string& text) const {
    try {
      load_scene_file(write("s.json", text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

}  // namespace deformbench::harness::test
