// SPDX-License-Identifier: BSD-3-Clause
// The whole command as a function, for executables with their own methods.
#pragma once

#include "experiments/harness/files/data_directory.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// Exit code: 0 ok, 1 internal error, 2 usage or bad input, 4 cells not as declared or traces differ, 5 nothing
/// selected or supported, 6 a verdict differs. Never throws. The executable calls itself for its cells, so
/// `main` must pass on all arguments unchanged.
int deformbench_main(int argc, char** argv, const Registry& methods, const SceneRegistry& scenes);

#ifdef DEFORMBENCH_PACKAGE_DATA
// Set by find_package(deformbench): the executable finds the data of its package wherever it is installed.
inline const bool kPackageDataNamed = (name_package_data(DEFORMBENCH_PACKAGE_DATA), true);
#endif

}  // namespace deformbench::harness
