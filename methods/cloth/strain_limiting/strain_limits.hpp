// SPDX-License-Identifier: BSD-3-Clause
// Limits on the strain of springs, enforced spring by spring after the forces: [B05] §6, from Provot 1995.
#pragma once

#include <vector>

#include "methods/cloth/elements/springs.hpp"

namespace deformbench::cloth {

/// If a spring exceeds a limit, both forms move its vertices along it and remove its strain rate.
enum class LimitForm {
  Positions,               ///< the correction changes positions only
  PositionsAndVelocities,  ///< the correction / h is added to the velocities before strain rates are removed
};
enum class SweepOrder { Listed, Reverse, Alternating };

struct StrainLimitOptions {
  double extension = 0.0;    ///< largest strain, > 0; 0: no limit
  double compression = 0.0;  ///< largest shortening, 0 … 1; 0: no limit
  int sweeps = 10;
  SweepOrder order = SweepOrder::Listed;
  LimitForm form = LimitForm::Positions;

  bool is_on() const { return extension > 0.0 || compression > 0.0; }
};

/// Springs are limited in turn: Gauss–Seidel. Corrections are weighted by inverse mass; a spring between two vertices
/// of inverse mass 0 is skipped.
class StrainLimits {
 public:
  /// `inverse_masses` (1/kg, n): 0 for held vertices.
  StrainLimits(const StrainLimitOptions& options, Eigen::VectorXd inverse_masses);

  /// Acts on the state at the end of a step of `h` (s): springs beyond a limit get the closest admissible length and
  /// zero strain rate. Ends early if a whole sweep corrects nothing.
  void limit(const std::vector<Spring>& springs, double h, Points& x, Points& v) const;

 private:
  double limit_for(double length, double rest) const;
  template <class Visit>
  void sweep(std::size_t count, Visit&& visit) const;

  const StrainLimitOptions options_;
  const Eigen::VectorXd inverse_masses_;
};

}  // namespace deformbench::cloth
