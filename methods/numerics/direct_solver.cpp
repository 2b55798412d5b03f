// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/direct_solver.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace deformbench::numerics {

struct DirectSolver::Factors {
  explicit Factors(Kind k) : kind(k) {}
  Kind kind;
  bool analysed = false;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> cholesky;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
};

DirectSolver::DirectSolver(Kind kind) : factors_(std::make_unique<Factors>(kind)) {}
DirectSolver::~DirectSolver() = default;
DirectSolver::DirectSolver(DirectSolver&&) noexcept = default;
DirectSolver& DirectSolver::operator=(DirectSolver&&) noexcept = default;

bool DirectSolver::factorise(const Eigen::SparseMatrix<double>& a) {
  if (a.rows() == 0) return true;
  const auto run = [&](auto& solver) {
    if (!factors_->analysed) solver.analyzePattern(a);
    factors_->analysed = true;
    solver.factorize(a);
    return solver.info() == Eigen::Success;
  };
  if (factors_->kind == Kind::General) return run(factors_->lu);
  return run(factors_->cholesky) && factors_->cholesky.vectorD().allFinite();  // Eigen lets NaN pass
}

bool DirectSolver::is_positive_definite() const {
  if (!factors_->analysed) return true;  // no rows
  return factors_->cholesky.info() == Eigen::Success && (factors_->cholesky.vectorD().array() > 0.0).all();
}

Eigen::VectorXd DirectSolver::solve(const Eigen::VectorXd& b) const {
  if (b.size() == 0) return b;
  if (factors_->kind == Kind::General) return factors_->lu.solve(b);
  return factors_->cholesky.solve(b);
}

}  // namespace deformbench::numerics
