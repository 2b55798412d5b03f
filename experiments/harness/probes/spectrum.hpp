// SPDX-License-Identifier: BSD-3-Clause
// Extreme eigenvalues of a sparse matrix: dense when small, otherwise Lanczos (Spectra) for the largest and, by
// a factorisation, for the largest of the inverse.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace deformbench::harness {

struct Spectrum {
  double smallest = 0.0;  ///< NaN when it could not be had
  double largest = 0.0;
  bool converged = false;  ///< both ends to a relative 1e-10
};

struct SpectrumOptions {
  Eigen::Index dense_below = 300;  ///< rows under which the dense solver is used
};

/// Extreme eigenvalues of a symmetric positive definite matrix; for a non-symmetric one (asymmetry above 1e-10
/// of the largest entry) its extreme singular values, whose ratio is the 2-norm condition number all the same.
Spectrum extreme_values(const Eigen::SparseMatrix<double>& matrix, const SpectrumOptions& options = {});

/// max|A − Aᵀ| / max|A|; 0 for a zero matrix.
double asymmetry(const Eigen::SparseMatrix<double>& matrix);

/// The `count` smallest eigenvalues of K φ = ω² M φ (ascending), K symmetric positive definite, M diagonal and
/// positive. NaN where there are fewer, or K is not positive definite.
Eigen::VectorXd smallest_generalised(const Eigen::SparseMatrix<double>& stiffness, const Eigen::VectorXd& masses,
                                     int count);

}  // namespace deformbench::harness
