// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::numerics {

struct SymmetricEigen3 {
  Vector3 values;   ///< ascending
  Matrix3 vectors;  ///< columns, orthonormal, determinant +1
};

/// Eigenvalues and vectors of a symmetric 3×3 matrix (only the lower triangle is read) by cyclic Jacobi, which is
/// accurate to rounding of the largest entry for repeated and nearly repeated values too.
SymmetricEigen3 symmetric_eigen(const Matrix3& a);

}  // namespace deformbench::numerics
