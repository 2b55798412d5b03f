// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/hessian_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deformbench::fem {
namespace {

double largest_of(const double* numbers, std::size_t count) {
  double largest = 0.0;
  for (std::size_t n = 0; n < count; ++n) largest = std::max(largest, std::abs(numbers[n]));
  return largest;
}

}  // namespace

HessianFilter::HessianFilter(HessianRule rule, bool single_precision) : rule_(rule) {
  form_.single_precision = single_precision;
  form_.negative_share = rule == HessianRule::Projected                                      ? 0.0
                         : rule == HessianRule::Absolute || rule == HessianRule::TrustRegion ? -1.0
                                                                                             : 1.0;
}

void HessianFilter::begin_step() {
  ratio_ = 0.0;
  threshold_ = std::numeric_limits<double>::infinity();
}

void HessianFilter::begin_iteration(const Vector& gradient) {
  constexpr double kAgreement = 0.01;  // [CLJLZ24]
  if (rule_ == HessianRule::TrustRegion) form_.negative_share = std::abs(ratio_ - 1.0) < kAgreement ? 0.0 : -1.0;
  if (rule_ == HessianRule::ProjectOnDemand) form_.negative_share = 1.0;
  if (rule_ == HessianRule::Progressive) select(gradient);
}

void HessianFilter::select(const Vector& gradient) {
  constexpr double kAll = 1e-12;  // of the largest gradient: below it, all elements are filtered
  form_.negative_share = std::isinf(threshold_) ? 1.0 : 0.0;
  form_.filtered_nodes = nullptr;
  if (std::isinf(threshold_) || threshold_ <= kAll * largest_of(gradient.data(), gradient.size())) return;
  nodes_.resize(gradient.size() / 4);
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = largest_of(gradient.data() + 4 * i, 3) > threshold_;
  form_.filtered_nodes = &nodes_;
}

void HessianFilter::halve_threshold(const Vector& gradient) {
  threshold_ = 0.5 * std::min(threshold_, largest_of(gradient.data(), gradient.size()));
}

bool HessianFilter::filters_more(const Vector& gradient) {
  if (rule_ != HessianRule::ProjectOnDemand && rule_ != HessianRule::Progressive) return false;
  if (form_.negative_share == 0.0 && form_.filtered_nodes == nullptr) return false;
  if (rule_ == HessianRule::Progressive) {
    halve_threshold(gradient);
    select(gradient);
  } else {
    form_.negative_share = 0.0;
  }
  return true;
}

void HessianFilter::end_iteration(const Vector& gradient, double ratio, bool was_shortened) {
  ratio_ = ratio;
  threshold_ *= 2.0;
  if (was_shortened) halve_threshold(gradient);
}

}  // namespace deformbench::fem
