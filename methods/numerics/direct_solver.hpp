// SPDX-License-Identifier: BSD-3-Clause
// Sparse factorisation of a system matrix that is constant over many steps.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

namespace deformbench::numerics {

class DirectSolver {
 public:
  enum class Kind {
    SymmetricPositiveDefinite,  ///< LDLᵀ with minimum degree ordering
    General,                    ///< LU with column ordering
  };
  explicit DirectSolver(Kind kind);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;
  /// Factorises `a`; the symbolic part is done once. Returns false for a matrix that is singular or not finite.
  bool factorise(const Eigen::SparseMatrix<double>& a);
  /// Whether the last factorised matrix is positive definite; only for the symmetric kind.
  bool is_positive_definite() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace deformbench::numerics
