// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/polar_decomposition.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace deformbench::numerics {
namespace {

using Matrix4 = Eigen::Matrix4d;
using Vector4 = Eigen::Vector4d;

/// Cyclic Jacobi; the columns of `vectors` are eigenvectors of the symmetric `a`, whose diagonal becomes the values.
void jacobi4(Matrix4& a, Matrix4& vectors) {
  vectors.setIdentity();
  const double scale = a.squaredNorm();
  for (int sweep = 0; sweep < 24; ++sweep) {
    double off = 0.0;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) off += a(i, j) * a(i, j);
    if (!(off > 1e-34 * scale)) return;
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        if (a(i, j) == 0.0) continue;
        const double theta = (a(j, j) - a(i, i)) / (2.0 * a(i, j));
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 4; ++k) {
          const double aki = a(k, i), akj = a(k, j);
          a(k, i) = c * aki - s * akj;
          a(k, j) = s * aki + c * akj;
        }
        for (int k = 0; k < 4; ++k) {
          const double aik = a(i, k), ajk = a(j, k);
          a(i, k) = c * aik - s * ajk;
          a(j, k) = s * aik + c * ajk;
        }
        for (int k = 0; k < 4; ++k) {
          const double vki = vectors(k, i), vkj = vectors(k, j);
          vectors(k, i) = c * vki - s * vkj;
          vectors(k, j) = s * vki + c * vkj;
        }
      }
    }
  }
}

Vector4 product(const Vector4& a, const Vector4& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

/// One Newton step on tr(RᵀF) over rotations, skipped where its matrix is close to singular (rotation not unique).
Vector4 polish(const Vector4& q, const Matrix3& f) {
  const Matrix3 a = rotation_of_quaternion(q).transpose() * f;
  const Vector3 gradient(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1));
  const Matrix3 hessian = a.trace() * Matrix3::Identity() - 0.5 * (a + a.transpose());
  const double trace = hessian.trace();
  if (!(hessian.determinant() > 1e-9 * trace * trace * trace)) return q;
  const Vector3 half = 0.5 * hessian.inverse() * gradient;
  if (!(half.squaredNorm() < 1e-6)) return q;
  return product(q, Vector4(1.0, half[0], half[1], half[2])).normalized();
}

}  // namespace

Matrix3 rotation_of_quaternion(const Eigen::Vector4d& q) {
  const double s = 2.0 / q.squaredNorm();
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Matrix3 r;
  r << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return r;
}

Eigen::Vector4d polar_quaternion(const Matrix3& matrix) {
  const double scale = matrix.cwiseAbs().maxCoeff();
  if (!(scale > 0.0) || !std::isfinite(scale)) return {1.0, 0.0, 0.0, 0.0};
  const Matrix3 f = matrix / scale;
  // [H87]: qᵀNq = tr(R(q)ᵀ F).
  Matrix4 n;
  n << f.trace(), f(2, 1) - f(1, 2), f(0, 2) - f(2, 0), f(1, 0) - f(0, 1),                   //
      f(2, 1) - f(1, 2), f(0, 0) - f(1, 1) - f(2, 2), f(0, 1) + f(1, 0), f(0, 2) + f(2, 0),  //
      f(0, 2) - f(2, 0), f(0, 1) + f(1, 0), f(1, 1) - f(0, 0) - f(2, 2), f(1, 2) + f(2, 1),  //
      f(1, 0) - f(0, 1), f(0, 2) + f(2, 0), f(1, 2) + f(2, 1), f(2, 2) - f(0, 0) - f(1, 1);
  Matrix4 vectors;
  jacobi4(n, vectors);
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (n(k, k) > n(best, best)) best = k;
  Vector4 q = vectors.col(best).normalized();
  if (q[0] < 0) q = -q;
  return polish(polish(q, f), f);
}

Matrix3 polar_rotation(const Matrix3& f) {
  return rotation_of_quaternion(polar_quaternion(f));
}

Matrix3 polar_orthogonal_factor(const Matrix3& f) {
  if (f.determinant() < 0.0) return -polar_rotation(-f);  // F = (−R)(S): −F has positive determinant
  return polar_rotation(f);
}

Matrix3 gram_schmidt_rotation(const Matrix3& f, bool keep_reflection) {
  const double scale = f.cwiseAbs().maxCoeff();
  if (!(scale > 0.0) || !std::isfinite(scale)) return Matrix3::Identity();
  const double tiny = 1e-14;  // relative length below which a direction is noise
  Vector3 first = f.col(0) / scale;
  first = first.norm() > tiny ? Vector3(first.normalized()) : Vector3(Vector3::UnitX());
  Vector3 second = f.col(1) / scale;
  second -= first * first.dot(second);
  second = second.norm() > tiny ? Vector3(second.normalized()) : Vector3(first.unitOrthogonal());
  second = (second - first * first.dot(second)).normalized();
  Vector3 third = first.cross(second);
  if (keep_reflection && third.dot(f.col(2)) < 0.0) third = -third;
  Matrix3 r;
  r << first, second, third;
  return r;
}

}  // namespace deformbench::numerics
