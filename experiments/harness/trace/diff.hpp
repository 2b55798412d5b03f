// SPDX-License-Identifier: BSD-3-Clause
// Compares two traces object by object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deformbench::harness {

struct DiffOptions {
  /// Values agree if |a − b| ≤ absolute + relative · scale, scale = the largest finite magnitude in both datasets; by
  /// default they must be equal (NaN equals NaN, an infinity itself).
  double relative = 0.0, absolute = 0.0;
  bool timing = false;      ///< also compare wall times (/timing and iterations), which always differ
  bool provenance = false;  ///< also compare who, where and when (host, cpu, load, commit, started, finished, …)
};

struct Difference {
  enum class Kind { OnlyInA, OnlyInB, Type, Shape, Values, Attribute };
  Kind kind;
  std::string object;         ///< "/series/step/volume", "/ attribute status"
  std::string detail;         ///< both shapes, both texts, or the location of the largest difference
  double max_absolute = 0.0;  ///< of values; infinite if only one is finite
  double max_relative = 0.0;  ///< max_absolute / scale
  std::string text() const;
};

/// Differing datasets and attributes, sorted by object; empty if the traces agree. Seed, spec, method fingerprint and
/// number of threads are compared even without `provenance`. InputError if a file cannot be read.
std::vector<Difference> diff(const std::filesystem::path& a, const std::filesystem::path& b,
                             const DiffOptions& options = {});

}  // namespace deformbench::harness
