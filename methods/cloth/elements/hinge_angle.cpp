// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/hinge_angle.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <unsupported/Eigen/AutoDiff>

namespace deformbench::cloth {
namespace {

template <class Scalar>
using Vector = Eigen::Matrix<Scalar, 3, 1>;

/// The edge, vectors from its start to the opposite corners, and the area normals of both triangles.
template <class Scalar>
struct Flaps {
  Vector<Scalar> edge, to_c, to_d, normal_c, normal_d;
};

template <class Scalar>
Vector<Scalar> cross(const Vector<Scalar>& p, const Vector<Scalar>& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
template <class Scalar>
Scalar dot(const Vector<Scalar>& p, const Vector<Scalar>& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

template <class Scalar>
Flaps<Scalar> flaps(const Eigen::Matrix<Scalar, 3, 4>& x) {
  Flaps<Scalar> f;
  f.edge = x.col(1) - x.col(0);
  f.to_c = x.col(2) - x.col(0);
  f.to_d = x.col(3) - x.col(0);
  f.normal_c = cross<Scalar>(f.to_c, f.edge);
  f.normal_d = cross<Scalar>(f.edge, f.to_d);
  return f;
}

/// Bending mode of [BMF03], with the sign for which θ increases: u_c = |e| N/|N|², likewise u_d; the values at the
/// edge's ends make net force and torque zero.
template <class Scalar>
Eigen::Matrix<Scalar, 12, 1> mode(const Eigen::Matrix<Scalar, 3, 4>& x) {
  using std::sqrt;
  const Flaps<Scalar> f = flaps(x);
  const Scalar squared = dot<Scalar>(f.edge, f.edge), length = sqrt(squared);
  const Vector<Scalar> at_c = f.normal_c * (length / dot<Scalar>(f.normal_c, f.normal_c));
  const Vector<Scalar> at_d = f.normal_d * (length / dot<Scalar>(f.normal_d, f.normal_d));
  // Positions of the feet of the heights along the edge, as fractions of its length.
  const Scalar foot_c = dot<Scalar>(f.to_c, f.edge) / squared, foot_d = dot<Scalar>(f.to_d, f.edge) / squared;
  Eigen::Matrix<Scalar, 12, 1> u;
  u.template segment<3>(0) = at_c * (foot_c - Scalar(1.0)) + at_d * (foot_d - Scalar(1.0));
  u.template segment<3>(3) = at_c * (-foot_c) + at_d * (-foot_d);
  u.template segment<3>(6) = at_c;
  u.template segment<3>(9) = at_d;
  return u;
}

template <class Scalar>
HalfAngle half_angle_in(const Corners<4>& x, SineFormula formula) {
  const Flaps<double> f = flaps<double>(x);
  const Vector<Scalar> edge = f.edge.cast<Scalar>(), to_c = f.to_c.cast<Scalar>(), to_d = f.to_d.cast<Scalar>();
  const Vector<Scalar> n1 = to_c.cross(edge).normalized(), n2 = edge.cross(to_d).normalized();
  const Scalar sign = n1.cross(n2).dot(edge) < Scalar(0) ? Scalar(-1) : Scalar(1);
  const Scalar sine = formula == SineFormula::Printed
                          ? std::sqrt(std::max(Scalar(0), Scalar(0.5) * (Scalar(1) - n1.dot(n2))))
                          : Scalar(0.5) * (n1 - n2).norm();
  const Scalar cosine = formula == SineFormula::Printed
                            ? std::sqrt(std::max(Scalar(0), Scalar(0.5) * (Scalar(1) + n1.dot(n2))))
                            : Scalar(0.5) * (n1 + n2).norm();
  return {double(sign * sine), double(cosine)};
}

using Dual = Eigen::AutoDiffScalar<CornerVector<4>>;

Eigen::Matrix<Dual, 3, 4> seeded(const Corners<4>& x) {
  Eigen::Matrix<Dual, 3, 4> result;
  for (int k = 0; k < 12; ++k) result(k % 3, k / 3) = Dual(x(k % 3, k / 3), 12, k);
  return result;
}

CornerVector<4> by_cosine(const Corners<4>& x) {
  // d(n1·n2) = dn1·n2 + n1·dn2, with dn = (I − n nᵀ) dN / |N|. [B05] §4
  const Flaps<double> f = flaps<double>(x);
  const double size_c = f.normal_c.norm(), size_d = f.normal_d.norm();
  const Vector3 n1 = f.normal_c / size_c, n2 = f.normal_d / size_d;
  const Vector3 by_normal_c = (n2 - n1 * n1.dot(n2)) / size_c, by_normal_d = (n1 - n2 * n1.dot(n2)) / size_d;
  // N1 = p × e and N2 = e × q: w·dN1 = dp·(e × w) + de·(w × p), w·dN2 = de·(q × w) + dq·(w × e).
  const Vector3 by_c = f.edge.cross(by_normal_c), by_d = by_normal_d.cross(f.edge);
  const Vector3 by_b = by_normal_c.cross(f.to_c) + f.to_d.cross(by_normal_d);
  CornerVector<4> slope;
  const Vector3 by_a = -(by_b + by_c + by_d);
  slope.segment<3>(0) = by_a;
  slope.segment<3>(3) = by_b;
  slope.segment<3>(6) = by_c;
  slope.segment<3>(9) = by_d;
  const double sine = n1.cross(n2).dot(f.edge.normalized());
  return -slope / sine;
}

CornerVector<4> automatic(const Corners<4>& x) {
  const Flaps<Dual> f = flaps<Dual>(seeded(x));
  const Dual sine = dot<Dual>(cross<Dual>(f.normal_c, f.normal_d), f.edge);
  const Dual length = sqrt(dot<Dual>(f.edge, f.edge));
  const Dual cosine = dot<Dual>(f.normal_c, f.normal_d) * length;
  return Dual(atan2(sine, cosine)).derivatives();
}

}  // namespace

HalfAngle half_angle(const Corners<4>& x, SineFormula formula, SinePrecision precision) {
  return precision == SinePrecision::Double ? half_angle_in<double>(x, formula) : half_angle_in<float>(x, formula);
}

double hinge_angle(const Corners<4>& x) {
  const HalfAngle half = half_angle(x, SineFormula::Robust, SinePrecision::Double);
  return 2.0 * std::atan2(half.sine, half.cosine);
}

CornerVector<4> angle_gradient(const Corners<4>& x, AngleGradient how) {
  switch (how) {
    case AngleGradient::Cosine:
      return by_cosine(x);
    case AngleGradient::Automatic:
      return automatic(x);
    case AngleGradient::Modes:
      break;
  }
  return mode<double>(x);
}

CornerMatrix<4> angle_hessian(const Corners<4>& x) {
  const Eigen::Matrix<Dual, 12, 1> u = mode<Dual>(seeded(x));
  CornerMatrix<4> hessian;
  for (int k = 0; k < 12; ++k) hessian.row(k) = u[k].derivatives().transpose();
  return 0.5 * (hessian + hessian.transpose());
}

}  // namespace deformbench::cloth
