// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/spectrum.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace deformbench::harness {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using MutableVector = Eigen::Map<Eigen::VectorXd>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-10;
constexpr int kRestarts = 2000;

// Operators in the form Spectra asks for: y = Op x for a symmetric Op.

class Times {
 public:
  using Scalar = double;
  explicit Times(const Sparse& matrix) : matrix_(matrix) {}
  Eigen::Index rows() const { return matrix_.rows(); }
  Eigen::Index cols() const { return matrix_.rows(); }
  void perform_op(const double* x, double* y) const {
    MutableVector(y, rows()).noalias() = matrix_ * ConstVector(x, rows());
  }

 private:
  const Sparse& matrix_;
};

class TimesTransposeTimes {
 public:
  using Scalar = double;
  explicit TimesTransposeTimes(const Sparse& matrix) : matrix_(matrix) {}
  Eigen::Index rows() const { return matrix_.rows(); }
  Eigen::Index cols() const { return matrix_.rows(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::VectorXd product = matrix_ * ConstVector(x, rows());
    MutableVector(y, rows()).noalias() = matrix_.transpose() * product;
  }

 private:
  const Sparse& matrix_;
};

/// D A⁻¹ D with D = diag(scale).
class ScaledInverse {
 public:
  using Scalar = double;
  using Factor = Eigen::SimplicialLLT<Sparse>;
  ScaledInverse(const Factor& factor, Eigen::VectorXd scale) : factor_(factor), scale_(std::move(scale)) {}
  Eigen::Index rows() const { return scale_.size(); }
  Eigen::Index cols() const { return scale_.size(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::VectorXd scaled = scale_.cwiseProduct(ConstVector(x, rows()));
    MutableVector(y, rows()) = scale_.cwiseProduct(factor_.solve(scaled));
  }

 private:
  const Factor& factor_;
  Eigen::VectorXd scale_;
};

/// A⁻¹ A⁻ᵀ.
class InverseTimesTranspose {
 public:
  using Scalar = double;
  using Factor = Eigen::SparseLU<Sparse>;
  InverseTimesTranspose(const Factor& factor, const Factor& transposed) : factor_(factor), transposed_(transposed) {}
  Eigen::Index rows() const { return factor_.rows(); }
  Eigen::Index cols() const { return factor_.rows(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::VectorXd half = transposed_.solve(ConstVector(x, rows()));
    MutableVector(y, rows()) = factor_.solve(half);
  }

 private:
  const Factor& factor_;
  const Factor& transposed_;
};

/// The `count` largest eigenvalues, descending; empty when Lanczos did not converge.
template <class Operator>
Eigen::VectorXd largest_of(Operator op, int count) {
  const Eigen::Index n = op.rows();
  const Eigen::Index basis = std::min<Eigen::Index>(n, std::max(40, 4 * count));
  Spectra::SymEigsSolver<Operator> lanczos(op, count, basis);
  lanczos.init();
  lanczos.compute(Spectra::SortRule::LargestAlge, kRestarts, kTolerance, Spectra::SortRule::LargestAlge);
  if (lanczos.info() != Spectra::CompInfo::Successful) return {};
  return lanczos.eigenvalues();
}

Spectrum symmetric_spectrum(const Sparse& matrix, const SpectrumOptions& options) {
  if (matrix.rows() < options.dense_below) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense(Eigen::MatrixXd(matrix), Eigen::EigenvaluesOnly);
    return {dense.eigenvalues()[0], dense.eigenvalues()[matrix.rows() - 1], dense.info() == Eigen::Success};
  }
  Spectrum spectrum{kNaN, kNaN, false};
  const Eigen::VectorXd top = largest_of(Times(matrix), 1);
  if (top.size() > 0) spectrum.largest = top[0];
  const ScaledInverse::Factor factor(matrix);
  if (factor.info() != Eigen::Success) return spectrum;  // not positive definite
  const Eigen::VectorXd bottom = largest_of(ScaledInverse(factor, Eigen::VectorXd::Ones(matrix.rows())), 1);
  if (bottom.size() > 0) spectrum.smallest = 1.0 / bottom[0];
  spectrum.converged = top.size() > 0 && bottom.size() > 0;
  return spectrum;
}

Spectrum singular_spectrum(const Sparse& matrix, const SpectrumOptions& options) {
  if (matrix.rows() < options.dense_below) {
    const Eigen::BDCSVD<Eigen::MatrixXd> dense{Eigen::MatrixXd(matrix)};
    return {dense.singularValues()[matrix.rows() - 1], dense.singularValues()[0], dense.info() == Eigen::Success};
  }
  Spectrum spectrum{kNaN, kNaN, false};
  const Eigen::VectorXd top = largest_of(TimesTransposeTimes(matrix), 1);
  if (top.size() > 0) spectrum.largest = std::sqrt(top[0]);
  const Sparse transpose = matrix.transpose();
  InverseTimesTranspose::Factor factor(matrix), transposed(transpose);
  if (factor.info() != Eigen::Success || transposed.info() != Eigen::Success) return spectrum;
  const Eigen::VectorXd bottom = largest_of(InverseTimesTranspose(factor, transposed), 1);
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
  const int available = static_cast<int>(std::min<Eigen::Index>(count, stiffness.rows() - 1));
  if (available < 1) return result;
  const ScaledInverse::Factor factor(stiffness);
  if (factor.info() != Eigen::Success) return result;
  const Eigen::VectorXd inverse = largest_of(ScaledInverse(factor, masses.cwiseSqrt()), available);
  for (Eigen::Index k = 0; k < inverse.size(); ++k) result[k] = 1.0 / inverse[k];
  return result;
}

}  // namespace deformbench::harness
