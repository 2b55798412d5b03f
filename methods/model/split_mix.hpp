// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace deformbench::model {

/// SplitMix64 (Steele, Lea, Flood 2014): advances `state` and returns 64 uniform bits, the same on every platform,
/// unlike the distributions of the standard library.
inline std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace deformbench::model
