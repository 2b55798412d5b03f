// SPDX-License-Identifier: BSD-3-Clause
// Checks a file against docs/trace_format.md, whichever program wrote it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deformbench::harness {

/// One departure from the format.
struct Finding {
  std::string object;    ///< "/series/step/volume", "/provenance attribute spec"
  std::string found;     ///< actual content
  std::string expected;  ///< expected content
  /// "/series/step/volume: found unit 'kilos', expected an SI unit"
  std::string text() const;
};

/// All departures, found in one pass; empty if the file conforms. A missing or
/// non-HDF5 file is a finding; a damaged one (digest.hpp) gives a single finding. Never throws because of file
/// content.
std::vector<Finding> validate(const std::filesystem::path& path);

}  // namespace deformbench::harness
