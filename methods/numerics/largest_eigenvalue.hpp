// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>

namespace deformbench::numerics {

/// Largest eigenvalue of the symmetric operator `times`, y = A w, restricted to components with `is_free` = 1 (n
/// numbers, 0 or 1; `times` may ignore them). Lanczos from a fixed start: a lower bound, relative error 1e-6. 0
/// if nothing is free or A = 0.
double largest_eigenvalue(const Eigen::VectorXd& is_free,
                          const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& times);

}  // namespace deformbench::numerics
