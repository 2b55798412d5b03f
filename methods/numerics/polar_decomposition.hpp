// SPDX-License-Identifier: BSD-3-Clause
// Rotation part of a 3×3 matrix, one matrix at a time. batched_polar.hpp has the fast form for many.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::numerics {

/// The rotation R (det +1) that maximises tr(RᵀF): for det F > 0 the polar factor, for an inverted F the
/// one that flips the smallest principal stretch. Defined (perhaps not unique) for rank-deficient F; F = 0 gives I.
/// R = U diag(1, 1, det(UVᵀ)) Vᵀ for the SVD F = U Σ Vᵀ; computed as the eigenvector of the largest eigenvalue
/// of Horn's 4×4 quaternion matrix, then polished by Newton's method.
Matrix3 polar_rotation(const Matrix3& f);

/// The orthogonal polar factor as in textbooks and [MG04] §2.4: a reflection (det −1) when det F < 0.
Matrix3 polar_orthogonal_factor(const Matrix3& f);

/// Gram–Schmidt on the columns of F. `keep_reflection` returns det −1 when det F < 0; else the third column is the
/// cross product of the other two. Its force is not a gradient (erratum B-IVM-8b).
Matrix3 gram_schmidt_rotation(const Matrix3& f, bool keep_reflection = false);

/// Unit quaternion (w, x, y, z) of polar_rotation(f).
Eigen::Vector4d polar_quaternion(const Matrix3& f);

/// Rotation of a nonzero quaternion (w, x, y, z) of any length.
Matrix3 rotation_of_quaternion(const Eigen::Vector4d& q);

}  // namespace deformbench::numerics
