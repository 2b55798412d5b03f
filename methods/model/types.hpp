// SPDX-License-Identifier: BSD-3-Clause
// Array types shared by every module: row-major double, one row per vertex or element.
#pragma once

#include <Eigen/Core>

namespace deformbench {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
/// Strain or stress as a 6-vector: tensor components xx, yy, zz, xy, yz, zx; engineering shear is twice the entry.
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;   ///< n×3
using Tetrahedra = Eigen::Matrix<int, Eigen::Dynamic, 4, Eigen::RowMajor>;  ///< m×4 vertex indices
using Triangles = Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor>;   ///< m×3 vertex indices
using PointsView = Eigen::Map<const Points>;
using ScalarsView = Eigen::Map<const Eigen::VectorXd>;

}  // namespace deformbench
