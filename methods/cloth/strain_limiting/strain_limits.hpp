// SPDX-License-Identifier: BSD-3-Clause
// Limits on the strain of springs, enforced spring by spring after the forces: [B05] §6, from Provot 1995.
#pragma once

#include <vector>

#include "methods/cloth/elements/springs.hpp"

namespace deformbench::cloth {

/// Both move the vertices of a spring beyond a limit along it, and take away its strain rate.
enum class LimitForm {
  Positions,               ///< nothing else: the motion to the limit leaves no velocity
  PositionsAndVelocities,  ///< what moved a vertex in a step also changes its velocity, before strain rates are taken
                           ///< away
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

/// Springs are visited one after another, each with what the ones before it left. Heavier vertices move less, vertices
/// of inverse mass 0 not at all; a spring between two such is left alone.
class StrainLimits {
 public:
  /// `inverse_masses` (1/kg, n), 0 of a vertex that is held.
  StrainLimits(const StrainLimitOptions& options, Eigen::VectorXd inverse_masses);

  /// State at the end of a step of `h` (s): springs beyond a limit are brought to the closest one, their strain rates
  /// to zero. Ends early when a whole sweep finds nothing.
  void limit(const std::vector<Spring>& springs, double h, Points& x, Points& v) const;

 private:
  double limit_for(double length, double rest) const;
  template <class Visit>
  void sweep(std::size_t count, Visit&& visit) const;
  void zero_rate(const Spring& spring, const Points& x, Points& v) const;

  const StrainLimitOptions options_;
  const Eigen::VectorXd inverse_masses_;
};

}  // namespace deformbench::cloth
