// SPDX-License-Identifier: BSD-3-Clause
// Selects the element Hessians whose negative eigenvalues a Newton iteration filters, and the filter
// (principal_hessian.hpp), so that conjugate gradients apply and every step descends.
#pragma once

#include <vector>

#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

enum class HessianRule {
  Exact,
  Projected,  ///< negative eigenvalues become zero [TSIF05]
  Absolute,   ///< their magnitudes [CLLZJ24]
  /// Projected if the last decrease of the objective agreed to 1 % with the exact quadratic model, else
  /// absolute [CLJLZ24].
  TrustRegion,
  ProjectOnDemand,  ///< exact; projected if the system is not positive definite, or its solution ascends [LLFLAB23]
  /// Projected at nodes with a gradient component above a threshold: infinite at first, doubled after each iteration,
  /// halved if a solve gives no descent or the line search shortens the step [FLB26].
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
  /// After a solve that failed or gave no descent: filters more; false if the rule can filter nothing more.
  bool filters_more(const Vector& gradient);
  /// `ratio`: decrease of the objective relative to that of the exact quadratic model.
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
