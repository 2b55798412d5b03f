// SPDX-License-Identifier: BSD-3-Clause
// A small grammar of SI units, enough to tell a unit from a typing error and a joule from a newton:
// symbols with prefixes, products by a blank, '·' or '*', '/' for the one factor that follows, parentheses,
// powers as m2, m^2, m^-2 or m².
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace deformbench::harness {

/// Exponents of m, kg, s, A, K, mol, cd, and the factor to these base units. Angles are dimensionless (deg
/// has its factor), so are "1" and B (bytes).
struct Unit {
  std::array<int, 7> dimension{};
  double factor = 1.0;
};

/// The unit that `text` names, or nothing if it is none.
std::optional<Unit> parse_unit(std::string_view text);

}  // namespace deformbench::harness
