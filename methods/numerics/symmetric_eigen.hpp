// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::numerics {

struct SymmetricEigen3 {
  Vector3 values;   ///< ascending
  Matrix3 vectors;  ///< columns, orthonormal, determinant +1
};

/// Eigenvalues and eigenvectors of a symmetric 3×3 matrix (only its lower triangle is read) by cyclic Jacobi: the
/// eigenvalue error is about ε times the largest entry, also if values nearly coincide.
SymmetricEigen3 symmetric_eigen(const Matrix3& a);

}  // namespace deformbench::numerics
