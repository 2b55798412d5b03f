// SPDX-License-Identifier: BSD-3-Clause
// Set of components of a node: bit 0 is x, bit 1 y, bit 2 z.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deformbench::numerics {

using Components = std::uint8_t;
inline constexpr Components kNoComponents = 0, kAllComponents = 7;

constexpr bool has_component(Components set, std::size_t k) {
  return (set >> k & 1u) != 0;
}
constexpr Components with_component(Components set, std::size_t k) {
  return Components(set | 1u << k);
}

}  // namespace deformbench::numerics
