// SPDX-License-Identifier: BSD-3-Clause
// Springs that flow, creep and break: one-dimensional form of Terzopoulos and Fleischer, after [B05] §15, §16.
#pragma once

#include <limits>
#include <vector>

#include "methods/cloth/elements/springs.hpp"

namespace deformbench::cloth {

/// [B05] §15: total strain = elastic strain, proportional to stress, + permanent plastic strain. Stresses are relative
/// to the modulus E: tension / (k l0) for stiffness k and original length l0, independent of the current rest length.
/// Strains are relative to the original length.
struct PlasticLaw {
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  double yield_tension = kNever;      ///< > 0
  double yield_compression = kNever;  ///< > 0
  double hardening = 0.0;             ///< H/E ≥ 0: increase of both yield stresses per accumulated flow
  double creep_rate = 0.0;            ///< 1/s: relaxation of the rest length towards the current length
  double fracture = kNever;           ///< > 0: a tension above this breaks the spring

  bool changes_anything() const {
    return yield_tension < kNever || yield_compression < kNever || creep_rate > 0.0 || fracture < kNever;
  }
};

/// Plastic history of springs. ClothForces owns the springs; this class changes their rest lengths and stiffnesses.
class PlasticSprings {
 public:
  PlasticSprings(const std::vector<Spring>& springs, const PlasticLaw& law);

  /// At the end of a step of `h` (s) with positions `x`: creep, then flow, then fracture. A broken spring keeps its
  /// rest length and has stiffness 0.
  void advance(const Eigen::Ref<const Points>& x, double h, std::vector<Spring>& springs);

 private:
  PlasticLaw law_;
  std::vector<double> original_lengths_;   ///< m
  std::vector<double> accumulated_flows_;  ///< Σ|Δε_p| of flow, without creep
};

}  // namespace deformbench::cloth
