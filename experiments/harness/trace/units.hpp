// SPDX-License-Identifier: BSD-3-Clause
// A small grammar of SI units, enough to detect typos and to distinguish joule from newton: symbols with
// prefixes, products by a blank, '·' or '*', '/' applied to the next factor only, parentheses, powers as m2, m^2,
// m^-2 or m².
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace deformbench::harness {

/// Exponents of m, kg, s, A, K, mol, cd, and the factor to these base units. Dimensionless: angles (deg has its
/// factor), "1" and B (bytes).
struct Unit {
  std::array<int, 7> dimension{};
  double factor = 1.0;
};

/// The unit named by `text`, or nothing if it is not a unit.
std::optional<Unit> parse_unit(std::string_view text);

}  // namespace deformbench::harness
