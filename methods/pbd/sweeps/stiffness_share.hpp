// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

/// Fraction of a constraint's error removed in each of n visits: k′ = 1 − (1 − k)^{1/n} or k ([MHHR07] §3.3); 1 for
/// the compliant solver.
inline double stiffness_share(double stiffness, const PbdOptions& options) {
  if (options.is_compliant) return 1.0;
  if (options.stiffness_law == StiffnessLaw::PerIteration || stiffness >= 1.0) return stiffness;
  const int visits = options.order == SweepOrder::Symmetric ? 2 * options.iterations : options.iterations;
  return -std::expm1(std::log1p(-stiffness) / visits);
}

}  // namespace deformbench::pbd
