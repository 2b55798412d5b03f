// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/dense_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace deformbench::numerics {

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Eigen::VectorXd();
}

Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  return a.ldlt().solve(b);
}

}  // namespace deformbench::numerics
