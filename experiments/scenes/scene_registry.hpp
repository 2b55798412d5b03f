// SPDX-License-Identifier: BSD-3-Clause
// Scene builders by name, one file per scene; CMakeLists.txt lists them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench {

struct SceneDescriptor {
  std::string id;                                 ///< snake_case
  std::string summary;                            ///< one sentence
  ParameterSpec parameters;                       ///< always with time_step_s, and gravity_m_s2 if applicable
  std::function<Scene(const Parameters&)> build;  ///< throws InputError
};

class SceneRegistry {
 public:
  void add(SceneDescriptor descriptor);
  const SceneDescriptor& at(const std::string& id) const;  ///< InputError naming the known ids
  const std::vector<SceneDescriptor>& all() const { return scenes_; }

 private:
  std::vector<SceneDescriptor> scenes_;
};

/// All scenes of the list in experiments/scenes/CMakeLists.txt.
SceneRegistry builtin_scenes();

}  // namespace deformbench
