// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/symmetric_eigen.hpp"

#include <Eigen/LU>
#include <cmath>
#include <utility>

namespace deformbench::numerics {

SymmetricEigen3 symmetric_eigen(const Matrix3& input) {
  Matrix3 a = input.triangularView<Eigen::Lower>();
  a.triangularView<Eigen::StrictlyUpper>() = a.transpose();
  Matrix3 v = Matrix3::Identity();
  const double scale = a.squaredNorm();
  for (int sweep = 0; sweep < 16; ++sweep) {
    const double off = a(0, 1) * a(0, 1) + a(0, 2) * a(0, 2) + a(1, 2) * a(1, 2);
    if (!(off > 1e-36 * scale)) break;
    for (int i = 0; i < 2; ++i) {
      for (int j = i + 1; j < 3; ++j) {
        if (a(i, j) == 0.0) continue;
        const double theta = (a(j, j) - a(i, i)) / (2.0 * a(i, j));
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        Eigen::Matrix<double, 3, 1> ai = a.col(i), aj = a.col(j);
        a.col(i) = c * ai - s * aj;
        a.col(j) = s * ai + c * aj;
        Eigen::Matrix<double, 1, 3> ri = a.row(i), rj = a.row(j);
        a.row(i) = c * ri - s * rj;
        a.row(j) = s * ri + c * rj;
        a(i, j) = a(j, i) = 0.0;
        ai = v.col(i), aj = v.col(j);
        v.col(i) = c * ai - s * aj;
        v.col(j) = s * ai + c * aj;
      }
    }
  }
  int order[3] = {0, 1, 2};
  if (a(order[0], order[0]) > a(order[1], order[1])) std::swap(order[0], order[1]);
  if (a(order[1], order[1]) > a(order[2], order[2])) std::swap(order[1], order[2]);
  if (a(order[0], order[0]) > a(order[1], order[1])) std::swap(order[0], order[1]);
  SymmetricEigen3 result;
  for (int k = 0; k < 3; ++k) {
    result.values[k] = a(order[k], order[k]);
    result.vectors.col(k) = v.col(order[k]).normalized();
  }
  if (result.vectors.determinant() < 0.0) result.vectors.col(0) = -result.vectors.col(0);
  return result;
}

}  // namespace deformbench::numerics
