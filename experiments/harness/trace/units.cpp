// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/units.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace deformbench::harness {
namespace {

struct Symbol {
  std::string_view name;
  Unit unit;
  bool takes_prefix;
};

const Symbol kSymbols[] = {
    {"m", {{1}, 1.0}, true},
    {"g", {{0, 1}, 1e-3}, true},
    {"s", {{0, 0, 1}, 1.0}, true},
    {"A", {{0, 0, 0, 1}, 1.0}, true},
    {"K", {{0, 0, 0, 0, 1}, 1.0}, true},
    {"mol", {{0, 0, 0, 0, 0, 1}, 1.0}, true},
    {"cd", {{0, 0, 0, 0, 0, 0, 1}, 1.0}, true},
    {"Hz", {{0, 0, -1}, 1.0}, true},
    {"N", {{1, 1, -2}, 1.0}, true},
    {"Pa", {{-1, 1, -2}, 1.0}, true},
    {"J", {{2, 1, -2}, 1.0}, true},
    {"W", {{2, 1, -3}, 1.0}, true},
    {"min", {{0, 0, 1}, 60.0}, false},
    {"h", {{0, 0, 1}, 3600.0}, false},
    {"rad", {{}, 1.0}, true},
    {"sr", {{}, 1.0}, false},
    {"deg", {{}, std::numbers::pi / 180.0}, false},
    {"°", {{}, std::numbers::pi / 180.0}, false},
    {"B", {{}, 1.0}, true},
    {"1", {{}, 1.0}, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
const Prefix kPrefixes[] = {{"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"μ", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
                            {"d", 1e-1}, {"h", 1e2},  {"k", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12}};

std::optional<Unit> find_symbol(std::string_view name) {
  for (const Symbol& symbol : kSymbols)
    if (symbol.name == name) return symbol.unit;
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (const Symbol& symbol : kSymbols) {
      if (!symbol.takes_prefix || symbol.name != name.substr(prefix.name.size())) continue;
      Unit unit = symbol.unit;
      unit.factor *= prefix.factor;
      return unit;
    }
  }
  return std::nullopt;
}

Unit power(Unit unit, int exponent) {
  for (int& d : unit.dimension) d *= exponent;
  unit.factor = std::pow(unit.factor, exponent);
  return unit;
}

Unit product(Unit a, const Unit& b) {
  for (std::size_t i = 0; i < a.dimension.size(); ++i) a.dimension[i] += b.dimension[i];
  a.factor *= b.factor;
  return a;
}

/// Recursive descent; every rule returns nothing if the text is not a unit.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Unit> whole() {
    auto unit = expression();
    return unit && rest_.empty() ? unit : std::nullopt;
  }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<Unit> expression() {
    auto unit = factor();
    while (unit && !rest_.empty() && !rest_.starts_with(")")) {
      const bool divide = take("/") || take(" / ");
      if (!divide && !take("·") && !take("*") && !take(" ")) return std::nullopt;
      const auto next = factor();
      if (!next) return std::nullopt;
      unit = product(*unit, power(*next, divide ? -1 : 1));
    }
    return unit;
  }

  std::optional<Unit> factor() {
    std::optional<Unit> unit;
    if (take("(")) {
      unit = expression();
      if (!unit || !take(")")) return std::nullopt;
    } else if (take("1")) {
      unit = Unit{};
    } else {
      const std::size_t length = rest_.find_first_of("0123456789 ^-()/*\xC2\xE2", 0);
      std::size_t end = length == std::string_view::npos ? rest_.size() : length;
      // '°' and 'µ' begin with the byte of the superscripts and of '·'
      if (end == 0 && (rest_.starts_with("°") || rest_.starts_with("µ"))) {
        const std::size_t next = rest_.find_first_of("0123456789 ^-()/*\xC2\xE2", 2);
        end = next == std::string_view::npos ? rest_.size() : next;
      }
      unit = find_symbol(rest_.substr(0, end));
      rest_.remove_prefix(end);
    }
    if (!unit) return std::nullopt;
    const auto exponent = this->exponent();
    return exponent ? std::optional(power(*unit, *exponent)) : std::nullopt;
  }

  /// 1 if absent; nothing if malformed.
  std::optional<int> exponent() {
    constexpr std::string_view kSuperscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const bool caret = take("^");
    const bool negative = take("-") || take("⁻");
    int value = 0, digits = 0;
    for (bool found = true; found;) {
      found = false;
      for (int d = 0; d < 10 && !found; ++d)
        if (take(kSuperscripts[d]) || take(std::string_view("0123456789").substr(std::size_t(d), 1))) {
          value = 10 * value + d;
          ++digits;
          found = true;
        }
    }
    if (digits == 0) return caret || negative ? std::nullopt : std::optional(1);
    if (digits > 2 || value == 0) return std::nullopt;
    return negative ? -value : value;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  return Parser(text).whole();
}

}  // namespace deformbench::harness
