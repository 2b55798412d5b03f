// SPDX-License-Identifier: BSD-3-Clause
// Extreme eigenvalues of a sparse matrix: dense solver if small, else Lanczos (Spectra) on the matrix and, with a
// factorisation, on its inverse.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace deformbench::harness {

struct Spectrum {
  double smallest = 0.0;  ///< NaN if not computable
  double largest = 0.0;
  bool converged = false;  ///< both ends, to relative tolerance 1e-10
};

struct SpectrumOptions {
  Eigen::Index dense_below = 300;  ///< use the dense solver below this number of rows
};

/// Extreme eigenvalues of a symmetric positive definite matrix; for a non-symmetric one (asymmetry above 1e-10 of the
/// largest entry) extreme singular values. In both cases their ratio is the 2-norm condition number.
Spectrum extreme_values(const Eigen::SparseMatrix<double>& matrix, const SpectrumOptions& options = {});

/// max|A − Aᵀ| / max|A|; 0 for a zero matrix.
double asymmetry(const Eigen::SparseMatrix<double>& matrix);

/// The `count` smallest eigenvalues of K φ = ω² M φ (ascending), K symmetric positive definite, M diagonal and
/// positive. NaN beyond rows − 1, if not converged, or K not SPD.
Eigen::VectorXd smallest_generalised(const Eigen::SparseMatrix<double>& stiffness, const Eigen::VectorXd& masses,
                                     int count);

}  // namespace deformbench::harness
