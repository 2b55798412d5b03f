// SPDX-License-Identifier: BSD-3-Clause
// Methods that come with the command line: plug-ins (shared libraries) and programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "methods/registry.hpp"

namespace deformbench::harness {

struct OutsideMethods {
  std::vector<std::string> plugins;   ///< --plugin FILE
  std::vector<std::string> programs;  ///< --program "python3 mine.py", or "id=python3 mine.py"
  /// The options that say the same, for a child process of this executable.
  std::vector<std::string> arguments() const;
  /// Takes such options from the end of a hidden command's arguments.
  static OutsideMethods taken_from(std::vector<std::string>& arguments);
};

/// The built-in methods and those from outside; their fingerprints are declared (fingerprint.hpp). Throws InputError
/// in one line for what cannot be loaded or started, is built for another deformbench, or has an id that is taken.
/// `program_ids` gets the ids of the programs.
Registry with_outside_methods(const Registry& built_in, const OutsideMethods& outside,
                              std::vector<std::string>* program_ids = nullptr);

/// Loads the library and lets it add its methods. InputError.
void load_plugin(const std::filesystem::path& file, Registry& registry);

}  // namespace deformbench::harness
