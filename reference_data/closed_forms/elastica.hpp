// SPDX-License-Identifier: BSD-3-Clause
// Large deflection of an inextensible, shear-rigid cantilever (elastica): dead tip load by elliptic integrals,
// self weight by shooting from the free end.
#pragma once

namespace deformbench::references {

struct ElasticaTip {
  double angle;  ///< rad, rotation of the tip
  double drop;   ///< relative to the length, in the direction of the load
  double reach;  ///< relative to the length, along the clamped axis
};

/// Dead transverse tip load, α = PL²/EI > 0. Bisshopp & Drucker 1945. Accurate to 1e-12 for α in [1e-6, 100].
ElasticaTip elastica_tip_load(double alpha);

/// Horizontal clamp, uniform dead weight, Γ = ρgAL³/EI > 0: θ″ = −Γ(1−s)cos θ. Accurate to 1e-9 for Γ in
/// [1e-3, 2000].
ElasticaTip elastica_self_weight(double gamma);

}  // namespace deformbench::references
