// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>

namespace deformbench::numerics {

/// Largest eigenvalue of the symmetric operator `times`, y = A w, on the components where `is_free` is 1 (n; 0
/// elsewhere, which `times` need not heed), from below, to a relative 1e-6, by Lanczos' method from a start that is the
/// same in every run. 0 where nothing is free or A is 0.
double largest_eigenvalue(const Eigen::VectorXd& is_free,
                          const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& times);

}  // namespace deformbench::numerics
