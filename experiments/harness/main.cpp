// SPDX-License-Identifier: BSD-3-Clause
// The `deformbench` command with all built-in methods and scenes. For your own method, write the same four lines in
// an executable that links deformbench::harness and first adds to the registry (docs/add_a_method.md).
#include "experiments/harness/commands/deformbench_main.hpp"

int main(int argc, char** argv) {
  const deformbench::Registry methods = deformbench::builtin_registry();
  const deformbench::SceneRegistry scenes = deformbench::builtin_scenes();
  return deformbench::harness::deformbench_main(argc, argv, methods, scenes);
}
