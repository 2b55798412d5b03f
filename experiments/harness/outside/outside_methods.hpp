// SPDX-License-Identifier: BSD-3-Clause
// Methods that come with the command line: plug-ins (shared libraries) and programs.
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
  /// Takes such options from the end of a hidden command's arguments.
  static OutsideMethods taken_from(std::vector<std::string>& arguments);
};

/// Which method is from where.
struct OutsideIds {
  std::vector<std::string> programs;  ///< ids of the programs
  /// By the id of a method the option that brings it along, for the processes of its cells: they alone run its code.
  std::map<std::string, std::vector<std::string>> options;
};

/// The built-in methods and those from outside; their fingerprints are declared (fingerprint.hpp). Throws InputError
/// in one line for what cannot be loaded or started, is built for another deformbench, or has an id that is taken.
Registry with_outside_methods(const Registry& built_in, const OutsideMethods& outside, OutsideIds* ids = nullptr);

/// Loads the library and lets it add its methods. InputError.
void load_plugin(const std::filesystem::path& file, Registry& registry);

}  // namespace deformbench::harness
