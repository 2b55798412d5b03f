// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/spectrum.hpp"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "methods/numerics/dense_algebra.hpp"
#include "methods/numerics/direct_solver.hpp"

namespace deformbench::harness {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using MutableVector = Eigen::Map<Eigen::VectorXd>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-10;
constexpr int kRestarts = 2000;

/// A symmetric operator with the interface of Spectra. A single type, so that Spectra is compiled once.
struct Operator {
  using Scalar = double;
  Eigen::Index size = 0;
  std::function<Eigen::VectorXd(const ConstVector& x)> times;
  Eigen::Index rows() const { return size; }
  Eigen::Index cols() const { return size; }
  void perform_op(const double* x, double* y) const { MutableVector(y, size) = times(ConstVector(x, size)); }
};

/// The `count` largest eigenvalues, descending; empty if Lanczos did not converge.
Eigen::VectorXd largest_of(Operator op, int count) {
  const Eigen::Index n = op.rows();
  const Eigen::Index basis = std::min<Eigen::Index>(n, std::max(40, 4 * count));
  Spectra::SymEigsSolver<Operator> lanczos(op, count, basis);
  lanczos.init();
  lanczos.compute(Spectra::SortRule::LargestAlge, kRestarts, kTolerance, Spectra::SortRule::LargestAlge);
  if (lanczos.info() != Spectra::CompInfo::Successful) return {};
  return lanczos.eigenvalues();
}

using Cholesky = Eigen::SimplicialLLT<Sparse>;

/// D A⁻¹ D with D = diag(scale).
Operator scaled_inverse(const Cholesky& factor, const Eigen::VectorXd& scale) {
  return {scale.size(), [&factor, scale](const ConstVector& x) -> Eigen::VectorXd {
            const Eigen::VectorXd scaled = scale.cwiseProduct(x);
            return scale.cwiseProduct(factor.solve(scaled));
          }};
}

Spectrum symmetric_spectrum(const Sparse& matrix, const SpectrumOptions& options) {
  if (matrix.rows() < options.dense_below) {
    const Eigen::VectorXd values = numerics::symmetric_eigenvalues(Eigen::MatrixXd(matrix));
    if (values.size() == 0) return {kNaN, kNaN, false};
    return {values[0], values[matrix.rows() - 1], true};
  }
  Spectrum spectrum{kNaN, kNaN, false};
  const Eigen::VectorXd top =
      largest_of({matrix.rows(), [&](const ConstVector& x) -> Eigen::VectorXd { return matrix * x; }}, 1);
  if (top.size() > 0) spectrum.largest = top[0];
  const Cholesky factor(matrix);
  if (factor.info() != Eigen::Success) return spectrum;  // not positive definite
  const Eigen::VectorXd bottom = largest_of(scaled_inverse(factor, Eigen::VectorXd::Ones(matrix.rows())), 1);
  if (bottom.size() > 0) spectrum.smallest = 1.0 / bottom[0];
  spectrum.converged = top.size() > 0 && bottom.size() > 0;
  return spectrum;
}

Spectrum singular_spectrum(const Sparse& matrix, const SpectrumOptions& options) {
  if (matrix.rows() < options.dense_below) {
    // The eigenvalues of (0 A; Aᵀ 0) are ± the singular values of A.
    const Eigen::Index n = matrix.rows();
    Eigen::MatrixXd both = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    both.topRightCorner(n, n) = Eigen::MatrixXd(matrix);
    both.bottomLeftCorner(n, n) = both.topRightCorner(n, n).transpose();
    const Eigen::VectorXd values = numerics::symmetric_eigenvalues(both);
    if (values.size() == 0) return {kNaN, kNaN, false};
    return {values[n], values[2 * n - 1], true};
  }
  Spectrum spectrum{kNaN, kNaN, false};
  const Sparse transpose = matrix.transpose();
  const auto squared = [&](const ConstVector& x) -> Eigen::VectorXd {
    const Eigen::VectorXd product = matrix * x;
    return transpose * product;
  };
  const Eigen::VectorXd top = largest_of({matrix.rows(), squared}, 1);
  if (top.size() > 0) spectrum.largest = std::sqrt(top[0]);
  numerics::DirectSolver factor(numerics::DirectSolver::Kind::General);
  numerics::DirectSolver transposed(numerics::DirectSolver::Kind::General);
  if (!factor.factorise(matrix) || !transposed.factorise(transpose)) return spectrum;
  const auto inverse_squared = [&](const ConstVector& x) -> Eigen::VectorXd {  // A⁻¹ A⁻ᵀ
    const Eigen::VectorXd half = transposed.solve(x);
    return factor.solve(half);
  };
  const Eigen::VectorXd bottom = largest_of({matrix.rows(), inverse_squared}, 1);
  if (bottom.size() > 0) spectrum.smallest = 1.0 / std::sqrt(bottom[0]);
  spectrum.converged = top.size() > 0 && bottom.size() > 0;
  return spectrum;
}

double largest_entry(const Sparse& matrix) {
  double largest = 0.0;
  for (Eigen::Index k = 0; k < matrix.outerSize(); ++k)
    for (Sparse::InnerIterator entry(matrix, k); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
  return largest;
}

}  // namespace

double asymmetry(const Sparse& matrix) {
  const Sparse transpose = matrix.transpose();
  const Sparse difference = matrix - transpose;
  const double largest = largest_entry(matrix);
  return largest > 0.0 ? largest_entry(difference) / largest : 0.0;
}

Spectrum extreme_values(const Sparse& matrix, const SpectrumOptions& options) {
  if (matrix.rows() == 0) return {kNaN, kNaN, false};
  return asymmetry(matrix) > 1e-10 ? singular_spectrum(matrix, options) : symmetric_spectrum(matrix, options);
}

Eigen::VectorXd smallest_generalised(const Sparse& stiffness, const Eigen::VectorXd& masses, int count) {
  Eigen::VectorXd result = Eigen::VectorXd::Constant(count, kNaN);
  if (stiffness.rows() == 0) return result;
  const Cholesky factor(stiffness);
  if (factor.info() != Eigen::Success) return result;
  if (stiffness.rows() <= count) {  // Lanczos finds one fewer than there are
    const Eigen::VectorXd scale = masses.cwiseSqrt().cwiseInverse();
    const Eigen::VectorXd values =
        numerics::symmetric_eigenvalues(scale.asDiagonal() * Eigen::MatrixXd(stiffness) * scale.asDiagonal());
    result.head(values.size()) = values;
    return result;
  }
  const Eigen::VectorXd inverse = largest_of(scaled_inverse(factor, masses.cwiseSqrt()), count);
  for (Eigen::Index k = 0; k < inverse.size(); ++k) result[k] = 1.0 / inverse[k];
  return result;
}

}  // namespace deformbench::harness
