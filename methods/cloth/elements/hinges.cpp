// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/hinges.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

namespace deformbench::cloth {
namespace {

/// θ − θ0 in [−π, π], used by energy, damping and stiffness: without a jump where θ passes ±π.
double bend_of(const Hinge& hinge, const Corners<4>& x) {
  return std::remainder(hinge_angle(x) - hinge.rest_angle, 2.0 * std::numbers::pi);
}

}  // namespace

double Hinge::energy(const Corners<4>& x) const {
  const double bend = bend_of(*this, x);
  if (options.form == HingeForm::Angle) return 0.5 * stiffness * bend * bend;
  // 4 (1 − cos(θ/2)) = 8 sin²(θ/4) avoids cancellation: θ²/2 for small θ. [B05] §2
  const double sine = std::sin(0.25 * bend);
  return 8.0 * stiffness * sine * sine;
}

CornerVector<4> Hinge::force(const Corners<4>& x) const {
  const CornerVector<4> direction = angle_gradient(x, options.gradient);
  if (options.form == HingeForm::Angle) return -stiffness * bend_of(*this, x) * direction;
  // sin((θ − θ0)/2) from sine and cosine of θ/2 and θ0/2. [B05] §3
  // DEVIATION [B05] §3: the slide's factor B is twice the bending stiffness here, so that small angles have B k θ².
  const HalfAngle half = half_angle(x, options.sine, options.precision);
  const double c = std::cos(0.5 * rest_angle), s = std::sin(0.5 * rest_angle);
  double sine = half.sine * c - half.cosine * s;
  if (half.cosine * c + half.sine * s < 0.0) sine = -sine;  // beyond ±π, as bend_of
  return -2.0 * stiffness * sine * direction;
}

SquaredConstraint<1, 4> Hinge::constraint(const Corners<4>& x) const {
  const double bend = bend_of(*this, x), root = std::sqrt(stiffness);
  SquaredConstraint<1, 4> c;
  c.slope = angle_gradient(x, AngleGradient::Modes).transpose();
  if (options.form == HingeForm::Angle) {
    c.value[0] = root * bend;
    c.slope *= root;
  } else {
    c.value[0] = 4.0 * root * std::sin(0.25 * bend);
    c.slope *= root * std::cos(0.25 * bend);
  }
  return c;
}

CornerMatrix<4> Hinge::stiffness_matrix(const Corners<4>& x, bool semidefinite) const {
  const double bend = bend_of(*this, x);
  const bool is_angle = options.form == HingeForm::Angle;
  const double slope = is_angle ? stiffness * bend : 2.0 * stiffness * std::sin(0.5 * bend);  // dW/dθ
  const double second = is_angle ? stiffness : stiffness * std::cos(0.5 * bend);              // d²W/dθ²
  const CornerVector<4> u = angle_gradient(x, AngleGradient::Modes);
  if (semidefinite) return std::max(second, 0.0) * u * u.transpose();
  return second * u * u.transpose() + slope * angle_hessian(x);
}

std::vector<Hinge> hinges_of(const Points& rest, const Triangles& triangles, double bend_stiffness,
                             const HingeOptions& options) {
  std::vector<Hinge> hinges;
  if (bend_stiffness <= 0.0) return hinges;
  std::map<std::array<int, 2>, std::array<int, 2>> sides;  // per directed edge: opposite corner, triangle
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = triangles(t, k), to = triangles(t, (k + 1) % 3), other = triangles(t, (k + 2) % 3);
      sides[{from, to}] = {other, int(t)};
    }
  const auto area = [&](int t) {
    const Vector3 first = rest.row(triangles(t, 1)) - rest.row(triangles(t, 0));
    const Vector3 second = rest.row(triangles(t, 2)) - rest.row(triangles(t, 0));
    return 0.5 * first.cross(second).norm();
  };
  for (const auto& [edge, side] : sides) {
    if (edge[0] > edge[1]) continue;
    const auto opposite = sides.find({edge[1], edge[0]});
    if (opposite == sides.end()) continue;
    // Triangle (a, b, d) contains the edge in this direction, (a, c, b) in the opposite one.
    Hinge hinge{{edge[0], edge[1], opposite->second[0], side[0]}, 0.0, 0.0, options};
    const double length_squared = (rest.row(edge[1]) - rest.row(edge[0])).squaredNorm();
    // [B05] §2: |e|²/(A1 + A2), precomputed in the rest shape, §3.
    hinge.stiffness = bend_stiffness * length_squared / (area(side[1]) + area(opposite->second[1]));
    if (!options.is_flat_at_rest) hinge.rest_angle = hinge_angle(corners_of(hinge.vertices, rest));
    hinges.push_back(hinge);
  }
  return hinges;
}

}  // namespace deformbench::cloth
