// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/analytic_sheets.hpp"

namespace deformbench::meshless {

std::optional<double> DistanceSheet::first_hit(const Vector3& a, const Vector3& b) const {
  constexpr int kSteps = 100;
  const auto at = [&](double t) { return distance(a + t * (b - a)); };
  const double start = at(0.0);
  for (int k = 1; k <= kSteps; ++k) {
    double low = double(k - 1) / kSteps, high = double(k) / kSteps;
    if ((at(high) > 0.0) == (start > 0.0)) continue;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      ((at(middle) > 0.0) == (start > 0.0) ? low : high) = middle;
    }
    return high;
  }
  return {};
}

}  // namespace deformbench::meshless
