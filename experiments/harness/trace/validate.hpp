// SPDX-License-Identifier: BSD-3-Clause
// Says whether a file conforms to docs/trace_format.md, whoever wrote it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deformbench::harness {

/// One departure from the format.
struct Finding {
  std::string object;    ///< "/series/step/volume", "/provenance attribute spec"
  std::string found;     ///< what is there
  std::string expected;  ///< what should
  /// "/series/step/volume: found unit 'kilos', expected an SI unit"
  std::string text() const;
};

/// Every departure that can be found in one go, in the order of the format's table; empty if the file
/// conforms. A file that is missing or no HDF5 file is a finding too; a damaged one (digest.hpp) is one alone.
/// Never throws for what a file contains.
std::vector<Finding> validate(const std::filesystem::path& path);

}  // namespace deformbench::harness
