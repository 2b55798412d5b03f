// SPDX-License-Identifier: BSD-3-Clause
// Compares two traces object by object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deformbench::harness {

struct DiffOptions {
  /// Values agree if |a − b| ≤ absolute + relative · scale, scale = the largest finite magnitude in either
  /// dataset; by default they must be equal (NaN agrees with NaN, an infinity with itself).
  double relative = 0.0, absolute = 0.0;
  bool timing = false;      ///< compare wall times too, those of /timing and of iterations: no two runs agree in them
  bool provenance = false;  ///< compare also who, where and when (host, cpu, load, commit, started, finished, …)
};

struct Difference {
  enum class Kind { OnlyInA, OnlyInB, Type, Shape, Values, Attribute };
  Kind kind;
  std::string object;         ///< "/series/step/volume", "/ attribute status"
  std::string detail;         ///< both shapes, both texts, or the place of the largest difference
  double max_absolute = 0.0;  ///< of values; infinite where one is finite and the other is not
  double max_relative = 0.0;  ///< max_absolute over the scale
  std::string text() const;
};

/// Datasets and attributes that differ, sorted by object; empty if the traces agree. Without `provenance`,
/// the seed, the spec, the method's fingerprint and the number of threads are still compared. InputError if a
/// file cannot be read.
std::vector<Difference> diff(const std::filesystem::path& a, const std::filesystem::path& b,
                             const DiffOptions& options = {});

}  // namespace deformbench::harness
