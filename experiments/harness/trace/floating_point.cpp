// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/floating_point.hpp"

#include <cfenv>
#include <limits>

namespace deformbench::harness {

std::string floating_point_changes() {
  std::string changes;
  const auto add = [&](bool differs, const char* what) {
    if (differs) changes += (changes.empty() ? "" : ", ") + std::string(what);
  };
  const int rounding = std::fegetround();
  add(rounding != FE_TONEAREST, rounding == FE_UPWARD     ? "rounds upward"
                                : rounding == FE_DOWNWARD ? "rounds downward"
                                                          : "rounds towards zero");
  // Volatile: forces evaluation at run time, one operation at a time.
  volatile double least_normal = std::numeric_limits<double>::min(), half = 0.5;
  volatile double least = std::numeric_limits<double>::denorm_min(), large = 0x1p600;
  add(least_normal * half == 0.0, "flushes subnormal results to zero");
  add(least * large == 0.0, "takes subnormal operands as zero");
  volatile long double one = 1.0L, next = std::numeric_limits<long double>::epsilon();
  add(one + next == one, "calculates with shorter long doubles");
  return changes;
}

std::string restore_floating_point() {
  const std::string changes = floating_point_changes();
  std::fesetenv(FE_DFL_ENV);
  return changes;
}

}  // namespace deformbench::harness
