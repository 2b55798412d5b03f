// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/model/scene.hpp"

namespace deformbench::harness {

/// The scene as a scene file (docs/scenes.md) that reads back to the same bits: everything as lists, no selection and
/// no mesh file. Throws InputError where the scene itself is unusable (check_scene) or holds a name that no file can
/// have.
std::string scene_json(const Scene& scene);

}  // namespace deformbench::harness
