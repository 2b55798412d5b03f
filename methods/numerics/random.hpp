// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same on every platform and compiler: the generator is integer arithmetic, and the
// distributions use only operations that IEEE 754 rounds exactly (no library logarithm or sine).
#pragma once

#include <cstdint>

#include "methods/model/types.hpp"

namespace deformbench::numerics {

/// xoshiro256** (Blackman & Vigna), seeded by SplitMix64. Streams of one seed are independent for all purposes here.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);
  std::uint64_t bits();                      ///< 64 uniform bits
  double uniform();                          ///< [0, 1), multiples of 2⁻⁵³
  double uniform(double low, double high);   ///< [low, high)
  std::uint64_t below(std::uint64_t count);  ///< 0 … count−1 without bias; count > 0
  double normal();                           ///< mean 0, standard deviation 1
  Vector3 direction();                       ///< uniform on the unit sphere
  Matrix3 rotation();                        ///< uniform over rotations (Haar)

 private:
  std::uint64_t state_[4];
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace deformbench::numerics
