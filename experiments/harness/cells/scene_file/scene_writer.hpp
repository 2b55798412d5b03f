// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/model/scene.hpp"

namespace deformbench::harness {

/// The scene as a scene file (docs/scenes.md) that reads back bit for bit: all as lists, without selections or
/// mesh files. Throws InputError if the scene is unusable (check_scene) or has a name that a file cannot hold.
std::string scene_json(const Scene& scene);

}  // namespace deformbench::harness
