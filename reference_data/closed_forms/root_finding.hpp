// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <stdexcept>

namespace deformbench::references {

/// Bisects `f` in [low, high] to the last bit; std::domain_error if both ends have one sign.
template <class Function>
double bisect(Function&& f, double low, double high) {
  const double at_low = f(low), at_high = f(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  if ((at_low < 0) == (at_high < 0)) throw std::domain_error("bisection: no change of sign in the bracket");
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= std::fmin(low, high) || middle >= std::fmax(low, high)) return middle;
    const double value = f(middle);
    if (value == 0) return middle;
    ((value < 0) == (at_low < 0) ? low : high) = middle;
  }
}

}  // namespace deformbench::references
