// SPDX-License-Identifier: BSD-3-Clause
// Radial kernels of nodes.
#pragma once

#include <numbers>

namespace deformbench::meshless {

/// ω(r) = 1 − 6r² + 8r³ − 3r⁴ = (1 − r)³ (1 + 3r) for r < 1, else 0; r = distance / support. C² at r = 1.
/// [PKAGDG05] §2
inline double mls_weight(double r) {
  if (r >= 1.0) return 0.0;
  const double s = 1.0 - r;
  return s * s * s * (1.0 + 3.0 * r);
}

/// w(r, h) = 315 / (64 π h⁹) (h² − r²)³ for r < h, else 0 (1/m³); its integral over space is 1. [MKNPGA04] §3.2
inline double normalised_kernel(double distance, double support) {
  const double ratio = distance / support;
  if (ratio >= 1.0) return 0.0;
  const double s = 1.0 - ratio * ratio;
  return 315.0 / (64.0 * std::numbers::pi * support * support * support) * s * s * s;
}

}  // namespace deformbench::meshless
