// SPDX-License-Identifier: BSD-3-Clause
// Limits on the strain of springs, enforced spring by spring after the forces: [B05] §6, from Provot 1995.
#pragma once

#include <vector>

#include "methods/cloth/elements/springs.hpp"

namespace deformbench::cloth {

enum class LimitForm {
  Positions,  ///< vertices of a spring beyond a limit are moved to it; of their velocities the strain rate alone changes
  Impulses,   ///< velocities get the impulse along the spring after which the step ends at the limit
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

  /// Positions at the end of a step: a spring beyond a limit is brought to the closest one and its strain rate to zero.
  /// Ends early when a whole sweep finds nothing.
  void limit_positions(const std::vector<Spring>& springs, Points& x, Points& v) const;

  /// Velocities of a step of `h` (s) from `x`: impulses along the springs' directions at `x`, so that |x + h v| is at
  /// the limit, or as short as such an impulse can make it. Remembers the springs for zero_rates.
  void limit_velocities(const std::vector<Spring>& springs, const Points& x, double h, Points& v);
  /// Takes the strain rate from the springs that limit_velocities found, at the end `x` of the step.
  void zero_rates(const std::vector<Spring>& springs, const Points& x, Points& v) const;

 private:
  double limit_for(double length, double rest) const;
  template <class Visit>
  void sweep(std::size_t count, Visit&& visit) const;
  void zero_rate(const Spring& spring, const Points& x, Points& v) const;

  const StrainLimitOptions options_;
  const Eigen::VectorXd inverse_masses_;
  std::vector<std::uint8_t> was_limited_;
};

}  // namespace deformbench::cloth
