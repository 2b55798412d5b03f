// SPDX-License-Identifier: BSD-3-Clause
// Methods of the command line: plug-ins (shared libraries) and programs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "methods/registry.hpp"

namespace deformbench::harness {

struct OutsideMethods {
  std::vector<std::string> plugins;   ///< --plugin FILE
  std::vector<std::string> programs;  ///< --program "python3 mine.py", or "id=python3 mine.py"
  /// Removes these options from the end of a hidden command's arguments.
  static OutsideMethods taken_from(std::vector<std::string>& arguments);
};

/// Origin of the external methods.
struct OutsideIds {
  std::vector<std::string> programs;  ///< ids of the programs
  /// Option that loads a method, by its id; passed to the processes of the method's cells.
  std::map<std::string, std::vector<std::string>> options;
};

/// Built-in and external methods; declares the fingerprints of the latter (fingerprint.hpp). Throws InputError (one
/// line) for a method that fails to load or start, was built for another deformbench, or has an id that is taken.
Registry with_outside_methods(const Registry& built_in, const OutsideMethods& outside, OutsideIds* ids = nullptr);

/// Adds the library's methods. InputError if that fails.
void load_plugin(const std::filesystem::path& file, Registry& registry);

}  // namespace deformbench::harness
