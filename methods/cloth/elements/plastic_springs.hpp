// SPDX-License-Identifier: BSD-3-Clause
// Springs that flow, creep and break: what [B05] §15, §16 takes from Terzopoulos and Fleischer, in one dimension.
#pragma once

#include <limits>
#include <vector>

#include "methods/cloth/elements/springs.hpp"

namespace deformbench::cloth {

/// [B05] §15: total strain is elastic strain, which goes with the stress, plus plastic strain, which stays.
/// Stresses are over the modulus E of the spring's material: of a spring of stiffness k and original length l0 the
/// tension over k l0, which does not change when its rest length does. Strains are over the original length.
struct PlasticLaw {
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  double yield_tension = kNever;      ///< > 0
  double yield_compression = kNever;  ///< > 0
  double hardening = 0.0;             ///< H/E ≥ 0: growth of both yield stresses with the accumulated flow
  double creep_rate = 0.0;            ///< 1/s: the rest length settles towards the current length
  double fracture = kNever;           ///< > 0: a tension above this breaks the spring

  bool changes_anything() const {
    return yield_tension < kNever || yield_compression < kNever || creep_rate > 0.0 || fracture < kNever;
  }
};

/// What springs have gone through. Owns the history; the springs themselves, whose rest lengths and stiffnesses it
/// changes, belong to the forces.
class PlasticSprings {
 public:
  PlasticSprings(const std::vector<Spring>& springs, const PlasticLaw& law);

  /// At the end of a step of `h` (s) that ended at `x`: creep, then flow, then fracture. A broken spring keeps its rest
  /// length and has stiffness 0.
  void advance(const Eigen::Ref<const Points>& x, double h, std::vector<Spring>& springs);

 private:
  PlasticLaw law_;
  std::vector<double> original_lengths_;   ///< m
  std::vector<double> accumulated_flows_;  ///< Σ|Δε_p| of flow, without creep
};

}  // namespace deformbench::cloth
