// SPDX-License-Identifier: BSD-3-Clause
// Decompositions of dense matrices of any size, by Eigen. Instantiated here once, as each takes seconds to compile.
#pragma once

#include <Eigen/Core>

namespace deformbench::numerics {

/// The eigenvalues of a symmetric matrix (its lower triangle is read), ascending. Empty if they were not found.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& a);

/// The solution x of a x = b for a symmetric definite matrix.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

}  // namespace deformbench::numerics
