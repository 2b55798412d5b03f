// SPDX-License-Identifier: BSD-3-Clause
// The whole command as a function, so that an executable with methods of its own inherits it.
#pragma once

#include "experiments/harness/cells/data_directory.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// Exit code: 0 ok, 1 internal error, 2 usage or bad input, 4 cells ended otherwise than declared, 5 nothing selected
/// or supported, 6 a verdict differs (from the analysis). Never throws. The executable calls itself for its cells,
/// so `main` must not do anything else with its arguments.
int deformbench_main(int argc, char** argv, const Registry& methods, const SceneRegistry& scenes);

#ifdef DEFORMBENCH_PACKAGE_DATA
// Set by find_package(deformbench): an executable that lies anywhere finds the data of the package it was built
// against.
inline const bool kPackageDataNamed = (name_package_data(DEFORMBENCH_PACKAGE_DATA), true);
#endif

}  // namespace deformbench::harness
