// SPDX-License-Identifier: BSD-3-Clause
// Which elements' Hessians an iteration of Newton's method filters, and how: by their eigenvalues
// (elasticity/principal_hessian.hpp), so that conjugate gradients apply and every step descends.
#pragma once

#include <vector>

#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

enum class HessianRule {
  Exact,
  Projected,  ///< negative eigenvalues become zero [TSIF05]
  Absolute,   ///< their magnitudes [CLLZJ24]
  /// Projected after an iteration that changed the objective as the exact quadratic model, to a hundredth; else
  /// absolute [CLJLZ24].
  TrustRegion,
  ProjectOnDemand,  ///< exact; projected if the system is not positive definite, or its solution ascends [LLFLAB23]
  /// Projected at nodes whose gradient's largest component exceeds a threshold; halved where that is not enough, or a
  /// line search shortens the step; doubled after every solve; at first infinite [FLB26].
  Progressive,
};

class HessianFilter {
 public:
  using Vector = numerics::AlignedVector<double>;
  HessianFilter(HessianRule rule, bool single_precision);

  const HessianForm& form() const { return form_; }  ///< of the next assembly
  /// Whether begin_iteration reads the gradient.
  bool needs_gradient() const { return rule_ == HessianRule::Progressive; }
  /// Whether end_iteration reads the ratio.
  bool needs_ratio() const { return rule_ == HessianRule::TrustRegion; }

  void begin_step();
  /// `gradient` of the objective, up to a factor, four numbers per node.
  void begin_iteration(const Vector& gradient);
  /// After a solve that failed, or gave no descent. False if all elements are filtered, or the rule has no more.
  bool filters_more(const Vector& gradient);
  /// `ratio`: decrease of the objective over that of the quadratic model with exact Hessians.
  void end_iteration(const Vector& gradient, double ratio, bool was_shortened);

 private:
  void select(const Vector& gradient);
  void halve_threshold(const Vector& gradient);

  HessianRule rule_;
  HessianForm form_;
  double ratio_ = 0.0;
  double threshold_ = 0.0;  ///< of the gradient; infinite: nothing is filtered
  std::vector<char> nodes_;
};

}  // namespace deformbench::fem
