// SPDX-License-Identifier: BSD-3-Clause
// Plastic creep as a strain state of every element, [MG04] §3: beyond the yield limit, elastic strain flows into
// plastic strain; only its force P ε_p enters the step's right-hand side. Strains are tensors in the element's frame,
// components xx yy zz xy yz zx. Laws and parameters only; the flow is in batched_plasticity.hpp.
#pragma once

namespace deformbench::fem {

enum class StrainNorm {
  Frobenius,    ///< √(ε:ε), the same in every frame
  Engineering,  ///< as printed: 2-norm of the 6-vector with shear angles γ = 2 ε_xy, which depends on the frame
                ///< (B-IVM-4)
};
enum class YieldMeasure {
  Deviatoric,  ///< pressure causes no flow
  Total,       ///< as printed: a change of volume flows too (B-IVM-5)
};
enum class CreepRate {
  Exponential,   ///< 1 − e^{−cΔt} of the elastic strain: the same flow for every Δt
  AsPrinted,     ///< Δt·c, which overshoots if Δt·c > 1 (B-IVM-7)
  RadialReturn,  ///< back to the yield limit at once, for any c (B-IVM-6)
};

struct PlasticLaw {
  StrainNorm norm = StrainNorm::Frobenius;
  YieldMeasure measure = YieldMeasure::Deviatoric;
  CreepRate rate = CreepRate::Exponential;
  /// B-IVM-1: the listing of [MG04] §6 adds P ε_p to the internal force where eq. 16 subtracts it.
  bool listing_sign = false;
  double force_sign() const { return listing_sign ? -1.0 : 1.0; }
};

/// Parameters of one element; may change during the simulation.
struct PlasticParameters {
  double yield = 0.01;   ///< c_yield, norm of the elastic strain above which it flows
  double creep = 100.0;  ///< c_creep, 1/s
  double max = 10.0;     ///< c_max, largest norm of the plastic strain
};

/// The share of the elastic strain that flows in one step of `time_step` (s); for RadialReturn, 1 (of the excess).
double flow_fraction(CreepRate rate, double creep, double time_step);

}  // namespace deformbench::fem
