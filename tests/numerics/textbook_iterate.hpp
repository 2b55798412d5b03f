// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>

namespace deformbench::numerics {

/// Conjugate gradients as the textbook has them, in long double: `count` iterations from `start`. Dense or sparse `a`.
template <class Matrix>
Eigen::VectorXd textbook_iterate(const Matrix& a, const Eigen::VectorXd& right, const Eigen::VectorXd& start,
                                 int count) {
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const auto matrix = a.template cast<long double>().eval();
  Long x = start.cast<long double>(), r = right.cast<long double>() - matrix * x, p = r;
  long double rr = r.squaredNorm();
  for (int k = 0; k < count; ++k) {
    const Long q = matrix * p;
    const long double alpha = rr / p.dot(q);
    x += alpha * p;
    r -= alpha * q;
    const long double next = r.squaredNorm();
    p = r + (next / rr) * p;
    rr = next;
  }
  return x.cast<double>();
}

}  // namespace deformbench::numerics
