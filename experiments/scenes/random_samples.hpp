// SPDX-License-Identifier: BSD-3-Clause
// Random numbers with the same bits on every platform: the standard library's distributions differ between
// implementations, and a seed in a trace must mean one start state.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "methods/model/types.hpp"

namespace deformbench::scenes {

/// SplitMix64 (Steele, Lea & Flood 2014). `stream` separates the uses of one seed.
class RandomSamples {
 public:
  explicit RandomSamples(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(seed ^ (stream * 0xD1342543DE82EF95ULL)) {
    next();  // neighbouring seeds are apart after one step
    state_ ^= next();
  }

  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Standard normal, Box–Muller; one of each pair is dropped, which keeps it stateless.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  /// n×3, every entry N(0, deviation).
  Points normal_points(Eigen::Index rows, double deviation) {
    Points points(rows, 3);
    for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = deviation * normal();
    return points;
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace deformbench::scenes
